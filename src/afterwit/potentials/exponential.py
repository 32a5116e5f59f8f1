"""The potential of exponential weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Exponential:
    """Phi_t(s) = cosh(eta)^-t exp(-eta s), eta the `rate`: the potential of `Hedge`.

    The source has cosh(eta)^(T-t) exp(-eta (s + R)): the same up to a factor. Source: Luo 2016, section 2.1.4 (EXP).

    >>> Exponential(rate=0.5).value(np.array([0.0]), 0)
    array([1.])
    """

    rate: float

    def __post_init__(self) -> None:
        if not 0.0 < self.rate <= 700.0:
            raise ValueError(f"rate is `{self.rate!r}`, expected a number above 0 and at most 700")

    def value(self, s: Array, t: int) -> Array:
        """Phi_t(s)."""
        return np.asarray(np.exp(-self.rate * np.asarray(s) - t * np.log(np.cosh(self.rate))))

    def weight(self, s: Array, t: int) -> Array:
        """(Phi_t(s - 1) - Phi_t(s + 1))/2 = sinh(eta) Phi_t(s)."""
        return np.asarray(np.sinh(self.rate) * self.value(s, t))

    def log_weight(self, s: Array, t: int) -> Array:
        """The logarithm of it, but for what all s have in common: after many rounds that is nearly nothing."""
        return np.asarray(-self.rate * np.asarray(s))
