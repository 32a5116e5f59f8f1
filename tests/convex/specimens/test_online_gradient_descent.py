"""Online gradient descent: greedy and lazy, with steps that fall and steps that do not."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from afterwit import regret
from afterwit.convex import Ball, Box, FollowTheRegularizedLeader, MirrorDescent, OnlineGradientDescent, Reals, Simplex
from tests.convex import formulas
from tests.convex.broken import half
from tests.convex.formulas import Array, greedy, lazy
from tests.convex.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.convex.theorems import RADIUS, gradients, hold, horizons, in_ball, regression, regret_of, slopes


def falling(losses: Array, make: Make = OnlineGradientDescent, projection: str = "greedy") -> float:
    """Cesa-Bianchi 2023, Eq. (7), at all horizons; with lazy projection half of it (errata 42)."""
    V = slopes(losses)
    part = 1.0 if projection == "greedy" else 0.5
    return regret_of(
        make(Ball(RADIUS, V.shape[1]), projection=projection),
        V,
        0.0,
        lambda T: part * regret.projected_gradient_descent(RADIUS, 1.0, T),
    )


def squares(losses: Array, make: Make = OnlineGradientDescent) -> float:
    """Its bound for square loss: G = 4 U X^2, and so 8 (U X)^2 sqrt(2 T)."""
    X, y = regression(losses)
    player = make(Ball(RADIUS, X.shape[1]), gradient=4.0 * RADIUS)
    W = gradients(player, lambda w, t: 2.0 * (w @ X[t] - y[t]) * X[t], len(X))
    loss = ((W * X).sum(axis=1) - y) ** 2
    ratio = 0.0
    for T in horizons(len(X)):
        A, b = 2.0 * X[:T].T @ X[:T], -2.0 * X[:T].T @ y[:T]
        best = regret.best_in_ball(b, RADIUS, A).loss + float(y[:T] @ y[:T])
        ratio = hold(float(loss[:T].sum()) - best, 8.0 * RADIUS**2 * math.sqrt(2.0 * T), T)
    return ratio


def tuned(losses: Array, make: Make = OnlineGradientDescent, projection: str = "greedy") -> float:
    """Sharan lecture 19, Theorem 2: B rho sqrt(T) at the horizon that it was tuned for."""
    V = slopes(losses)
    player = make(Ball(RADIUS, V.shape[1]), projection=projection, horizon=len(V))
    return hold(float(player.run(V).loss.sum()) - in_ball(V), RADIUS * math.sqrt(len(V)), len(V))


def experts(losses: Array, make: Make = OnlineGradientDescent, projection: str = "greedy") -> float:
    """Sharan lecture 19, Corollary 3: sqrt(d T) on the simplex."""
    T, d = losses.shape
    player = make(Simplex(d), projection=projection, horizon=T, gradient=math.sqrt(d))
    return hold(float(player.run(losses).loss.sum() - losses.sum(axis=0).min()), math.sqrt(d * T), T)


def surrogate(losses: Array, make: Make = OnlineGradientDescent) -> float:
    """Kashima lecture 11, "Convex surrogate": the mistakes, on the surrogate of the Perceptron (errata 7)."""
    X = slopes(losses)
    T, d = X.shape
    y = np.where(X[:, 0] >= 0.0, 1.0, -1.0)
    y[::10] *= -1.0 if (X[:, 0] != X[0, 0]).any() else 1.0
    u = math.sqrt(d) * np.eye(d)[0]
    U = float(np.linalg.norm(u))
    player = make(Reals(d), rate=U / math.sqrt(2.0 * T), horizon=T)
    W = gradients(player, lambda w, t: -y[t] * X[t] if y[t] * (w @ X[t]) <= 0.0 else np.zeros(d), T)
    wrong = y * (W * X).sum(axis=1) <= 0.0
    hinge = float((np.maximum(0.0, 1.0 - y * (X @ u)) * wrong).sum())
    return hold(float(wrong.sum()), regret.surrogate(hinge, U, 1.0, T), T)


def diameters(G: Array, rate: float, D: float) -> float:
    most = float(np.linalg.norm(G, axis=1).max(initial=0.0))
    return (D * D / (2.0 * rate) + most * most * rate) * math.sqrt(len(G))


def fixed(G: Array, rate: float, most: float) -> float:
    return most / rate + rate / 2.0 * float((G**2).sum())


def lazily(G: Array, rate: float, most: float) -> float:
    t = np.arange(1, len(G) + 1)
    return most * math.sqrt(max(len(G), 1)) / rate + rate / 2.0 * float(((G**2).sum(axis=1) / np.sqrt(t)).sum())


def half_square(u: Array | None, norm: float, start: float = 0.0) -> float:
    return max(0.0, 0.5 * ((norm**2 if u is None else float(u @ u)) - start))


def edges(d: int) -> Box:
    return Box([-0.5] * d, [1.0] * d)


SPECIMEN = Specimen(
    OnlineGradientDescent,
    settings=(
        {"domain": Ball(2.0, 3)},
        {"domain": Ball(2.0, 1), "projection": "lazy"},
        {"domain": Simplex(4), "horizon": 30},
        {"domain": Simplex(1)},
        {"domain": Box([-1.0, 0.0, 2.0], np.array([1.0, 0.5, 3.0])), "rate": 0.3},
        {"domain": Box([-1.0], [-1.0])},
        {"domain": Box([0.0, 0.0], [0.0, 0.0]), "horizon": 5},
        {"domain": Reals(3), "rate": 0.1, "projection": "lazy", "horizon": 9},
    ),
    formulas={
        "ball": Formula(
            lambda V, c: greedy(V, formulas.ball(1.5), lambda t: 0.4 / math.sqrt(t)),
            lambda d: {"domain": Ball(1.5, d), "rate": 0.4},
        ),
        "box": Formula(
            lambda V, c: greedy(V, formulas.box(-0.5, 1.0), lambda t: math.sqrt(1.125 * V.shape[1] / t) / 3.0),
            lambda d: {"domain": edges(d), "gradient": 3.0},
        ),
        "simplex, squares": Formula(
            lambda V, c: greedy(V, formulas.simplex, lambda t: 1.0 / math.sqrt(50.0), 0.5),
            lambda d: {"domain": Simplex(d), "horizon": 50},
            curvature=0.5,
        ),
        "everywhere": Formula(
            lambda V, c: greedy(V, formulas.everywhere, lambda t: 0.1 / math.sqrt(t), c),
            lambda d: {"domain": Reals(d), "rate": 0.1},
            curvature=0.25,
        ),
        "lazy": Formula(
            lambda V, c: lazy(V, formulas.simplex, lambda t: 1.0 / (2.0 * math.sqrt(2.0 * t))),
            lambda d: {"domain": Simplex(d), "gradient": 2.0, "projection": "lazy"},
        ),
        "lazy, fixed": Formula(
            lambda V, c: lazy(V, formulas.ball(2.0), lambda t: 2.0 / math.sqrt(80.0)),
            lambda d: {"domain": Ball(2.0, d), "horizon": 80, "projection": "lazy"},
        ),
    },
    theorems={
        "falling": Theorem(falling),
        "falling, lazy": Theorem(partial(falling, projection="lazy")),
        "squares": Theorem(squares, rounds=1000, long=False),
        "tuned": Theorem(tuned),
        "tuned, lazy": Theorem(partial(tuned, projection="lazy"), bites=("sign", "memory", "rate")),
        "experts": Theorem(experts),
        "experts, lazy": Theorem(partial(experts, projection="lazy")),
        "surrogate": Theorem(surrogate, rounds=1000, long=False),
    },
    bounds={
        "ball": BoundFormula(lambda G, W, u: diameters(G, 0.4, 3.0), lambda: {"domain": Ball(1.5, 4), "rate": 0.4}),
        "box": BoundFormula(
            lambda G, W, u: diameters(G, 3.0 / math.sqrt(2.0), 3.0), lambda: {"domain": edges(4)}, curvature=0.5
        ),
        "simplex, fixed": BoundFormula(
            lambda G, W, u: fixed(G, 0.2, half_square(u, 1.0, 0.25)),
            lambda: {"domain": Simplex(4), "rate": 0.2, "horizon": 9},
        ),
        "everywhere, fixed": BoundFormula(
            lambda G, W, u: fixed(G, 0.2, half_square(u, math.inf)),
            lambda: {"domain": Reals(4), "rate": 0.2, "horizon": 9},
        ),
        "lazy": BoundFormula(
            lambda G, W, u: lazily(G, 0.4, half_square(u, 2.0)),
            lambda: {"domain": Ball(2.0, 4), "rate": 0.4, "projection": "lazy"},
        ),
        "lazy, fixed": BoundFormula(
            lambda G, W, u: fixed(G, 2.0 / math.sqrt(50.0), half_square(u, 2.0)),
            lambda: {"domain": Ball(2.0, 4), "horizon": 50, "projection": "lazy"},
        ),
    },
)


def test_new_axes_attain_the_bound() -> None:
    """Each round a slope along an axis of its own: nobody can lose less than 0, and the best point loses -U sqrt(T)."""
    V = np.eye(400)
    for projection in ("greedy", "lazy"):
        assert tuned(0.5 + 10.0 * V, projection=projection) == pytest.approx(1.0)


@pytest.mark.parametrize(("way_back", "nearest"), [(200, 0.82), (375, 0.5)])
def test_hovering_and_the_way_back_come_near_the_bound_of_falling_steps(way_back: int, nearest: float) -> None:
    """In one coordinate: away to one edge, to and fro there, and back to the other. Half the rate is not in time."""
    T = 20_000
    V = np.where(np.arange(T) % 2 == 0, -1.0, 1.0)[:, None]
    V[:8], V[T - way_back :] = 1.0, -1.0
    bound = regret.projected_gradient_descent(1.0, 1.0, T)
    assert nearest * bound <= OnlineGradientDescent(Ball(1.0, 1)).run(V).regret <= bound
    if way_back == 375:
        assert half(OnlineGradientDescent)(Ball(1.0, 1)).run(V).regret > 1.05 * bound


def test_without_a_domain_and_a_rate_nothing_is_the_best() -> None:
    with pytest.raises(ValueError, match=r"on all of R\^d no rate is the best"):
        OnlineGradientDescent(Reals(2))
    player = OnlineGradientDescent(Reals(2), rate=0.5)
    assert "no bound holds for all points" in str(player.regret_bound().reason)
    assert "asks for a bounded domain" in str(player.regret_bound([1.0, 1.0]).reason)


def test_subgradients_of_a_kink() -> None:
    """|w - 1/3| by its sign: it stays near the kink, where any slope from -1 to 1 is a subgradient."""
    player = OnlineGradientDescent(Ball(1.0, 1))
    W = gradients(player, lambda w, t: np.sign(w - 1.0 / 3.0), 5000)
    assert np.abs(W - 1.0 / 3.0).sum() <= player.regret_bound().value
    assert abs(W[-1, 0] - 1.0 / 3.0) < 0.05


def test_fixed_steps_are_mirror_descent_and_the_regularised_leader() -> None:
    V = np.random.default_rng(2).normal(size=(300, 4))
    rate = 1.0 / math.sqrt(70.0)
    for projection, other in (("greedy", MirrorDescent), ("lazy", FollowTheRegularizedLeader)):
        player = OnlineGradientDescent(Simplex(4), projection=projection, horizon=70)
        assert np.array_equal(player.run(V, keep="points").points, other(Simplex(4), rate).run(V, keep="points").points)
