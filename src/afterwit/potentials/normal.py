"""The potential of NormalHedge.DT and AdaNormalHedge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Normal:
    """Phi_t(s) = exp([s]_-^2/3t) - (1/2) sum_{tau <= t} (exp(4/3tau) - 1): the potential of `NormalHedgeDT`.

    The source has exp([s]_-^2/3t) - b_t, which differs by a constant. Its condition holds from t = 2 on, and at t = 1
    where the game begins, at s = 0. AdaNormalHedge has a t for every expert, C + 1, and s = -R.
    Source: Luo 2016, Lemma 2, section 2.3; errata 19, 20.

    >>> Normal().weight(np.array([0.0, 1.0]), 1)
    array([0.19780621, 0.        ])
    """

    def value(self, s: Array, t: int) -> Array:
        """Phi_t(s); Phi_0 = 1."""
        if t == 0:
            return np.ones(np.shape(s))
        spent = np.expm1(4.0 / (3.0 * np.arange(1, t + 1))).sum() / 2.0
        return np.asarray(np.exp(np.minimum(s, 0.0) ** 2 / (3.0 * t)) - spent)

    def weight(self, s: Array, t: int | Array) -> Array:
        """(Phi_t(s - 1) - Phi_t(s + 1))/2, with no digit lost near s = 1; t may be one number per expert."""
        down, up = np.minimum(np.asarray(s) - 1.0, 0.0) ** 2, np.minimum(np.asarray(s) + 1.0, 0.0) ** 2
        third = 1.0 / (3.0 * np.asarray(t))
        return np.asarray(np.exp(up * third) * np.expm1((down - up) * third) / 2.0)
