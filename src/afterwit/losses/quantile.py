"""Quantile (pinball) loss."""

from __future__ import annotations

from afterwit._core import Quantile as CoreQuantile


class Quantile(CoreQuantile):
    """Quantile loss tau (y - p) below the label and (1 - tau)(p - y) above it; its minimum is the tau-quantile.

    >>> Quantile(0.9).value(1.0, 3.0)
    1.8
    """

    labels = "real"
    smoothness: float | None = None

    def __init__(self, tau: float) -> None:
        if not 0.0 < tau < 1.0:
            raise ValueError(f"tau is {tau}, expected a number between 0 and 1")
        super().__init__(tau)

    def lipschitz(self, bound: float) -> float | None:
        return max(self.tau, 1.0 - self.tau)

    def curvature(self, bound: float) -> float | None:
        return None

    def __str__(self) -> str:
        return f"quantile:{self.tau}"
