"""What a benchmark is: a piece of work, its peer, and how to run either side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Side


@dataclass(frozen=True)
class Sizes:
    """How many rows each benchmark takes, and where its files are."""

    text: int
    csr: int
    csr_passes: int
    dicts: int
    experts: int
    games: int
    folder: Path


@dataclass(frozen=True)
class Benchmark:
    """`floor` and `goal` are ratios of CPU time, peer to ours; `package` is what the peer needs."""

    name: str
    work: str
    peer: str
    package: str
    floor: float | None
    goal: float | None
    rows: Callable[[Sizes], int]
    sides: Callable[[Sizes], tuple[Side, Side]]
    memory: bool = False
