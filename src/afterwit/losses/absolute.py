"""Absolute loss |p - y|."""

from __future__ import annotations

from afterwit._core import absolute
from afterwit.losses.loss import Loss


class Absolute(Loss, name="absolute"):
    """Absolute loss |p - y|.

    >>> Absolute().value(1.0, 3.0)
    2.0
    """

    labels = "real"

    def __init__(self) -> None:
        super().__init__(absolute())

    def lipschitz(self, bound: float) -> float | None:
        return 1.0

    def slopes(self) -> tuple[float, float] | None:
        return -1.0, 1.0
