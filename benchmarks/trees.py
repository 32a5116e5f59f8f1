"""A row of a tree of experts beside one of AdaGrad: ten columns, ten tests to each leaf."""

from __future__ import annotations

from functools import partial

from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.measure import Command, Side, python

TREES = {"grown": "a tree that makes itself, depth 10", "complete": "a given tree, depth 10"}


def _sides(sizes: Sizes, tree: str) -> tuple[Side, Side]:
    def command(learner: str, passes: int) -> Command:
        return python("benchmarks.sides.trees_afterwit", learner, sizes.csr, passes)

    ours, theirs = (Side(command(each, sizes.csr_passes), command(each, 0)) for each in (tree, "adagrad"))
    return ours, theirs


def _rows(sizes: Sizes) -> int:
    return sizes.csr * sizes.csr_passes


def _both(sizes: Sizes) -> tuple[int, int]:
    return _rows(sizes), _rows(sizes)


TREES_BESIDE = [
    Benchmark(
        "trees",
        f"{words}: a row",
        "a row of `AdaGrad`",
        ("scipy",),
        round(1.0 / 15.0, 3),
        None,
        _rows,
        Beside(partial(_sides, tree=name), _both),
        unit="us",
    )
    for name, words in TREES.items()
]
