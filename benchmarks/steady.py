"""Whether a row late in a stream costs what an early one does: CPU time per row, over the same rows."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

from benchmarks.benchmark import Benchmark, Sizes
from benchmarks.data import made
from benchmarks.measure import Measured, measured, python

PERIOD = 66_000  # rows of the file, which comes again and again: after 990,000 more it is at the same row
EARLY, WINDOW, SLICES = 10_000, 50_000, 10


class _Learner:
    """A process that learns the file, so many times over, as far as it is told."""

    def __init__(self, file: Path, learner: str, times: int) -> None:
        command = python("benchmarks.sides.steady_afterwit", file, learner, times)
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def reach(self, row: int) -> tuple[int, float]:
        """Which row it really reached, at the end of a batch, and its CPU seconds so far."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(row, file=self._process.stdin, flush=True)
        rows, seconds = self._process.stdout.readline().split()
        return int(rows), float(seconds)

    def close(self) -> None:
        self._process.communicate()


def _microseconds(file: Path, learner: str, late: int) -> tuple[float, float]:
    """Per row of the early and of the late window, which two processes pass in turn, slice by slice."""
    firsts = (EARLY, late)
    learners = [_Learner(file, learner, -(-(first + 2 * WINDOW) // PERIOD)) for first in firsts]
    begins = [learner.reach(first) for learner, first in zip(learners, firsts, strict=True)]
    for done in range(1, SLICES + 1):
        ends = [learner.reach(first + done * WINDOW // SLICES) for learner, first in zip(learners, firsts, strict=True)]
    for learner in learners:
        learner.close()
    early, late_ones = (1e6 * (e[1] - b[1]) / (e[0] - b[0]) for b, e in zip(begins, ends, strict=True))
    return early, late_ones


def _measure(sizes: Sizes, runs: int, kind: str, learner: str) -> tuple[Measured, None]:
    file = made(kind, PERIOD, sizes.folder) / "all.svm"
    early, late = zip(*(_microseconds(file, learner, sizes.late) for _ in range(runs)), strict=True)
    return measured(list(late), list(early)), None


def _rows(sizes: Sizes) -> int:
    return sizes.late


def _late(name: str, work: str, kind: str, learner: str) -> Benchmark:
    measure = partial(_measure, kind=kind, learner=learner)
    return Benchmark(name, work, "row 10,000", (), 0.95, 1.0, _rows, measure, unit="us")


STEADY = _late("steady", "a late row of 75 words", "sparse", "adagrad")
AUTO_STEADY = _late("auto", "`Auto`, a late row of 10 columns", "narrow", "auto")
