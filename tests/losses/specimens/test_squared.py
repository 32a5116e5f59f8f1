"""Squared loss."""

from __future__ import annotations

import math

from afterwit.losses import Squared
from tests.losses.specimen import Specimen

SPECIMEN = Specimen(
    names=["squared"],
    labels="real",
    value=lambda p, y: (p - y) ** 2,
    derivative=lambda p, y: 2.0 * (p - y),
    invariant=lambda p, y, step, a: (y - p) * (1.0 - math.exp(-2.0 * step * a)) / a,
    smoothness=2.0,
    curvature=lambda bound: 1.0 / (8.0 * bound**2),
    clip=lambda low, high: (low, high),
    slack=1.01,
)


def test_curvature_where_the_bound_is_tiny_or_zero() -> None:
    """Any sigma holds where p and y are 0."""
    assert [Squared().curvature(bound) for bound in (2.0**-400, 1e-200, 0.0)] == [2.0**797, math.inf, math.inf]
