"""Follow the leader."""

from __future__ import annotations

import numpy as np
import pytest

from afterwit import regret
from afterwit.convex import Ball, Box, FollowTheLeader, FollowTheRegularizedLeader, Reals, Simplex
from tests.convex import formulas
from tests.convex.formulas import Array, leader
from tests.convex.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.convex.theorems import RADIUS, hold, regret_of, slopes


def vertices(V: Array) -> Array:
    """The corner of the box from -1 to 1/2 with the least loss so far; 0 in a tie."""
    L = np.vstack([np.zeros(V.shape[1]), np.cumsum(V, axis=0)[:-1]])
    return np.where(L > 0.0, -1.0, np.where(L < 0.0, 0.5, 0.0))


def corners(V: Array) -> Array:
    """The best things so far, equally."""
    L = np.vstack([np.zeros(V.shape[1]), np.cumsum(V, axis=0)[:-1]])
    best = L.min(axis=1, keepdims=True) == L
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def on_sphere(V: Array) -> Array:
    L = np.vstack([np.zeros(V.shape[1]), np.cumsum(V, axis=0)[:-1]])
    size = np.linalg.norm(L, axis=1, keepdims=True)
    return np.asarray(-2.0 * L / np.where(size > 0.0, size, 1.0))


def squares(losses: Array, make: Make = FollowTheLeader) -> float:
    """G^2/(2 sigma) H_T for (sigma/2) |w - z|^2, as of gradient descent (errata 1)."""
    Z = slopes(losses)
    return regret_of(
        make(Ball(RADIUS, Z.shape[1])), -0.5 * Z, 0.5, lambda T: regret.strongly_convex_gradient_descent(1.0, 0.5, T)
    )


def lemma(losses: Array, make: Make = FollowTheLeader) -> float:
    """Kashima lecture 11, "Follow-the-leader", for linear losses, which may gain it little."""
    d, ratio = losses.shape[1], 0.0
    for domain, V in ((Simplex(d), losses), (Ball(RADIUS, d), slopes(losses)), (Box([-1.0] * d, [2.0] * d), losses)):
        player = make(domain)
        history = player.run(V)
        ratio = max(ratio, hold(history.regret, player.regret_bound().value, len(V)))
    return ratio


def decreases(G: Array, W: Array, c: float, last: Array) -> float:
    """The sum of f_t(w_t) - f_t(w_{t+1})."""
    moved = np.vstack([W[1:], last]) - W if len(W) else W
    return -float((G * moved).sum() + 0.5 * c * (moved**2).sum())


def after(given: dict[str, object], G: Array, W: Array, c: float) -> float:
    """With the point that comes after them."""
    player = FollowTheLeader(**given)  # type: ignore[arg-type]
    player.run(G - c * W, c)
    return decreases(G, W, c, player.play())


SPECIMEN = Specimen(
    FollowTheLeader,
    settings=(
        {"domain": Ball(2.0, 3)},
        {"domain": Simplex(4)},
        {"domain": Box([-1.0, 0.0, 2.0], [1.0, 0.5, 3.0])},
        {"domain": Reals(2)},
        {"domain": Simplex(1)},
    ),
    formulas={
        "squares": Formula(
            lambda V, c: leader(V, formulas.everywhere, c),
            lambda d: {"domain": Reals(d)},
            curvature=0.5,
        ),
        "squares, simplex": Formula(
            lambda V, c: leader(V, formulas.simplex, c), lambda d: {"domain": Simplex(d)}, curvature=8.0
        ),
        "squares, ball": Formula(
            lambda V, c: leader(V, formulas.ball(0.2), c), lambda d: {"domain": Ball(0.2, d)}, curvature=2.0
        ),
        # The leader on linear losses is indifferent to their scale.
        "box": Formula(
            lambda V, c: vertices(V), lambda d: {"domain": Box([-1.0] * d, [0.5] * d)}, bites=("sign", "memory")
        ),
        "simplex": Formula(lambda V, c: corners(V), lambda d: {"domain": Simplex(d)}, bites=("sign", "memory")),
        "ball": Formula(lambda V, c: on_sphere(V), lambda d: {"domain": Ball(2.0, d)}, bites=("sign", "memory")),
    },
    theorems={"squares": Theorem(squares), "lemma": Theorem(lemma)},
    bounds={
        "squares": BoundFormula(
            lambda G, W, u: after({"domain": Ball(0.5, 4)}, G, W, 0.5), lambda: {"domain": Ball(0.5, 4)}, curvature=0.5
        ),
        "linear": BoundFormula(
            lambda G, W, u: after({"domain": Simplex(4)}, G, W, 0.0), lambda: {"domain": Simplex(4)}
        ),
    },
)


@pytest.mark.parametrize("rounds", [100, 10_000])
def test_the_leader_is_always_wrong_where_the_regularised_one_is_not(rounds: int) -> None:
    """Slopes 1/2, -1, 1, -1, ...: the leader pays 1 each time, the best point nothing; T - 1 against sqrt(2 T)."""
    V = np.where(np.arange(rounds) % 2 == 0, 1.0, -1.0)[:, None]
    V[0] = 0.5
    domain = Box([-1.0], [1.0])
    lost = FollowTheLeader(domain).run(V).regret
    assert lost >= rounds - 2
    milder = FollowTheRegularizedLeader(domain)
    assert milder.run(V).regret <= milder.regret_bound().value <= np.sqrt(2.0 * rounds)
    assert FollowTheRegularizedLeader(domain, horizon=rounds).run(V).regret <= np.sqrt(rounds)


def test_no_leader_on_all_of_the_space() -> None:
    player = FollowTheLeader(Reals(2))
    with pytest.raises(ValueError, match="there is no leader; give a curvature"):
        player.update([1.0, 0.0])
    with pytest.raises(ValueError, match="no least value"):
        player.run([[0.0, 0.0], [0.0, 1.0]])
    assert player.state()["rounds"] == 0.0
    player.update([0.0, 0.0])
    player.update([1.0, 0.0], curvature=2.0)
    assert player.play().tolist() == [-0.5, 0.0]
    player.update([1.0, 0.0])
    assert player.play().tolist() == [-1.0, 0.0]
