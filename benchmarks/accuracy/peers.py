"""Whom we compare with, and what we want to reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy import forests, ours, retrained, vowpal_wabbit
from benchmarks.accuracy.predictions import Floats, Predictions, losses_of
from benchmarks.accuracy.sets import Rows
from benchmarks.accuracy.store import keep, kept, place
from benchmarks.machine import installed


@dataclass(frozen=True)
class Floor:
    """The least share of sets won, ties apart, and the highest mean ratio of losses, if there is one."""

    share: float
    mean: float | None = None


@dataclass(frozen=True)
class Peer:
    """A learner with one or more settings; of several, hindsight takes the best for each set and measure.

    `predictions` makes those of each setting; `rows` and `widest` are the most rows and features that it takes;
    `floors` are in the order of the measures, where there are any. Unless it `keeps`, it always runs anew.
    """

    name: str
    short: str
    family: str
    package: str
    predictions: Callable[[Rows, Sequence[str]], Iterator[Predictions]]
    settings: tuple[str, ...]
    floors: tuple[Floor, Floor, Floor] | None
    rows: int | None = None
    widest: int | None = None
    keeps: bool = True

    def takes(self, rows: Rows) -> bool:
        """Whether it can learn them at all."""
        return self.widest is None or rows.X.shape[1] - 1 <= self.widest

    def outcomes(self, rows: Rows, folder: Path, data: str) -> Iterator[tuple[str, dict[str, Floats]]]:
        """Each setting with its losses; what is kept in the folder is not run again, and what is run is kept."""
        version = installed(self.package)
        places = {words: place(folder, data, f"{self.package} {version} {words}") for words in self.settings}
        missing = []
        for words, path in places.items():
            found = kept(path, len(rows)) if self.keeps else None
            if found is None:
                missing.append(words)
            else:
                yield words, losses_of(rows, found)
        if missing:
            for words, made in zip(missing, self.predictions(rows, missing), strict=True):
                if self.keeps:
                    keep(places[words], made)
                yield words, losses_of(rows, made)


def _floors(share: float, *means: float) -> tuple[Floor, Floor, Floor]:
    error, log_loss, squared = (Floor(share, mean) for mean in means)
    return error, log_loss, squared


VW = ("vw", "vowpalwabbit", vowpal_wabbit.predictions)
RIVER = ("river", "river", forests.predictions)
FORESTS = _floors(0.75, 0.70, 0.65, 0.55)
SIZES = (forests.ROWS, forests.WIDEST)
PEERS = (
    Peer("VW default", "VW", *VW, (vowpal_wabbit.DEFAULT,), _floors(0.95, 0.55, 0.55, 0.55)),
    Peer("VW best of 44", "best", *VW, vowpal_wabbit.SETTINGS, _floors(0.85, 0.72, 0.72, 0.55)),
    Peer("River ARF", "ARF", *RIVER, ("ARF",), FORESTS, *SIZES),
    Peer("River AMF", "AMF", *RIVER, ("AMF",), FORESTS, *SIZES),
    Peer("River ARF, scaled", "ARFs", *RIVER, ("ARF scaled",), None, *SIZES),
    Peer("River AMF, scaled", "AMFs", *RIVER, ("AMF scaled",), None, *SIZES),
    Peer(
        "LightGBM retrained",
        "LGBM",
        "lightgbm",
        "lightgbm",
        retrained.predictions,
        ("defaults",),
        (Floor(0.75), Floor(0.85), Floor(0.65)),
    ),
)


def one_of_ours(words: str) -> Peer:
    """A learner of ours as a peer, by its words on the command line."""
    return Peer(words, words[:6], words, "afterwit", ours.predictions, (words,), None, keeps=False)


FAMILIES = tuple(dict.fromkeys(peer.family for peer in PEERS))
