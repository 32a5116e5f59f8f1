"""The losses that a mixture of forecasts can have, and what they ask of forecasts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses
from afterwit._core import gain
from afterwit.numbers import LARGEST, real_range

Array = npt.NDArray[np.float64]
Range = tuple[float, float]


class MixedLoss:
    """A loss of forecasts of real labels; or `gain`, the loss -ln p of a portfolio that grows by p."""

    def __init__(self, loss: str | losses.Loss) -> None:
        self._given = None if loss == "gain" else losses.get(loss)
        if self._given is not None and self._given.labels != "real":
            raise ValueError(f"loss is `{loss}`, expected {', '.join(losses.names('real'))} or gain")
        self.core = gain() if self._given is None else self._given
        self.name = str(self._given or "gain")

    def value(self, p: Array, y: Array) -> Array:
        """The losses of forecasts p of any shape with the rounds in front; NaN where p is."""
        if self._given is None:
            return np.asarray(-np.log(p))
        every = np.broadcast_to(y.reshape(-1, *[1] * (p.ndim - 1)), p.shape)
        return self.core.value(p.ravel(), every.ravel()).reshape(p.shape)

    def spread(self, low: float, high: float, gradient: bool) -> float:
        """The largest difference between two losses of one round, or between two linear losses."""
        width = high - low
        if self._given is None:
            return width / low if gradient else math.log(high / low)
        if isinstance(self._given, losses.Squared):
            return 2.0 * width * width if gradient else width * width
        return float(self._given.lipschitz(max(abs(low), abs(high)))) * width  # type: ignore[arg-type]

    def limits(self, given: Range | None) -> tuple[float, float, str]:
        """Which forecasts and labels are right: the least, the largest, and the words for what was expected."""
        if given is not None:
            return *given, f"a number from {given[0]:g} to {given[1]:g}, the forecast_range"
        if self.name == "gain":
            return 1.0 / LARGEST, LARGEST, "a price relative: a number above 0 (NaN for a stock that is gone)"
        return -LARGEST, LARGEST, f"a number from {-LARGEST:g} to {LARGEST:g}"

    def range_of(self, given: Any) -> Range:
        """A range that was given, checked."""
        return real_range("forecast_range", given, positive=self.name == "gain")
