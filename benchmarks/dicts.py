"""`learn_one` on dicts of ten names, one call a row."""

from __future__ import annotations

from benchmarks.benchmark import Benchmark, Sizes, beside
from benchmarks.measure import Side, python


def _sides(sizes: Sizes) -> tuple[Side, Side]:
    sides = [f"benchmarks.sides.dicts_{name}" for name in ("afterwit", "river")]
    ours, theirs = (Side(python(side, sizes.dicts), python(side, 1)) for side in sides)
    return ours, theirs


def _rows(sizes: Sizes) -> int:
    return sizes.dicts


DICTS = Benchmark(
    "dict",
    "`learn_one` on a dict of 10 names",
    "River LogisticRegression",
    ("river",),
    10.0,
    20.0,
    _rows,
    beside(_sides),
)
