"""The best point of a ball against a search, hard cases and scales; risks by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from afterwit import regret

RNG = np.random.default_rng(8)


def checked(b: Any, radius: float, A: Any) -> regret.BallPoint:
    """The found one, if it is the least: A u + m u = -b for an m >= 0, which is 0 inside the ball."""
    found = regret.best_in_ball(b, radius, A)
    u, size = found.u, float(np.linalg.norm(found.u))
    assert size <= radius * (1.0 + 1e-12)
    slope = A @ u + b
    scale = float(np.abs(b).max()) + float(np.abs(A).max()) * radius
    m = max(0.0, -float(slope @ u) / size**2) if size >= radius * (1.0 - 1e-9) else 0.0
    np.testing.assert_allclose(slope + m * u, 0.0, atol=1e-9 * scale)
    assert found.loss == pytest.approx(b @ u + 0.5 * u @ A @ u, rel=1e-9, abs=1e-9 * scale * radius)
    return found


@pytest.mark.parametrize("rank", [0, 1, 3, 5])
@pytest.mark.parametrize("radius", [1e-6, 0.3, 2.0, 1e6])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_the_conditions_of_the_least_hold(rank: int, radius: float, scale: float) -> None:
    for _ in range(5):
        X = RNG.normal(size=(rank, 5))
        checked(scale * RNG.normal(size=5), radius, scale * X.T @ X)
        checked(scale * X.T @ RNG.normal(size=rank) if rank else np.zeros(5), radius, scale * X.T @ X)


def test_of_several_it_is_the_shortest() -> None:
    """Along a flat axis nothing pulls but rounding."""
    for _ in range(20):
        X = RNG.normal(size=(3, 5))
        b = X.T @ RNG.normal(size=3)
        np.testing.assert_allclose(
            regret.best_in_ball(b, 1e6, X.T @ X).u, -np.linalg.pinv(X.T @ X) @ b, rtol=1e-6, atol=1e-9
        )


def test_a_search_finds_none_better() -> None:
    for radius in (0.1, 1.0, 10.0):
        X, y = RNG.normal(size=(30, 4)), RNG.normal(size=30)
        found = regret.best_in_ball(-2.0 * X.T @ y, radius, 2.0 * X.T @ X)
        inside = {"type": "ineq", "fun": lambda u, r=radius: r**2 - u @ u}
        other = minimize(lambda u, X=X, y=y: ((X @ u - y) ** 2).sum(), np.zeros(4), constraints=[inside])
        assert ((X @ found.u - y) ** 2).sum() <= other.fun * (1.0 + 1e-6)
        assert found.loss + y @ y == pytest.approx(((X @ found.u - y) ** 2).sum())


def test_it_is_the_best_linear_predictor_of_square_loss() -> None:
    X, y = RNG.normal(size=(50, 3)), RNG.normal(size=50)

    def total(u: Any, width: float) -> Any:
        p = X @ u - y
        return float(p @ p), float(p @ p), 2.0 * X.T @ p

    from afterwit.regret.linear import best_linear_predictor
    from afterwit.regret.units import Moments

    moments = Moments(50.0, X.sum(axis=0), (X**2).sum(axis=0))
    for radius in (0.05, 0.2, 5.0):
        u = best_linear_predictor(total, moments, 3, kinked=False, radius=radius).u
        np.testing.assert_allclose(regret.best_in_ball(-2.0 * X.T @ y, radius, 2.0 * X.T @ X).u, u, atol=1e-5)


def test_of_flat_and_hard_cases() -> None:
    assert regret.best_in_ball([0.0, 0.0], 2.0).u.tolist() == [0.0, 0.0]
    assert regret.best_in_ball([0.0, 0.0], 2.0, [[1.0, 0.0], [0.0, 0.0]]).u.tolist() == [0.0, 0.0]
    # The pull along a flat axis leads to the edge, that along the other is met inside.
    found = checked(np.array([-1.0, -1e-3]), 5.0, np.diag([1.0, 0.0]))
    assert np.linalg.norm(found.u) == pytest.approx(5.0)
    assert regret.best_in_ball([3.0], 2.0).u.tolist() == [-2.0]
    assert regret.best_in_ball([3.0], 2.0, 3.0).u.tolist() == [-1.0]
    assert regret.best_in_ball([1e-300, 0.0], 1.0).u.tolist() == [-1.0, 0.0]
    assert regret.best_in_ball([1e300, 1e300], 1.0).u.tolist() == pytest.approx([-math.sqrt(0.5)] * 2)


def test_risks_by_hand() -> None:
    assert regret.sequential_risk([]).tolist() == []
    assert regret.sequential_risk([2.0, 4.0, 0.0]).tolist() == [2.0, 3.0, 2.0]
    assert regret.average_regret([2.0, 4.0, 0.0], [1.0, 1.0, 1.0]).tolist() == [1.0, 2.0, 1.0]
    losses = RNG.random(1000)
    assert regret.sequential_risk(losses)[-1] == pytest.approx(losses.mean())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regret.best_in_ball([1.0], 0.0), "radius is `0.0`, expected a positive number"),
        (lambda: regret.best_in_ball([math.nan], 1.0), "linear must be a vector of finite numbers"),
        (lambda: regret.best_in_ball([[1.0]], 1.0), "linear must be a vector of finite numbers"),
        (lambda: regret.best_in_ball([1.0], 1.0, [[1.0, 2.0]]), r"quadratic has the shape \(1, 2\)"),
        (lambda: regret.best_in_ball([1.0, 1.0], 1.0, [[1.0, 2.0], [0.0, 1.0]]), "quadratic is not symmetric"),
        (
            lambda: regret.best_in_ball([1.0, 1.0], 1.0, [[1.0, 0.0], [0.0, -1.0]]),
            "has the curvature -1, expected none",
        ),
        (lambda: regret.best_in_ball([1.0], 1.0, -2.0), "has the curvature -2, expected none"),
        (lambda: regret.sequential_risk([1.0, math.inf]), r"loss\[1\] is `inf`, expected a finite number"),
        (lambda: regret.sequential_risk(1.0), "loss has 0 dimensions, expected 1"),
        (lambda: regret.average_regret([1.0], [1.0, 2.0]), r"competitor has 2 entries, expected 1 \(one per round\)"),
    ],
)
def test_what_is_wrong_says_so(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
