"""K-shifting regret: to the best partition of the rounds, with one expert on each of its segments."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt

from afterwit._core import shifting_regret as core_shifting_regret
from afterwit.regret.rounds import excess, instantaneous


@dataclass(frozen=True)
class Segment:
    """The rounds from `first` to before `end`, counted from 0, with one expert."""

    first: int
    end: int
    expert: int


@dataclass(frozen=True)
class ShiftingRegret:
    """Entry k - 1 is for the best partition into at most k segments, `partitions[k - 1]`.

    `losses` are its losses L*_k-Shift and `regrets` the player's loss less these. `excess` is L~ of the same partition;
    the partition that minimises L~ is another one, and bounds nothing (errata 36).
    """

    regrets: npt.NDArray[np.float64]
    losses: npt.NDArray[np.float64]
    excess: npt.NDArray[np.float64]
    partitions: tuple[tuple[Segment, ...], ...]


def shifting_regret(
    losses: npt.ArrayLike, player: npt.ArrayLike, segments: int, confidence: npt.ArrayLike | None = None
) -> ShiftingRegret:
    """R_K-Shift for every K up to `segments`, or up to the number of rounds T if that is less, by dynamic programming.

    K = 1 is the regret to the best expert, K segments allow K - 1 shifts. Where shifting more does not help, a
    partition has fewer than K. Cost: O(T N K) time and O(T (N + K)) memory.
    References: Luo 2016, section 2.3.3, "Tracking the best expert"; errata 36; sleepers as in section 2.3.2.

    >>> found = shifting_regret([[0, 1], [0, 1], [1, 0]], player=[0.5, 0.5, 0.5], segments=3)
    >>> found.regrets, found.losses
    (array([0.5, 1.5, 1.5]), array([1., 0., 0.]))
    >>> found.partitions[1]
    (Segment(first=0, end=2, expert=0), Segment(first=2, end=3, expert=1))
    """
    if not (isinstance(segments, Integral) and segments >= 1):
        raise ValueError(f"segments is `{segments!r}`, expected a whole number, 1 or more")
    r = instantaneous(losses, player, confidence)
    regrets, counts, firsts, experts = core_shifting_regret(r, max(1, min(int(segments), len(r))))
    ends = itertools.pairwise([0, *np.cumsum(counts)])
    partitions = tuple(_segments(firsts[a:b].tolist(), experts[a:b].tolist(), len(r)) for a, b in ends)
    total = float(np.sum(np.asarray(player, dtype=np.float64)))
    above = np.vstack([np.zeros(r.shape[1]), np.cumsum(excess(r), axis=0)])
    return ShiftingRegret(
        regrets=regrets,
        losses=total - regrets,
        excess=np.array([sum(above[s.end, s.expert] - above[s.first, s.expert] for s in p) for p in partitions]),
        partitions=partitions,
    )


def _segments(firsts: list[int], experts: list[int], T: int) -> tuple[Segment, ...]:
    return tuple(Segment(*each) for each in zip(firsts, [*firsts[1:], T], experts, strict=False))  # none where T is 0
