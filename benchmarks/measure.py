"""CPU time and peak memory of whole processes, ours and the peer's in turn."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from statistics import median

#: One thread for whatever linear algebra a peer brings along, so that waiting threads do not count as work.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
Command = list[str]


@dataclass(frozen=True)
class Usage:
    """What a process and its children took: user and system seconds, and the largest resident size in MB."""

    seconds: float
    peak: float


@dataclass(frozen=True)
class Side:
    """The same program on all rows and on one row; the difference is the work."""

    all: Command
    one: Command


@dataclass(frozen=True)
class Measured:
    """Medians over the runs; `ratio` is the median of the runs' own ratios, peer to ours, with their range.

    There is no ratio where a run on all rows took no longer than a start: the work was too short to tell.
    """

    ours: float
    theirs: float
    runs: int
    ratio: float | None = None
    lowest: float | None = None
    highest: float | None = None


def python(module: str, *arguments: object) -> Command:
    """`python -m module arguments`"""
    return [sys.executable, "-m", module, *map(str, arguments)]


def usage(command: Command) -> Usage:
    """Runs it to the end; what it printed is shown only if it failed.

    Linux counts the peak of this process into that of the command: whatever is large, as making rows, has its own.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | ONE_THREAD,
    )
    assert process.stderr is not None
    with process.stderr as errors:
        said = errors.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"`{' '.join(command)}` failed:\n{said.decode(errors='replace')}")
    peak = used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return Usage(used.ru_utime + used.ru_stime, peak)


def compare(ours: Side, theirs: Side, runs: int, seconds: float, warm: bool = False) -> tuple[Measured, Measured]:
    """CPU seconds net of start-up, and peak MB on all rows.

    Short work is run more often, until both sides together took so many seconds, but at most four times as often: a run
    of it tells little of a machine whose speed changes from second to second. `warm` runs all of it once before.
    """
    sides = (ours, theirs)
    for side in sides:
        usage(side.one)  # compiles what Python has not compiled yet
        if warm:
            usage(side.all)
    ones: list[list[Usage]] = [[], []]
    alls: list[list[Usage]] = [[], []]
    while len(alls[0]) < runs or (len(alls[0]) < 4 * runs and _total(alls) - _total(ones) < seconds):
        for side, one, whole in zip(sides, ones, alls, strict=True):
            one.append(usage(side.one))
            whole.append(usage(side.all))
    return measured(*map(_net_seconds, alls, ones)), measured(*([used.peak for used in whole] for whole in alls))


def per_row(seconds: Measured, ours: int, theirs: int) -> Measured:
    """The same in microseconds per row of each side."""
    times = ours / theirs
    ratios = (None if ratio is None else ratio * times for ratio in (seconds.ratio, seconds.lowest, seconds.highest))
    return Measured(1e6 * seconds.ours / ours, 1e6 * seconds.theirs / theirs, seconds.runs, *ratios)


def _total(used: list[list[Usage]]) -> float:
    return sum(one.seconds for side in used for one in side)


def _net_seconds(alls: list[Usage], ones: list[Usage]) -> list[float]:
    start = median(used.seconds for used in ones)
    return [used.seconds - start for used in alls]


def measured(ours: list[float], theirs: list[float]) -> Measured:
    """The medians of the runs, and of their ratios."""
    if min(*ours, *theirs) <= 0.0:
        return Measured(median(ours), median(theirs), len(ours))
    ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
    return Measured(median(ours), median(theirs), len(ours), median(ratios), min(ratios), max(ratios))
