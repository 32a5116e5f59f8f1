"""One peer and we on one set, by one measure."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.accuracy.predictions import Floats
from benchmarks.accuracy.significance import p_value

#: Below it, a difference is said to be significant.
LEVEL = 0.05
#: Below it, relative to theirs, there is no difference: some peers print six digits of what they predict.
TIE = 1e-5


@dataclass(frozen=True)
class Comparison:
    """Mean losses over the same rows; `ratio` is ours over theirs, `p` how easily chance does it."""

    data: str
    peer: str
    setting: str
    measure: str
    rows: int
    ours: float
    theirs: float
    ratio: float
    p: float

    @property
    def won(self) -> bool:
        return self.ours < self.theirs * (1.0 - TIE)

    @property
    def lost(self) -> bool:
        return self.ours > self.theirs * (1.0 + TIE)

    @property
    def lost_significantly(self) -> bool:
        return self.lost and self.p < LEVEL


def compared(data: str, peer: str, setting: str, measure: str, ours: Floats, theirs: Floats) -> Comparison:
    """From the losses of each row."""
    means = float(ours.mean()), float(theirs.mean())
    ratio = ratio_of(measure, ours, theirs)
    return Comparison(data, peer, setting, measure, len(ours), *means, ratio, p_value(measure, ours, theirs))


def ratio_of(measure: str, ours: Floats, theirs: Floats) -> float:
    """Ours over theirs, also where one is 0: half an error more for either, or a billionth of the losses of both."""
    more = 0.5 if measure == "error" else 1e-9 * float(ours.sum() + theirs.sum())
    if measure != "error" and more == 0.0:
        return 1.0
    return float((ours.sum() + more) / (theirs.sum() + more))
