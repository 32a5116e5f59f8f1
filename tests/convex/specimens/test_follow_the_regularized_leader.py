"""Follow the regularised leader."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from afterwit import regret
from afterwit.convex import Ball, Box, FollowTheRegularizedLeader, Reals, Simplex
from afterwit.convex.domains import Domain
from afterwit.experts import Hedge
from tests.convex import formulas
from tests.convex.formulas import Array, exponential, lazy
from tests.convex.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.convex.specimens.test_online_gradient_descent import fixed, half_square
from tests.convex.theorems import RADIUS, hold, in_ball, regret_of, slopes


def any_rate(losses: Array, make: Make = FollowTheRegularizedLeader, rate: float = 0.05) -> float:
    """Sharan lecture 19, Theorem 1, with the eta/2 of errata 5."""
    V = slopes(losses)
    return regret_of(
        make(Ball(RADIUS, V.shape[1]), rate=rate), V, 0.0, lambda T: regret.gradient_descent(RADIUS, T, rate)
    )


def tuned(losses: Array, make: Make = FollowTheRegularizedLeader) -> float:
    """Its B L sqrt(T)."""
    V = slopes(losses)
    lost = float(make(Ball(RADIUS, V.shape[1]), horizon=len(V)).run(V).loss.sum()) - in_ball(V)
    return hold(lost, RADIUS * math.sqrt(len(V)), len(V))


def experts(losses: Array, make: Make = FollowTheRegularizedLeader) -> float:
    """Sharan lecture 19, Corollary 3: sqrt(d T)."""
    T, d = losses.shape
    player = make(Simplex(d), horizon=T, gradient=math.sqrt(d))
    return hold(float(player.run(losses).loss.sum() - losses.sum(axis=0).min()), math.sqrt(d * T), T)


def entropic(losses: Array, make: Make = FollowTheRegularizedLeader) -> float:
    """The note after it: sqrt(T ln d), for losses in [0, 1]; the theorem has sqrt(2 T ln d)."""
    T, d = losses.shape
    player = make(Simplex(d), regularizer="entropic", horizon=T)
    lost = float(player.run(losses).loss.sum() - losses.sum(axis=0).min())
    assert math.sqrt(T * math.log(d)) <= regret.regularized_leader(
        math.log(d), 0.5 * T * math.sqrt(2.0 * math.log(d) / T), math.sqrt(2.0 * math.log(d) / T)
    )
    return hold(lost, math.sqrt(T * math.log(d)), T)


def falling(losses: Array, make: Make = FollowTheRegularizedLeader, regularizer: str = "quadratic") -> float:
    """sqrt(2) B G sqrt(T), and 2 G sqrt(T ln d), at all horizons (errata 42)."""
    d = losses.shape[1]
    if regularizer == "entropic":
        player = make(Simplex(d), regularizer=regularizer)
        return regret_of(player, losses, 0.0, lambda T: 2.0 * math.sqrt(T * math.log(d)))
    return regret_of(make(Ball(RADIUS, d)), slopes(losses), 0.0, lambda T: math.sqrt(2.0 * T) * RADIUS)


def curved(losses: Array, make: Make = FollowTheRegularizedLeader, rate: float = 0.5, c: float = 0.1) -> float:
    """Curvature under the squares (errata 42)."""
    Z = slopes(losses)
    G = c * (1.0 + RADIUS)
    t = np.arange(1, len(Z) + 1)
    cost = np.cumsum(0.5 * G * G / (1.0 / rate + c * t))
    return regret_of(
        make(Ball(RADIUS, Z.shape[1]), rate=rate), -c * Z, c, lambda T: 0.5 * RADIUS**2 / rate + float(cost[T - 1])
    )


def entropy(u: Array | None, d: int) -> float:
    return math.log(d) + (0.0 if u is None else sum(x * math.log(x) for x in u.tolist() if x > 0.0))


def with_curvature(G: Array, rate: float, c: float) -> float:
    return float((0.5 * (G**2).sum(axis=1) / (1.0 / rate + c * np.arange(1, len(G) + 1))).sum())


def inf_fixed(G: Array, rate: float, most: float) -> float:
    return most / rate + rate / 2.0 * float((np.abs(G).max(axis=1, initial=0.0) ** 2).sum())


def inf_falling(G: Array, rate: float, most: float) -> float:
    t = np.arange(1, len(G) + 1)
    sizes = np.abs(G).max(axis=1, initial=0.0) ** 2
    return most * math.sqrt(max(len(G), 1)) / rate + 0.5 * rate * float((sizes / np.sqrt(t)).sum())


SPECIMEN = Specimen(
    FollowTheRegularizedLeader,
    settings=(
        {"domain": Simplex(4), "rate": 0.3, "regularizer": "entropic"},
        {"domain": Simplex(4), "regularizer": "entropic"},
        {"domain": Simplex(1), "regularizer": "entropic", "horizon": 5},
        {"domain": Box([-1.0, 0.0, 2.0], [1.0, 0.5, 3.0])},
        {"domain": Ball(2.0, 3), "horizon": 40, "gradient": 2.0},
        {"domain": Box([0.0, 0.0], [0.0, 0.0])},
        {"domain": Reals(3), "rate": 1e3},
        {"domain": Simplex(3), "rate": 1e38, "regularizer": "entropic"},
    ),
    formulas={
        "everywhere": Formula(
            lambda V, c: lazy(V, formulas.everywhere, lambda t: 0.3), lambda d: {"domain": Reals(d), "rate": 0.3}
        ),
        "ball, squares": Formula(
            lambda V, c: lazy(V, formulas.ball(1.5), lambda t: 0.3, c),
            lambda d: {"domain": Ball(1.5, d), "rate": 0.3},
            curvature=0.2,
        ),
        "box, falling": Formula(
            lambda V, c: lazy(V, formulas.box(-0.5, 1.0), lambda t: math.sqrt(0.5 * V.shape[1] / t)),
            lambda d: {"domain": Box([-0.5] * d, [1.0] * d)},
        ),
        "simplex": Formula(
            lambda V, c: lazy(V, formulas.simplex, lambda t: 1.0 / (2.0 * math.sqrt(90.0))),
            lambda d: {"domain": Simplex(d), "horizon": 90, "gradient": 2.0},
        ),
        "entropic": Formula(
            lambda V, c: exponential(V, lambda t: 0.3),
            lambda d: {"domain": Simplex(d), "rate": 0.3, "regularizer": "entropic"},
        ),
        "entropic, falling": Formula(
            lambda V, c: exponential(V, lambda t: math.sqrt(math.log(V.shape[1]) / t) / 2.0),
            lambda d: {"domain": Simplex(d), "gradient": 2.0, "regularizer": "entropic"},
        ),
        "entropic, horizon": Formula(
            lambda V, c: exponential(V, lambda t: math.sqrt(2.0 * math.log(V.shape[1]) / 60.0)),
            lambda d: {"domain": Simplex(d), "horizon": 60, "regularizer": "entropic"},
        ),
    },
    theorems={
        "rate 0.05": Theorem(any_rate),
        "rate 1": Theorem(partial(any_rate, rate=1.0), bites=()),
        "tuned": Theorem(tuned, bites=("sign", "memory", "rate")),
        "experts": Theorem(experts),
        "entropic": Theorem(entropic, bites=("sign", "memory")),
        "falling": Theorem(falling),
        "entropic, falling": Theorem(partial(falling, regularizer="entropic")),
        "curved": Theorem(curved),
    },
    bounds={
        "ball": BoundFormula(
            lambda G, W, u: fixed(G, 0.3, half_square(u, 2.0)), lambda: {"domain": Ball(2.0, 4), "rate": 0.3}
        ),
        "simplex, squares": BoundFormula(
            lambda G, W, u: half_square(u, 1.0, 0.25) / 0.3 + with_curvature(G, 0.3, 0.2),
            lambda: {"domain": Simplex(4), "rate": 0.3},
            curvature=0.2,
        ),
        "everywhere": BoundFormula(
            lambda G, W, u: fixed(G, 0.3, half_square(u, math.inf)), lambda: {"domain": Reals(4), "rate": 0.3}
        ),
        "entropic": BoundFormula(
            lambda G, W, u: inf_fixed(G, 0.3, entropy(u, 4)),
            lambda: {"domain": Simplex(4), "rate": 0.3, "regularizer": "entropic"},
        ),
        "entropic, horizon": BoundFormula(
            lambda G, W, u: inf_fixed(G, math.sqrt(2.0 * math.log(4.0) / 30.0), entropy(u, 4)),
            lambda: {"domain": Simplex(4), "horizon": 30, "regularizer": "entropic"},
        ),
        "entropic, falling": BoundFormula(
            lambda G, W, u: inf_falling(G, math.sqrt(math.log(4.0)), entropy(u, 4)),
            lambda: {"domain": Simplex(4), "regularizer": "entropic"},
        ),
    },
)


@pytest.mark.parametrize("rate", [1e-3, 0.3, 40.0, 1e4])
def test_entropic_is_hedge_to_the_bit(rate: float) -> None:
    losses = np.random.default_rng(3).random((3000, 13))
    losses[::5] = np.round(losses[::5])
    player, hedge = FollowTheRegularizedLeader(Simplex(13), rate, "entropic"), Hedge(rate=rate, experts=13)
    points, weights = player.run(losses, keep="points").points, hedge.run(losses, keep="weights").weights
    assert np.array_equal(points, weights)
    assert player.regret_bound().value <= hedge.regret_bound().value  # which has 1 for the largest loss of a round


@pytest.mark.parametrize("domain", [Ball(0.8, 3), Box([-0.2, 0.1, -1.0], [0.3, 0.4, 1.0]), Simplex(3)])
def test_no_point_is_better(domain: Domain) -> None:
    """What is played is the least of losses and regulariser together: no point of the domain has less, near or far."""
    rng = np.random.default_rng(4)
    V, rate, c = rng.normal(size=(30, 3)), 0.4, 0.3
    for regularizer in ("quadratic", "entropic")[: 1 + isinstance(domain, Simplex)]:
        bend = c if regularizer == "quadratic" else 0.0
        player = FollowTheRegularizedLeader(domain, rate, regularizer)
        player.run(V, bend)

        def value(u: Array, words: str = regularizer, bend: float = bend) -> float:
            R = 0.5 * u @ u if words == "quadratic" else (u * np.log(np.maximum(u, 1e-300))).sum()
            return float(V.sum(axis=0) @ u + 0.5 * bend * len(V) * u @ u + R / rate)

        least = value(player.play())
        for size in (1e-4, 1e-2, 1.0):
            for _ in range(300):
                assert value(domain.project(player.play() + size * rng.normal(size=3))) >= least - 1e-9


def test_what_it_does_not_take() -> None:
    with pytest.raises(ValueError, match="rate and horizon are both given"):
        FollowTheRegularizedLeader(Simplex(2), rate=0.1, horizon=9)
    with pytest.raises(ValueError, match='regularizer is "entropic", which is for a `Simplex`'):
        FollowTheRegularizedLeader(Ball(1.0, 2), regularizer="entropic")
    with pytest.raises(ValueError, match="regularizer is `'l1'`, expected"):
        FollowTheRegularizedLeader(Simplex(2), regularizer="l1")
    with pytest.raises(ValueError, match="no closed form beside entropy"):
        FollowTheRegularizedLeader(Simplex(2), regularizer="entropic").update([0.0, 1.0], curvature=0.5)
