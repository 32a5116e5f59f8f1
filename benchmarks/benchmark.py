"""What a benchmark is: a piece of work, its peer, and how to run either side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Measured, Side, compare, per_row

#: With the sizes and the number of runs: the CPU time, and the peak memory where that is measured.
Measure = Callable[["Sizes", int], tuple[Measured, Measured | None]]


@dataclass(frozen=True)
class Sizes:
    """How many rows each benchmark takes, how many seconds at least, and where its files are."""

    text: int
    csr: int
    csr_passes: int
    dicts: int
    late: int
    experts: int
    games: int
    matrix: int
    seconds: float
    folder: Path


@dataclass(frozen=True)
class Benchmark:
    """`floor` and `goal` are ratios of CPU time, peer to ours; `packages` are what the peer and the rows need.

    A floor that is no ratio is said in words.
    """

    name: str
    work: str
    peer: str
    packages: tuple[str, ...]
    floor: float | str | None
    goal: float | None
    rows: Callable[[Sizes], int]
    measure: Measure
    memory: bool = False
    unit: str = "s"


@dataclass(frozen=True)
class Beside:
    """Both sides in turn, as processes of their own; where `rows` says how many each has, in microseconds per row."""

    sides: Callable[[Sizes], tuple[Side, Side]]
    rows: Callable[[Sizes], tuple[int, int]] | None = None

    def __call__(self, sizes: Sizes, runs: int) -> tuple[Measured, Measured | None]:
        seconds, peak = compare(*self.sides(sizes), runs, sizes.seconds)
        return (seconds, peak) if self.rows is None else (per_row(seconds, *self.rows(sizes)), None)
