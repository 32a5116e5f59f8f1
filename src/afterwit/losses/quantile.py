"""Quantile (pinball) loss."""

from __future__ import annotations

from afterwit._core import quantile
from afterwit.losses.loss import Loss


class Quantile(Loss, name="quantile", parameter="LEVEL", expected="a level between 0 and 1, as in `quantile:0.9`"):
    """Quantile loss tau (y - p) below the label and (1 - tau)(p - y) above it; its minimum is the tau-quantile.

    >>> Quantile(0.9).value(1.0, 3.0)
    1.8
    """

    labels = "real"

    def __init__(self, tau: float) -> None:
        if not 0.0 < tau < 1.0:
            raise ValueError(f"tau is {tau}, expected a number between 0 and 1")
        super().__init__(quantile(tau))
        self._tau = float(tau)

    @property
    def tau(self) -> float:
        """The level."""
        return self._tau

    def lipschitz(self, bound: float) -> float | None:
        return max(self.tau, 1.0 - self.tau)

    def slopes(self) -> tuple[float, float] | None:
        return self.tau - 1.0, self.tau

    def __str__(self) -> str:
        return f"quantile:{self.tau}"
