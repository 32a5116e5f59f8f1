"""A zero-sum game to a gap of a thousandth of its payoff range, against the linear program that solves it."""

from __future__ import annotations

from benchmarks.benchmark import Benchmark, Sizes
from benchmarks.measure import Measured, Side, compare, python


def _measured(sizes: Sizes, runs: int) -> tuple[Measured, Measured | None]:
    """Twice at most: the linear program takes a minute."""
    ours, theirs = (
        Side(*(python(f"benchmarks.sides.zero_sum_{side}", size) for size in (sizes.matrix, 2)))
        for side in ("afterwit", "scipy")
    )
    return compare(ours, theirs, min(runs, 2), 0.0)


ZERO_SUM = Benchmark(
    "zero-sum",
    "matrix game, gap 1e-3",
    "SciPy, linprog",
    ("scipy",),
    1.0,
    None,
    lambda sizes: sizes.matrix,
    _measured,
)
