"""`python -m benchmarks`: our CPU time and memory beside the peers', on rows that it makes itself."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import facts
from benchmarks.benchmark import Benchmark, Sizes
from benchmarks.machine import installed, machine
from benchmarks.measure import Measured
from benchmarks.suite import BENCHMARKS


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    work: str
    peer: str
    rows: int
    unit: str
    measured: Measured | None
    floor: float | str | None = None
    goal: float | None = None

    def cells(self) -> list[str]:
        """As shown; `x` is how many times as much the peer took, median and range over the runs."""
        shared = [self.work, self.peer, f"{self.rows:,}"]
        wanted = [f"{w:g} x" if isinstance(w, float) else w or "-" for w in (self.floor, self.goal)]
        if self.measured is None:
            return [*shared, "", "", "", "not installed", "", *wanted]
        m = self.measured
        both = [str(m.runs), f"{m.ours:.3g} {self.unit}", f"{m.theirs:.3g} {self.unit}"]
        if m.ratio is None:
            return [*shared, *both, "too short", "", *wanted]
        return [*shared, *both, f"{m.ratio:.2f} x", f"{m.lowest:.2f}-{m.highest:.2f}", *wanted]


HEADER = ["work", "peer", "rows", "runs", "ours", "peer's", "ratio", "range", "floor", "goal"]


def lines_of(benchmark: Benchmark, sizes: Sizes, runs: int) -> list[Line]:
    """Its CPU time, and its memory if it asks for that."""
    shared = (benchmark.work, benchmark.peer, benchmark.rows(sizes))
    if not all(map(installed, benchmark.packages)):
        return [Line(*shared, benchmark.unit, None, benchmark.floor, benchmark.goal)]
    seconds, peak = benchmark.measure(sizes, runs)
    lines = [Line(*shared, benchmark.unit, seconds, benchmark.floor, benchmark.goal)]
    if benchmark.memory:
        lines.append(Line(f"peak memory: {benchmark.work}", benchmark.peer, shared[2], "MB", peak))
    return lines


def columns(cells: list[list[str]]) -> str:
    """Plain text in columns under the first line; what is a number stands to the right."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    words = 2 if "peer" in cells[0] else 1
    return "\n".join(
        "  ".join(
            cell.ljust(w) if i < words else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to run, and how much of it."""
    names = list(dict.fromkeys(benchmark.name for benchmark in BENCHMARKS))
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--rows", type=int, default=500_000, help="rows of the text files (500,000)")
    parser.add_argument(
        "--runs",
        type=int,
        default=5,
        help="interleaved runs, of which the median counts; short work is run more often (5)",
    )
    parser.add_argument("--quick", action="store_true", help="small sizes and two runs: does it run at all?")
    parser.add_argument("--folder", type=Path, help="where the rows are kept (build/benchmarks)")


def sizes_of(given: argparse.Namespace) -> tuple[Sizes, int]:
    """The sizes, and the number of runs."""
    root = Path(__file__).parents[1]
    fallback = Path(tempfile.gettempdir()) / "afterwit-benchmarks"
    folder = given.folder or (root / "build" / "benchmarks" if (root / "pyproject.toml").exists() else fallback)
    if given.quick:
        few = Sizes(
            10_000, 10_000, 40, dicts=50_000, late=70_000, experts=5_000, games=4, matrix=60, seconds=0.0, folder=folder
        )
        return few, 2
    sizes = Sizes(
        given.rows,
        csr=100_000,
        csr_passes=60,
        dicts=1_000_000,
        late=1_000_000,
        experts=100_000,
        games=10,
        matrix=2000,
        seconds=5.0 * given.runs,
        folder=folder,
    )
    return sizes, given.runs


def main() -> None:
    """Runs what was asked for and prints it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add_options(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there, too")
    given = parser.parse_args()
    sizes, runs = sizes_of(given)
    about = machine()
    for name, value in about.items():
        print(f"{name:<9} {value}")
    lines: list[Line] = []
    for benchmark in BENCHMARKS:
        if benchmark.name in given.only:
            print(f"running {benchmark.name}", file=sys.stderr)
            lines += lines_of(benchmark, sizes, runs)
    alone = list(facts.told(sizes, runs)) if "auto" in given.only else []
    print("\nCPU seconds (user and system) net of start-up, medians of interleaved runs\n")
    print(columns([HEADER, *(line.cells() for line in lines)]))
    if alone:
        print("\nThe default learner alone: CPU time, kept and resident bytes, medians of runs\n")
        print(columns([facts.HEADER, *(one.cells() for one in alone)]))
    if given.quick:
        print("\nToo little work for the numbers to mean anything: --quick only shows that it runs.")
    if given.json:
        results = [asdict(line) for line in lines]
        numbers = {"machine": about, "runs": runs, "results": results, "alone": [asdict(one) for one in alone]}
        given.json.write_text(json.dumps(numbers, indent=2) + "\n")


if __name__ == "__main__":
    main()
