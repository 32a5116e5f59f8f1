"""Hinge loss max(0, 1 - y p) for labels -1 and +1."""

from __future__ import annotations

from afterwit._core import Hinge as CoreHinge


class Hinge(CoreHinge):
    """Hinge loss max(0, 1 - y p) for labels -1 and +1.

    >>> Hinge().value(0.25, 1.0)
    0.75
    """

    labels = "binary"
    smoothness: float | None = None

    def lipschitz(self, bound: float) -> float | None:
        return 1.0

    def curvature(self, bound: float) -> float | None:
        return None

    def __str__(self) -> str:
        return "hinge"
