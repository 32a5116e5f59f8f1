"""Losses: derivatives against differences, invariant steps against small ones, and the constants of the theorems."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit import losses
from afterwit._core import squared
from afterwit.losses import Loss
from tests.losses import specimen

NAMES = [name for each in specimen.every().values() for name in (*each.names, *each.extreme)]
every_loss = pytest.mark.parametrize("loss", [losses.get(name) for name in NAMES], ids=NAMES)


def labels(loss: Loss) -> list[float]:
    return [-1.0, 1.0] if loss.labels == "binary" else [-2.5, 0.0, 0.7, 3.0]


def kinks(loss: Loss, y: float) -> list[float]:
    """Where the derivative jumps or bends."""
    return specimen.of(str(loss))[0].kinks(y)


@every_loss
def test_a_loss_is_its_formula(loss: Loss) -> None:
    name, (expected, parameter) = str(loss), specimen.of(str(loss))
    assert (loss.labels, loss.smoothness) == (expected.labels, expected.smoothness)
    grid = np.linspace(-6.0, 6.0, 49)
    for y in labels(loss):
        every = np.full_like(grid, y)
        np.testing.assert_allclose(loss.value(grid, every), expected.value(grid, every, *parameter), rtol=1e-13)
        np.testing.assert_allclose(loss.derivative(grid, every), specimen.derivative(name, grid, every), rtol=1e-13)
        for p in grid.tolist():
            for step, a in ((0.1, 0.5), (1.0, 2.0), (3.0, 0.01)):
                found = loss.invariant(p, y, step, a)
                assert found == pytest.approx(specimen.invariant(name, p, y, step, a), rel=1e-9, abs=1e-12)
    for bound in (0.01, 0.25, 1.0, 5.0):
        assert loss.curvature(bound) == expected.curvature(bound)


@every_loss
def test_the_derivative_is_a_limit_of_differences(loss: Loss) -> None:
    """Central differences; at a kink it lies between the slopes on either side."""
    h = 1e-6
    for y in labels(loss):
        for p in [*np.linspace(-4, 4, 41).tolist(), *kinks(loss, y)]:
            left = (loss.value(p, y) - loss.value(p - h, y)) / h
            right = (loss.value(p + h, y) - loss.value(p, y)) / h
            found = loss.derivative(p, y)
            if min((abs(p - kink) for kink in kinks(loss, y)), default=1.0) > 2 * h:
                assert found == pytest.approx((left + right) / 2, abs=1e-8)
            assert left - 1e-5 <= found <= right + 1e-5


@every_loss
def test_convex_and_not_negative(loss: Loss) -> None:
    grid = np.linspace(-5, 5, 201)
    for y in labels(loss):
        value, slope = (f(grid, np.full_like(grid, y)) for f in (loss.value, loss.derivative))
        assert (value >= 0).all()
        assert (np.diff(slope) >= 0).all()
        tangents = value[:, None] + slope[:, None] * (grid[None, :] - grid[:, None])
        assert (value[None, :] >= tangents - 1e-12).all()
        assert value.tolist() == [loss.value(p, y) for p in grid.tolist()]
        assert slope.tolist() == [loss.derivative(p, y) for p in grid.tolist()]


@every_loss
@pytest.mark.parametrize("a", [0.01, 1.0, 30.0])
def test_the_invariant_step_is_many_small_ones(loss: Loss, a: float) -> None:
    for y in labels(loss):
        for p in (-3.0, -0.5, 0.0, 0.9, 2.0):
            for step in (1e-3, 0.1, 1.0):
                moved, rounds = p, 4000
                size = step * a / rounds
                for _ in range(rounds):
                    # By the slope in the middle of each, so that the error falls with their square.
                    half = moved - 0.5 * size * loss.derivative(moved, y)
                    moved -= size * loss.derivative(half, y)
                u = loss.invariant(p, y, step, a)
                assert p + a * u == pytest.approx(moved, rel=1e-6, abs=2 * size + 1e-9)


@every_loss
def test_two_invariant_steps_are_one_of_their_sum(loss: Loss) -> None:
    for y in labels(loss):
        for p in (-60.0, -3.0, 0.0, 0.9, 4.0, 50.0):
            for first, second in ((0.1, 0.2), (5.0, 0.01), (100.0, 1e4)):
                half = p + 2.0 * loss.invariant(p, y, first, 2.0)
                whole = p + 2.0 * loss.invariant(p, y, first + second, 2.0)
                again = half + 2.0 * loss.invariant(half, y, second, 2.0)
                assert again == pytest.approx(whole, rel=1e-9, abs=1e-9)
        assert loss.invariant(0.3, y, 0.0, 2.0) == 0.0


@every_loss
@pytest.mark.parametrize("bound", [0.1, 0.5, 1.0, 2.0, 5.0])
def test_constants(loss: Loss, bound: float) -> None:
    """lipschitz bounds the slopes and smoothness the curvature, and neither by far too much."""
    grid = np.linspace(-bound, bound, 81)
    targets = [-1.0, 1.0] if loss.labels == "binary" else [-bound, 0.3 * bound, bound]
    slopes = np.array([[loss.derivative(p, y) for p in grid.tolist()] for y in targets])
    lipschitz = loss.lipschitz(bound)
    assert lipschitz is not None
    assert np.abs(slopes).max() <= lipschitz * (1 + 1e-12)
    assert np.abs(slopes).max() >= 0.5 * lipschitz
    if loss.smoothness is not None:
        seconds = np.diff(slopes, axis=1) / np.diff(grid)
        assert seconds.max() <= loss.smoothness * (1 + 1e-9)
        assert seconds.max() >= 0.9 * loss.smoothness


def curvature_room(loss: Loss, bound: float, sigma: float) -> float:
    """The smallest loss(b) - loss(a) - loss'(a)(b - a) - (sigma/2)(loss'(a)(b - a))^2 over |a|, |b|, |y| <= bound."""
    grid = np.linspace(-bound, bound, 101)
    a, b = (part.ravel() for part in np.meshgrid(grid, grid))
    room = math.inf
    for target in [-1.0, 1.0] if loss.labels == "binary" else [-bound, 0.0, bound]:
        y = np.full_like(a, target)
        linear = loss.derivative(a, y) * (b - a)
        room = min(room, float(np.min(loss.value(b, y) - loss.value(a, y) - linear - sigma / 2 * linear**2)))
    return room


@every_loss
@pytest.mark.parametrize("bound", [0.25, 1.0, 2.0, 5.0])
def test_curvature(loss: Loss, bound: float) -> None:
    sigma = loss.curvature(bound)
    if sigma is None:
        # A loss with straight pieces has none: any sigma fails.
        assert curvature_room(loss, max(bound, 1.0), 1e-6) < 0
        return
    assert sigma > 0
    assert curvature_room(loss, bound, sigma) >= -1e-13
    assert curvature_room(loss, bound, specimen.of(str(loss))[0].slack * sigma) < -1e-13


@every_loss
@pytest.mark.parametrize("p", [1e3, -1e3, 1e30, -1e30, 1e-300, 0.0, -0.0])
def test_extreme_margins(loss: Loss, p: float) -> None:
    for y in labels(loss):
        value, slope = loss.value(p, y), loss.derivative(p, y)
        assert math.isfinite(value)
        assert value >= 0
        assert math.isfinite(slope)
        for step, a in ((1.0, 1.0), (1e-30, 1e30), (1e30, 1e-30), (1e4, 1.0)):
            u = loss.invariant(p, y, step, a)
            assert math.isfinite(u)
            after = loss.value(p + a * u, y)
            assert after <= value * (1 + 1e-12)
            if slope:
                assert u * slope <= 0


def test_get() -> None:
    for name in specimen.names():
        loss = losses.get(name)
        assert losses.get(loss) is loss
        assert str(losses.get(str(loss))) == str(loss) == name
    for wrong in ("", "squares", "hinge:", "hinge:2", "Squared", "logistic:0.5", "lad"):
        with pytest.raises(ValueError, match=r"loss is `.*`, expected one of squared, .*, quantile:LEVEL"):
            losses.get(wrong)
    for wrong in (None, 3, squared(), losses.Squared):
        with pytest.raises(TypeError, match="expected a name such as `logistic`"):
            losses.get(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="same length"):
        losses.Squared().value(np.zeros(2), np.zeros(3))


@every_loss
def test_at_a_kink_the_derivative_is_zero(loss: Loss) -> None:
    for y in labels(loss):
        for kink in kinks(loss, y):
            assert loss.derivative(kink, y) == loss.value(kink, y) == 0.0
            assert loss.derivative(kink - 1e-9, y) != 0.0 or loss.derivative(kink + 1e-9, y) != 0.0


@every_loss
@pytest.mark.parametrize("step", [1e-9, 1e-17, 1e-30])
def test_a_tiny_invariant_step_is_a_gradient_step(loss: Loss, step: float) -> None:
    """No digit is lost where 1 - exp(-step) would lose them."""
    for y in labels(loss):
        for p in (-3.0, -0.5, 0.25, 2.0):
            gradient = -step * loss.derivative(p, y)
            assert loss.invariant(p, y, step, 0.7) == pytest.approx(gradient, rel=5.0 * step + 1e-13, abs=0.0)
