"""Logistic loss ln(1 + exp(-y p)) for labels -1 and +1."""

from __future__ import annotations

import math

from afterwit._core import Logistic as CoreLogistic


class Logistic(CoreLogistic):
    """Logistic loss ln(1 + exp(-y p)) for labels -1 and +1.

    >>> round(Logistic().value(0.0, 1.0), 6)
    0.693147
    """

    labels = "binary"
    smoothness: float | None = 0.25

    def lipschitz(self, bound: float) -> float | None:
        return 1.0

    def curvature(self, bound: float) -> float | None:
        return min(1.0 / max(8.0 * bound, 1.0), math.exp(-bound)) / 2.0  # 1 is the larger of the two anyway

    def __str__(self) -> str:
        return "logistic"
