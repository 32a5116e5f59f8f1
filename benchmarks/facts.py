"""What there is to say of the default learner without a peer: pauses, files and memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from benchmarks.benchmark import Sizes
from benchmarks.data import made
from benchmarks.measure import ONE_THREAD, Command, python


@dataclass(frozen=True)
class Fact:
    """What one number is that a program prints, and what we promise of it."""

    name: str
    unit: str
    promise: str = "-"


@dataclass(frozen=True)
class Told:
    """A fact with its numbers, one for each run."""

    fact: Fact
    rows: int
    numbers: list[float]

    def cells(self) -> list[str]:
        """As shown: median and range."""
        middle, low, high = map(_shown, (median(self.numbers), min(self.numbers), max(self.numbers)))
        shown = [f"{self.rows:,}", str(len(self.numbers)), f"{middle} {self.fact.unit}", f"{low}-{high}"]
        return [self.fact.name, *shown, self.fact.promise]


#: Of 50 features each: fewer than there are slots.
FEATURE_ROWS = 4_000
HEADER = ["`Auto` alone", "rows", "runs", "median", "range", "promise"]


def told(sizes: Sizes, runs: int) -> Iterator[Told]:
    """All facts, each program run so many times."""
    for rows, command, facts in _programs(sizes):
        numbers = zip(*(_numbers(command) for _ in range(runs)), strict=True)
        yield from (Told(fact, rows, list(each)) for fact, each in zip(facts, numbers, strict=True))


def _shown(number: float) -> str:
    return f"{number:,.0f}" if number >= 100.0 else f"{number:.3g}"


def _numbers(command: Command) -> list[float]:
    done = subprocess.run(command, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, check=True, text=True)
    return [float(word) for word in done.stdout.split()]


def _programs(sizes: Sizes) -> Iterator[tuple[int, Command, tuple[Fact, ...]]]:
    rows = sizes.dicts // 50
    for columns in (10, 50, 300):
        work = f"`learn_one` on a dict of {columns} names"
        facts = Fact(f"{work}: mean", "us"), Fact(f"{work}: longest", "us")
        yield rows, python("benchmarks.sides.auto_pauses", columns, rows), facts
    for kind, words in (("narrow", "10 columns"), ("sparse", "75 of 47,000 words")):
        file = made(kind, rows, sizes.folder) / "all.svm"
        facts = Fact(f"saved, {words}", "kB"), Fact(f"loaded, {words}", "ms")
        yield rows, python("benchmarks.sides.auto_saved", file), facts
    if sys.platform == "linux":
        memory = Fact("memory of each feature met", "bytes", "128 bytes")
        yield FEATURE_ROWS, python("benchmarks.sides.auto_memory", FEATURE_ROWS), (memory,)
