"""Squared loss (p - y)^2."""

from __future__ import annotations

import math

from afterwit._core import squared
from afterwit.losses.loss import Loss


class Squared(Loss, name="squared"):
    """Squared loss (p - y)^2.

    >>> Squared().value(1.0, 3.0), Squared().derivative(1.0, 3.0)
    (4.0, -4.0)
    """

    labels = "real"
    smoothness = 2.0

    def __init__(self) -> None:
        super().__init__(squared())

    def lipschitz(self, bound: float) -> float | None:
        return 4.0 * bound

    def curvature(self, bound: float) -> float | None:
        square = 8.0 * bound**2
        return 1.0 / square if square > 0.0 else math.inf  # one point, on which any sigma will do
