"""The units in which the best linear predictor is looked for."""

from __future__ import annotations

import numpy as np
import pytest

from afterwit.regret.linear import Moments, Units, best_linear_predictor


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
        best_linear_predictor(lambda u, width: (0.0, 0.0, u), moments, 1, 1, kinked=False, evaluations=0)
