"""What a benchmark is: a piece of work, its peer, and how to run either side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Measured, Side, compare

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
    seconds: float
    folder: Path


@dataclass(frozen=True)
class Benchmark:
    """`floor` and `goal` are ratios of CPU time, peer to ours; `packages` are what the peer and the rows need."""

    name: str
    work: str
    peer: str
    packages: tuple[str, ...]
    floor: float | None
    goal: float | None
    rows: Callable[[Sizes], int]
    measure: Measure
    memory: bool = False
    unit: str = "s"


def beside(sides: Callable[[Sizes], tuple[Side, Side]]) -> Measure:
    """Both sides in turn, as processes of their own."""
    return lambda sizes, runs: compare(*sides(sizes), runs, sizes.seconds)
