"""Logistic loss ln(1 + exp(-y p)) for labels -1 and +1."""

from __future__ import annotations

import math

from afterwit._core import logistic
from afterwit.losses.loss import Loss


class Logistic(Loss, name="logistic"):
    """Logistic loss ln(1 + exp(-y p)) for labels -1 and +1.

    >>> round(Logistic().value(0.0, 1.0), 6)
    0.693147
    """

    labels = "binary"
    smoothness = 0.25

    def __init__(self) -> None:
        super().__init__(logistic())

    def lipschitz(self, bound: float) -> float | None:
        return 1.0

    def curvature(self, bound: float) -> float | None:
        return min(1.0 / max(8.0 * bound, 1.0), math.exp(-bound)) / 2.0  # 1 is the larger of the two anyway
