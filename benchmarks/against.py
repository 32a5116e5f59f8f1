"""`python -m benchmarks.against CHECKOUT`: our side of the benchmarks by this checkout and by another one, in turn.

Both run the programs of this one, each with the library in its own `.venv`. Above 1 this one is faster.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.__main__ import add_options, columns, sizes_of
from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.machine import installed
from benchmarks.measure import Side, compare
from benchmarks.suite import BENCHMARKS

HEADER = ["work", "rows", "runs", "here", "there", "ratio", "range"]


def cells(benchmark: Benchmark, python: Path, sizes: Sizes, runs: int) -> list[str]:
    """A line of the table."""
    shared = [benchmark.work, f"{benchmark.rows(sizes):,}"]
    if not isinstance(benchmark.measure, Beside):
        return [*shared, "", "", "", "measures itself", ""]
    if not all(map(installed, benchmark.packages)):
        return [*shared, "", "", "", "not installed", ""]
    here = benchmark.measure.sides(sizes)[0]
    # Each keeps parsed rows of its own: the other could refuse them, and parse again.
    other = replace(sizes, folder=sizes.folder / "there") if benchmark.name == "cache" else sizes
    ours = benchmark.measure.sides(other)[0]
    there = Side(*([str(python), *command[1:]] for command in (ours.all, ours.one)))
    try:
        m = compare(here, there, runs, sizes.seconds, warm=benchmark.name == "cache")[0]
    except RuntimeError as error:
        if str(python) not in str(error):
            raise
        print(error, file=sys.stderr)
        return [*shared, "", "", "", "not known there", ""]
    both = [str(m.runs), f"{m.ours:.3g} s", f"{m.theirs:.3g} s"]
    if m.ratio is None:
        return [*shared, *both, "too short", ""]
    return [*shared, *both, f"{m.ratio:.2f} x", f"{m.lowest:.2f}-{m.highest:.2f}"]


def main() -> None:
    """Runs what was asked for and prints it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("checkout", type=Path, help="the other one, with the library built into its .venv")
    add_options(parser)
    given = parser.parse_args()
    python = given.checkout.absolute() / ".venv" / "bin" / "python"
    if not python.exists():
        parser.error(f"there is no {python}; run `make build` there")
    sizes, runs = sizes_of(given)
    table = [HEADER]
    for benchmark in BENCHMARKS:
        if benchmark.name in given.only:
            print(f"running {benchmark.name}: {benchmark.work}", file=sys.stderr)
            table.append(cells(benchmark, python, sizes, runs))
    print(f"CPU seconds net of start-up, here and in {given.checkout}, medians of interleaved runs\n\n{columns(table)}")


if __name__ == "__main__":
    main()
