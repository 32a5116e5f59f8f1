"""Logistic loss."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.special import wrightomega

from afterwit import losses
from afterwit.losses import Logistic
from tests.losses.specimen import Specimen


def invariant(p: float, y: float, step: float, a: float) -> float:
    if step * a < 1e-6:
        return step * y / (1.0 + math.exp(y * p))
    # omega + ln omega = z is Wright's omega function of z
    return float(y * math.log(wrightomega(step * a + y * p + math.exp(y * p)).real) - p) / a


SPECIMEN = Specimen(
    names=["logistic"],
    labels="binary",
    value=lambda p, y: np.logaddexp(0.0, -y * p),
    derivative=lambda p, y: -y * np.exp(-np.logaddexp(0.0, y * p)),
    invariant=invariant,
    smoothness=0.25,
    curvature=lambda bound: min(1.0 / (8.0 * bound), math.exp(-bound)) / 2.0,
    clip=lambda low, high: (-50.0, 50.0),
    slack=40,
)


def test_logistic_far_from_its_bend() -> None:
    loss = losses.Logistic()
    assert loss.value(-1e3, 1.0) == 1e3
    assert loss.value(1e3, 1.0) == 0.0
    assert loss.derivative(-1e30, 1.0) == -1.0
    assert loss.derivative(40.0, 1.0) == pytest.approx(-math.exp(-40), rel=1e-15)
    # From -1000 the margin needs 1000 to come to 0, and then grows as the logarithm of what is left.
    assert loss.invariant(-1e3, 1.0, 2e3, 1.0) == pytest.approx(1e3 + math.log(1e3), abs=0.01)
    assert loss.invariant(-1e3, 1.0, 500.0, 1.0) == 500.0
    assert loss.invariant(-10.0, 1.0, 1e150, 1.0) == pytest.approx(10 + 150 * math.log(10), abs=1e-9)
    # Where k e^1000 is no double, and where 1/a is none.
    assert loss.invariant(-600.0, 1.0, 1e200, 1.0) == pytest.approx(600 + 200 * math.log(10), abs=1e-9)
    assert loss.invariant(0.3, 1.0, 2.0, 1e-310) == pytest.approx(-2.0 * loss.derivative(0.3, 1.0), rel=1e-9)


@pytest.mark.parametrize("z", [-300.0, -20.0, -15.9, -8.3, -2.0, -0.4, 0.0, 0.7, 3.1, 4.69, 4.8, 12.0, 50.0])
def test_the_invariant_step_of_logistic_loss_in_forty_digits(z: float) -> None:
    """The root d of d + e^z (e^d - 1) = k, whatever way it is found: as a series, from the table, or step by step."""
    with localcontext() as digits:
        digits.prec = 40
        e = Decimal(z).exp()
        for k in np.concatenate([10.0 ** np.arange(-12.0, 4.0), np.geomspace(0.003, 300, 40)]).tolist():
            d = min(Decimal(k) / (1 + e), (1 + Decimal(k) / e).ln())
            for _ in range(12):
                d -= (d + e * (d.exp() - 1) - Decimal(k)) / (1 + e * d.exp())
            assert losses.Logistic().invariant(z, 1.0, k, 1.0) == pytest.approx(float(d), rel=1e-10), k


def test_curvature_where_the_bound_is_tiny_or_zero() -> None:
    """At p = 0 the formula's 1/2."""
    assert [Logistic().curvature(bound) for bound in (1e-200, 0.0)] == [0.5, 0.5]
    for bound in (0.01, 0.1249, 0.125, 0.1251, 1.0, 5.0):
        assert Logistic().curvature(bound) == min(1.0 / (8.0 * bound), math.exp(-bound)) / 2.0
