"""Regret to the best expert, and to the k-th best."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from afterwit.regret.rounds import excess, instantaneous


@dataclass(frozen=True)
class ExpertRegret:
    """The regret to every expert, the best first; entry k - 1 is the eps-regret at eps = k/N (errata 38).

    `excess[k - 1]` is the mean over the first k experts of L~_i = sum_t [l_{t,i} - l_t]_+, what a bound in terms of L~
    needs (errata 36).
    """

    experts: npt.NDArray[np.int64]
    regrets: npt.NDArray[np.float64]
    losses: npt.NDArray[np.float64]
    excess: npt.NDArray[np.float64]

    @property
    def expert(self) -> int:
        """The best expert; of equals the first."""
        return int(self.experts[0])

    @property
    def regret(self) -> float:
        """The regret to the best expert."""
        return float(self.regrets[0])

    def epsilon(self, eps: float) -> float:
        """The eps-regret: to the ceil(N eps)-th best expert, with N eps in floats rounded as errata 37 says."""
        if not 0.0 < eps <= 1.0:
            raise ValueError(f"eps is `{eps!r}`, expected a number above 0 and at most 1")
        k = max(1, math.ceil(len(self.experts) * eps - 1e-9))
        return float(self.regrets[k - 1])


def expert_regret(
    losses: npt.ArrayLike, player: npt.ArrayLike, confidence: npt.ArrayLike | None = None
) -> ExpertRegret:
    """The player's loss less that of the best expert, of the second best, and so on.

    `losses` is rounds x experts, `player` the player's losses; NaN or `confidence` 0 is asleep and counts as having had
    the player's loss (see `instantaneous`). Cost: O(T N).
    References: Luo 2016, section 2.1.2 (eps-regret), sections 2.3, 2.3.2; errata 36, 37, 38.

    >>> found = expert_regret([[1.0, 0.0, 0.5], [1.0, 0.25, 0.0]], player=[0.5, 0.5])
    >>> found.expert, found.regret, found.epsilon(2 / 3)
    (1, 0.75, 0.5)
    """
    r = instantaneous(losses, player, confidence)
    R = r.sum(axis=0)
    order = np.argsort(-R, kind="stable")
    total = float(np.sum(np.asarray(player, dtype=np.float64)))
    above = excess(r).sum(axis=0)[order]
    means = np.cumsum(above) / np.arange(1, len(order) + 1)
    return ExpertRegret(order, R[order], total - R[order], means)
