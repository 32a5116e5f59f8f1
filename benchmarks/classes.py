"""One against all from text: Vowpal Wabbit's default update for every class."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.data import made
from benchmarks.measure import Command, Side, python
from benchmarks.numeric_text import VW, vowpal_wabbit


def _sides(sizes: Sizes, classes: int) -> tuple[Side, Side]:
    folder = made(f"sparse-{classes}", _rows(sizes), sizes.folder)

    def ours(path: Path) -> Command:
        return python("benchmarks.sides.classes_afterwit", path, classes)

    def theirs(path: Path) -> Command:
        return [*vowpal_wabbit(path), "--oaa", str(classes)]

    return (
        Side(ours(folder / "all.svm"), ours(folder / "one.svm")),
        Side(theirs(folder / "all.vw"), theirs(folder / "one.vw")),
    )


def _rows(sizes: Sizes) -> int:
    return sizes.text // 5  # each is learned by every class


CLASSES = [
    Benchmark(
        "classes",
        f"one against all, {classes} classes, the 75 words",
        f"{VW[0]} --oaa {classes}",
        VW[1],
        4.0,
        8.0,
        _rows,
        Beside(partial(_sides, classes=classes)),
    )
    for classes in (3, 10, 26)
]
