"""Hinge loss max(0, 1 - y p) for labels -1 and +1."""

from __future__ import annotations

from afterwit._core import hinge
from afterwit.losses.loss import Loss


class Hinge(Loss, name="hinge"):
    """Hinge loss max(0, 1 - y p) for labels -1 and +1.

    >>> Hinge().value(0.25, 1.0)
    0.75
    """

    labels = "binary"

    def __init__(self) -> None:
        super().__init__(hinge())

    def lipschitz(self, bound: float) -> float | None:
        return 1.0
