"""Wins, losses and means over all sets, and the sets that we lose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.accuracy.comparison import Comparison
from benchmarks.accuracy.peers import Floor, Peer
from benchmarks.accuracy.predictions import MEASURES


@dataclass(frozen=True)
class Total:
    """One peer by one measure over all sets; `mean` (geometric) and `median` are of ours over theirs."""

    peer: str
    measure: str
    won: int
    lost: int
    tied: int
    lost_significantly: int
    mean: float
    median: float
    floor: Floor | None

    @property
    def share(self) -> float | None:
        """Of the sets that were not tied, those won; nothing, if there is none."""
        return self.won / (self.won + self.lost) if self.won + self.lost else None

    @property
    def met(self) -> bool | None:
        """Whether the floor is reached, if there is one."""
        if self.floor is None or self.share is None:
            return None
        return self.share >= self.floor.share and (self.floor.mean is None or self.mean <= self.floor.mean)

    def cells(self) -> list[str]:
        """As shown."""
        share = "-" if self.share is None else f"{100.0 * self.share:.0f} %"
        scores = [f"{self.won}-{self.lost}", str(self.tied), share, change(self.mean), change(self.median)]
        met = {True: "yes", False: "no", None: "-"}[self.met]
        return [self.peer, self.measure, *scores, str(self.lost_significantly), wanted(self.floor), met]


HEADER = ["peer", "measure", "won-lost", "tied", "won", "mean", "median", "lost, p < 0.05", "floor", "met"]
LOST_HEADER = ["set", "peer", "measure", "ours", "theirs", "change", "p", "their setting"]


def wanted(floor: Floor | None) -> str:
    """A floor, as shown."""
    if floor is None:
        return "-"
    share = f">= {100.0 * floor.share:.0f} %"
    return share if floor.mean is None else f"{share}, <= {change(floor.mean)}"


def geometric_mean(ratios: Sequence[float]) -> float:
    """The exponential of the mean logarithm."""
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios))


def change(ratio: float) -> str:
    """A ratio of losses as what it takes away or adds: 0.55 is -45 %."""
    return f"{100.0 * (ratio - 1.0):+.0f} %"


def short_change(ratio: float) -> str:
    """The same in at most six characters: per cent, or from ten times on how many times."""
    return f"{100.0 * (ratio - 1.0):+.0f}" if ratio < 9.995 else f"x{ratio:.0f}" if ratio < 9999.5 else ">x9999"


def total(peer: Peer, measure: str, of: Sequence[Comparison]) -> Total:
    """Over all sets that were compared, of which there is at least one."""
    won, lost = sum(one.won for one in of), sum(one.lost for one in of)
    ratios = [one.ratio for one in of]
    floor = peer.floors[MEASURES.index(measure)] if peer.floors else None
    bad = sum(one.lost_significantly for one in of)
    means = geometric_mean(ratios), median(ratios)
    return Total(peer.name, measure, won, lost, len(of) - won - lost, bad, *means, floor)


def totals(peers: Sequence[Peer], all_of: Sequence[Comparison]) -> list[Total]:
    """Of each peer by each measure that there is."""
    chosen = [
        (peer, measure, [one for one in all_of if (one.peer, one.measure) == (peer.name, measure)])
        for peer in peers
        for measure in MEASURES
    ]
    return [total(peer, measure, of) for peer, measure, of in chosen if of]


def lost_cells(one: Comparison) -> list[str]:
    """A set that we lose significantly, as shown."""
    values = [shown(one.measure, one.ours), shown(one.measure, one.theirs), change(one.ratio), f"{one.p:.1g}"]
    return [one.data, one.peer, one.measure, *values, one.setting]


def shown(measure: str, loss: float) -> str:
    """A mean loss; errors in per cent."""
    return f"{100.0 * loss:.2f} %" if measure == "error" else f"{loss:.4g}"
