"""The default learner, which is two dozen, beside peers that are one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.data import made
from benchmarks.measure import Command, Side, python
from benchmarks.numeric_text import VW, vowpal_wabbit


def _ours(path: Path) -> Command:
    return python("benchmarks.sides.auto_afterwit", path)


def _sides(sizes: Sizes, kind: str) -> tuple[Side, Side]:
    folder = made(kind, _rows(sizes), sizes.folder)
    ours, theirs = (
        [command(folder / f"{rows}.{ending}") for rows in ("all", "one")]
        for command, ending in ((_ours, "svm"), (vowpal_wabbit, "vw"))
    )
    return Side(*ours), Side(*theirs)


def _rows(sizes: Sizes) -> int:
    return max(sizes.text // 5, 1)


def _forest(sizes: Sizes) -> tuple[Side, Side]:
    ours, theirs = (partial(python, f"benchmarks.sides.{side}", "same") for side in ("auto_dicts", "dicts_river"))
    rows = _forest_rows(sizes)
    return Side(ours("auto", rows, TIMES), ours("auto", 1, TIMES)), Side(theirs("forest", rows), theirs("forest", 1))


def _both_rows(sizes: Sizes) -> tuple[int, int]:
    return TIMES * _forest_rows(sizes), _forest_rows(sizes)


def _forest_rows(sizes: Sizes) -> int:
    return sizes.dicts // 250  # the forest needs milliseconds for each


#: Over the rows of the forest we are soon done, and so learn them anew, so many times.
TIMES = 20
AUTO = [
    Benchmark("auto", work, *VW, floor, goal, _rows, Beside(partial(_sides, kind=kind)), memory=kind == "sparse")
    for work, kind, floor, goal in (
        ("`Auto`, 10 columns", "narrow", 0.25, 0.5),
        ("`Auto`, 54 columns", "dense", None, None),
        ("`Auto`, 75 of 47,000 words", "sparse", 0.67, 1.0),
    )
]
AUTO_FOREST = Benchmark(
    "auto",
    "`Auto`, dicts of 10 names",
    "River ARFClassifier(n_models=10)",
    ("river",),
    200.0,
    None,
    _forest_rows,
    Beside(_forest, _both_rows),
    unit="us",
)
