"""Adaptive regret: the worst on the intervals of every length."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from afterwit._core import interval_regret as core_interval_regret
from afterwit.regret.rounds import instantaneous


@dataclass(frozen=True)
class IntervalRegret:
    """For each of `lengths`, the largest regret on an interval of so many rounds: from round `starts` on, to `experts`.

    Rounds count from 0; of equals the earliest start, then the smallest expert.
    """

    lengths: npt.NDArray[np.int64]
    regrets: npt.NDArray[np.float64]
    starts: npt.NDArray[np.int64]
    experts: npt.NDArray[np.int64]


def interval_regret(
    losses: npt.ArrayLike,
    player: npt.ArrayLike,
    confidence: npt.ArrayLike | None = None,
    lengths: Iterable[int] | None = None,
) -> IntervalRegret:
    """max R_{[t1,t2],i} over all experts and intervals of each length t2 - t1 + 1, for all lengths or those named.

    The last length, T, is the regret to the best expert. Cost: O(T N) for each length, so O(T^2 N) for all of them:
    name some, such as powers of two, where T is large. Memory: O(T N).
    References: Luo 2016, section 2.3.3 (adaptive regret; Hazan, Seshadhri 2007); sleepers as in section 2.3.2.

    >>> found = interval_regret([[1, 0], [1, 0], [0, 1]], player=[0.5, 0.5, 0.5])
    >>> found.lengths, found.regrets
    (array([1, 2, 3]), array([0.5, 1. , 0.5]))
    >>> int(found.starts[1]), int(found.experts[1])
    (0, 1)
    """
    r = instantaneous(losses, player, confidence)
    T = len(r)
    asked = np.arange(1, T + 1) if lengths is None else np.array(list(lengths))
    if asked.ndim != 1 or (asked.size and not np.issubdtype(asked.dtype, np.integer)):
        raise ValueError(f"lengths is `{asked.tolist()}`, expected whole numbers from 1 to {T}, the number of rounds")
    asked = asked.astype(np.int64)
    bad = (asked < 1) | (asked > T)
    if bad.any():
        raise ValueError(f"a length is `{asked[bad][0]}`, expected 1 to {T}, the number of rounds")
    return IntervalRegret(asked, *core_interval_regret(r, asked))
