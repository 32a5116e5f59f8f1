"""Squared loss (p - y)^2."""

from __future__ import annotations

import math

from afterwit._core import Squared as CoreSquared


class Squared(CoreSquared):
    """Squared loss (p - y)^2.

    >>> Squared().value(1.0, 3.0), Squared().derivative(1.0, 3.0)
    (4.0, -4.0)
    """

    labels = "real"
    smoothness: float | None = 2.0

    def lipschitz(self, bound: float) -> float | None:
        return 4.0 * bound

    def curvature(self, bound: float) -> float | None:
        square = 8.0 * bound**2
        return 1.0 / square if square > 0.0 else math.inf  # one point, on which any sigma will do

    def __str__(self) -> str:
        return "squared"
