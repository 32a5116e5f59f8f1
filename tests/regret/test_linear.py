"""The units in which the best linear predictor is looked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import expit
from sklearn.datasets import load_breast_cancer

from afterwit.regret.linear import LinearPredictor, best_linear_predictor
from afterwit.regret.units import Moments, Units

Array = np.ndarray[Any, np.dtype[np.float64]]


@pytest.mark.parametrize("intercept", [None, 2])
@pytest.mark.parametrize("ridge", [0.0, 1e-6, 3.0, 1e6])
def test_units_change_nothing_but_the_coordinates(intercept: int | None, ridge: float) -> None:
    rng = np.random.default_rng(0)
    X, h = rng.normal(size=(50, 4)) * [1e-3, 1.0, 1.0, 1e3] + [0.0, 50.0, 0.0, -1e4], rng.random(50)
    X[:, 2] = 1.0
    units = Units(Moments(float(h.sum()), h @ X, h @ X**2, intercept), ridge)
    u, g = rng.normal(size=8), rng.normal(size=8)  # two problems
    v = units.of(u)
    np.testing.assert_allclose(units.weights(v), u, rtol=1e-9, atol=1e-9)
    step = rng.normal(size=8)
    assert units.gradient(g) @ step == pytest.approx(g @ units.weights(step), rel=1e-9)


@pytest.mark.parametrize("ridge", [0.0, 3.0])
def test_least_squares_in_one_feature_and_an_intercept_is_round(ridge: float) -> None:
    rng = np.random.default_rng(1)
    X, h = np.column_stack([5.0 + 0.01 * rng.normal(size=40), np.ones(40)]), rng.random(40)
    units = Units(Moments(float(h.sum()), h @ X, h @ X**2, 1), ridge)
    hessian = (X.T * h) @ X + ridge * np.eye(2)
    T = np.column_stack([units.weights(e) for e in np.eye(2)])
    assert T.T @ hessian @ T / h.sum() == pytest.approx(np.eye(2), abs=1e-6)


def test_no_evaluation_is_refused() -> None:
    moments = Moments(1.0, np.ones(1), np.ones(1))
    with pytest.raises(ValueError, match="evaluations is 0, expected 1 or more"):
        best_linear_predictor(lambda u, width: (0.0, 0.0, u), moments, 1, kinked=False, evaluations=0)


@pytest.mark.parametrize("radius", [1.0, 10.0, 100.0])
def test_hinge_of_raw_features_in_a_ball_is_near_a_linear_program_around_it(radius: float) -> None:
    """On the inner side of the plane that touches the ball in u no loss is below that of u: so none is in the ball."""
    X, codes = load_breast_cancer(return_X_y=True)
    A = np.column_stack([X, np.ones(len(X))]) * (2.0 * codes - 1.0)[:, None]
    T, N = A.shape

    def curved(u: Array, width: float) -> tuple[float, float, Array, Array]:
        z = 1.0 - A @ u
        loss = float(np.maximum(z, 0.0).sum())
        if width == 0.0:
            return loss, loss, -A.T @ (z > 0.0), np.zeros((1, N, N))
        s = expit(z / width)
        rounded = width * float(np.logaddexp(0.0, z / width).sum())
        return loss, rounded, -A.T @ s, ((A.T * (s * (1.0 - s) / width)) @ A)[None]

    moments = Moments(float(T), A.sum(axis=0), (A**2).sum(axis=0))
    found = best_linear_predictor(
        lambda u, width: curved(u, width)[:3], moments, N, kinked=True, radius=radius, curved=curved
    )
    assert np.linalg.norm(found.u) <= radius * (1.0 + 1e-12)
    assert found.evaluations < 250

    sides = np.vstack([-np.hstack([A, np.eye(T)]), np.append(found.u / np.linalg.norm(found.u), np.zeros(T))])
    cost, limits = np.append(np.zeros(N), np.ones(T)), np.append(-np.ones(T), radius)
    bounds = [(-radius, radius)] * N + [(0.0, None)] * T
    least = linprog(cost, A_ub=sides, b_ub=limits, bounds=bounds).fun
    assert least * (1 - 1e-9) <= found.loss <= least * (1 + 1e-5)


@pytest.mark.parametrize("radius", [None, 2.0, 20.0])
@pytest.mark.parametrize("newtons", [True, False])
def test_an_end_before_the_best_is_not_called_exact(radius: float | None, newtons: bool) -> None:
    """The best of the first ball is at its edge, that of the second inside."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(60, 8)) + rng.normal(size=(60, 1))
    y = np.sign(A @ rng.normal(size=8) + rng.normal(size=60))

    def curved(u: Array, width: float) -> tuple[float, float, Array, Array]:
        z = -y * (A @ u)
        s, loss = expit(z), float(np.logaddexp(0.0, z).sum())
        return loss, loss, -A.T @ (y * s), ((A.T * (s * (1.0 - s))) @ A)[None]

    def found(evaluations: int) -> LinearPredictor:
        return best_linear_predictor(
            lambda u, width: curved(u, width)[:3],
            Moments(60.0, A.sum(axis=0), (A**2).sum(axis=0)),
            8,
            kinked=False,
            radius=radius,
            evaluations=evaluations,
            curved=curved if newtons else None,
        )

    best = found(1000)
    assert best.exact
    assert radius is None or (np.linalg.norm(best.u) < 0.99 * radius) == (radius == 20.0)
    early = [found(evaluations) for evaluations in range(1, best.evaluations, 4 - 3 * newtons)]
    for each in early:
        assert not each.exact or each.loss <= best.loss * (1.0 + 2e-6)
    assert sum(not each.exact for each in early) > 3
