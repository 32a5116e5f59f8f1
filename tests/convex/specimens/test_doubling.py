"""The doubling trick."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit import regret
from afterwit.convex import Ball, Doubling, FollowTheRegularizedLeader, MirrorDescent, OnlineGradientDescent, Simplex
from afterwit.experts import Hedge
from tests.convex.formulas import Array, exponential
from tests.convex.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.convex.theorems import RADIUS, regret_of, slopes

FACTOR = math.sqrt(2.0) / (math.sqrt(2.0) - 1.0)


def epochs(V: Array) -> Array:
    """Exponential weights, anew for 2, 4, 8, ... rounds."""
    played, start, length = [], 0, 2
    while start < len(V):
        rate = math.sqrt(2.0 * math.log(V.shape[1]) / length)
        played.append(exponential(V[start : start + length], lambda t, rate=rate: rate))  # type: ignore[misc]
        start, length = start + length, 2 * length
    return np.vstack(played)


def ball(losses: Array, make: Make = Doubling) -> float:
    """Kashima lecture 11, "Doubling trick": sqrt(2)/(sqrt(2) - 1) B L sqrt(T), at all horizons."""
    V = slopes(losses)
    player = make(OnlineGradientDescent(Ball(RADIUS, V.shape[1]), horizon=1))
    return regret_of(player, V, 0.0, lambda T: FACTOR * RADIUS * math.sqrt(T))


def entropic(losses: Array, make: Make = Doubling) -> float:
    """The same with sqrt(2 T ln d)."""
    d = losses.shape[1]
    player = make(FollowTheRegularizedLeader(Simplex(d), regularizer="entropic"))
    return regret_of(player, losses, 0.0, lambda T: FACTOR * math.sqrt(2.0 * T * math.log(d)))


def of_epochs(G: Array) -> float:
    """B^2/(2 eta) + (eta/2) sum |g|^2 of every epoch that has begun to play."""
    total, start, length = 0.0, 0, 2
    while start < len(G):
        rate = RADIUS / math.sqrt(length)
        total += RADIUS**2 / (2.0 * rate) + 0.5 * rate * float((G[start : start + length] ** 2).sum())
        start, length = start + length, 2 * length
    return total


SPECIMEN = Specimen(
    Doubling,
    settings=(
        {"player": FollowTheRegularizedLeader(Simplex(4), regularizer="entropic")},
        {"player": OnlineGradientDescent(Ball(1.0, 1), horizon=7)},
        {"player": OnlineGradientDescent(Simplex(3), projection="lazy")},
    ),
    formulas={
        "entropic": Formula(
            lambda V, c: epochs(V),
            lambda d: {"player": FollowTheRegularizedLeader(Simplex(d), regularizer="entropic")},
        ),
    },
    theorems={"ball": Theorem(ball), "entropic": Theorem(entropic)},
    bounds={
        "ball": BoundFormula(
            lambda G, W, u: of_epochs(G), lambda: {"player": OnlineGradientDescent(Ball(RADIUS, 4), horizon=1)}
        )
    },
)


def test_it_is_the_doubling_of_hedge() -> None:
    losses = np.random.default_rng(5).random((500, 6))
    player = Doubling(FollowTheRegularizedLeader(Simplex(6), regularizer="entropic"))
    points, weights = player.run(losses, keep="points").points, Hedge(experts=6).run(losses, keep="weights").weights
    np.testing.assert_allclose(points, weights, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("rounds", [1, 2, 3, 6, 7, 100, 2000])
def test_its_bound_is_below_the_factor(rounds: int) -> None:
    """Where every slope is of the size that it is tuned for, the epochs together are at most the trick's sum."""
    V = np.zeros((rounds, 3))
    V[np.arange(rounds), np.arange(rounds) % 3] = 1.0
    player = Doubling(OnlineGradientDescent(Ball(RADIUS, 3), horizon=1))
    player.run(V)
    bound = player.regret_bound().value
    assert bound <= regret.doubling(rounds, RADIUS) + 1e-9 <= FACTOR * RADIUS * math.sqrt(rounds) + 1e-8


def test_a_fault_of_a_later_epoch_names_its_row_and_changes_nothing() -> None:
    player = Doubling(OnlineGradientDescent(Ball(1.0, 2), horizon=1))
    player.run(np.ones((5, 2)))
    before = player.state()
    V = np.ones((40, 2))
    V[33, 1] = math.inf
    with pytest.raises(ValueError, match=r"losses\[33, 1\] is `inf`"):
        player.run(V)
    after = player.state()
    assert after["epoch"] == before["epoch"]
    assert after["past"] == before["past"]
    assert np.array_equal(after["player"]["point"], before["player"]["point"])


def test_what_it_does_not_take() -> None:
    with pytest.raises(ValueError, match="`MirrorDescent` has no horizon"):
        Doubling(MirrorDescent(Simplex(2), 0.1))
    with pytest.raises(ValueError, match="a rate of its own"):
        Doubling(FollowTheRegularizedLeader(Simplex(2), 0.1))
    with pytest.raises(TypeError, match=r"expected one of `afterwit\.convex`"):
        Doubling(Hedge(experts=2))  # type: ignore[arg-type]
