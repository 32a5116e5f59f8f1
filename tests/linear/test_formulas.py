"""Every linear learner equals its formula, stays in its ball, and where it is invariant to scale nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

from afterwit.linear import AdaGrad, GradientDescent
from tests.linear import formula_checks, formulas
from tests.linear.formula_checks import FEATURES, LOSSES


@pytest.mark.parametrize("name", formula_checks.EVERY)
def test_the_learner_is_its_formula(name: str) -> None:
    formula_checks.EVERY[name]()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("p", "y"), [(0.3, 1.0), (-2.0, 1.0), (0.999, -1.0), (3.0, 1.0), (0.0, -1.0)])
@pytest.mark.parametrize("step", [1e-4, 0.25, 4.0])
def test_the_invariant_step_is_the_limit_of_small_ones(loss: str, p: float, y: float, step: float) -> None:
    small = formulas.many_small_steps(loss, p, y, step, a=0.5)
    closed = formulas.invariant_step(loss, p, y, step, a=0.5) if formulas.derivative(loss, p, y) else 0.0  # type: ignore[arg-type]
    assert closed == pytest.approx(small, rel=2e-3, abs=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("radius", [1e-3, 1.0, 30.0])
def test_the_ball_is_never_left(loss: str, radius: float) -> None:
    X, y, h = formulas.sparse_rows(2000, 10, seed=1)
    model = GradientDescent(rate=2.0, radius=radius, loss=loss, features=FEATURES)
    touched = 0
    for t in range(len(X)):
        model.learn_one(X[t], y[t], h[t])
        norm = np.linalg.norm(list(model.coef().values())) if t % 5 == 0 else 0.0
        assert norm <= radius * (1.0 + 1e-6)
        touched += norm >= radius * (1.0 - 1e-6)
    assert touched > 10 or radius == 30.0  # otherwise this would show nothing


@pytest.mark.parametrize("loss", LOSSES)
def test_rescaling_by_powers_of_two_changes_no_bit(loss: str) -> None:
    X, y, h = formulas.sparse_rows(2000, 30, seed=2)
    factors = 2.0 ** np.random.default_rng(3).integers(-20, 21, size=30)  # beyond, some products leave single precision
    plain = AdaGrad(normalized=True, loss=loss, features=FEATURES).learn_many(X, y, h)
    scaled = AdaGrad(normalized=True, loss=loss, features=FEATURES).learn_many(X * factors, y, h)
    assert np.abs(plain).max() > 0.1
    np.testing.assert_array_equal(scaled, plain)


@pytest.mark.parametrize("loss", LOSSES)
def test_rescaling_by_any_factor_changes_nothing_but_rounding(loss: str) -> None:
    X, y, h = formulas.sparse_rows(2000, 30, seed=4)
    factors = 10.0 ** np.random.default_rng(5).uniform(-12.0, 12.0, size=30)
    plain = AdaGrad(normalized=True, loss=loss, features=FEATURES).learn_many(X, y, h)
    scaled = AdaGrad(normalized=True, loss=loss, features=FEATURES).learn_many(X * factors, y, h)
    np.testing.assert_allclose(scaled, plain, rtol=2e-5, atol=2e-5)


def test_plain_adagrad_is_not_invariant() -> None:
    """The control of the two tests above."""
    X, y, h = formulas.sparse_rows(200, 30, seed=2)
    plain = AdaGrad(features=FEATURES).learn_many(X, y, h)
    assert np.abs(AdaGrad(features=FEATURES).learn_many(1024.0 * X, y, h) - plain).max() > 1.0
