"""The potential of the 2-norm algorithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SquaredNegativePart:
    """Phi_t(s) = [s]_-^2 - t, [s]_- = min(0, s): the potential of `TwoNorm`.

    The source has [s]_-^2 + T - t, which differs by a constant that no weight sees. Source: Luo 2016, Lemma 1.

    >>> SquaredNegativePart().weight(np.array([-3.0, 0.0, 1.0]), 5)
    array([6. , 0.5, 0. ])
    """

    def value(self, s: Array, t: int) -> Array:
        """Phi_t(s)."""
        return np.asarray(np.minimum(s, 0.0) ** 2 - t)

    def weight(self, s: Array, t: int) -> Array:
        """(Phi_t(s - 1) - Phi_t(s + 1))/2: 0 from s = 1 on, (s - 1)^2/2 down to -1, -2s below."""
        s = np.asarray(s)
        return np.where(s < -1.0, -2.0 * s, np.minimum(s - 1.0, 0.0) ** 2 / 2.0)
