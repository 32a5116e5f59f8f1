"""Absolute loss |p - y|."""

from __future__ import annotations

from afterwit._core import Absolute as CoreAbsolute


class Absolute(CoreAbsolute):
    """Absolute loss |p - y|.

    >>> Absolute().value(1.0, 3.0)
    2.0
    """

    labels = "real"
    smoothness: float | None = None

    def lipschitz(self, bound: float) -> float | None:
        return 1.0

    def curvature(self, bound: float) -> float | None:
        return None

    def __str__(self) -> str:
        return "absolute"
