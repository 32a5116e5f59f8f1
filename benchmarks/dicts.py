"""`learn_one` on dicts of ten names, one call a row."""

from __future__ import annotations

from functools import partial

from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.measure import Side, python


def _side(name: str, rows: int, names: str, learner: str) -> Side:
    command = partial(python, f"benchmarks.sides.dicts_{name}", names, learner)
    return Side(command(rows), command(1))


def _sides(sizes: Sizes, names: str, learner: str) -> tuple[Side, Side]:
    return _side("afterwit", sizes.dicts, names, learner), _side("river", sizes.dicts, names, "logistic")


def _both(sizes: Sizes) -> tuple[Side, Side]:
    ours, theirs = (_side("both", sizes.dicts, "anew", learner) for learner in ("afterwit", "river"))
    return ours, theirs


def _classes(sizes: Sizes) -> tuple[Side, Side]:
    ours, alone = _class_rows(sizes)
    return _side("afterwit", ours, "same", "one-vs-all"), _side("afterwit", alone, "same", "adagrad")


def _class_rows(sizes: Sizes) -> tuple[int, int]:
    return sizes.dicts // 10, sizes.dicts  # ten classes take longer, and one alone is soon done


def _rows(sizes: Sizes) -> int:
    return sizes.dicts


RIVER = ("River LogisticRegression", ("river",))
WORK = {
    "`learn_one` on a dict of 10 names": ("same", "gradient-descent"),
    "the same, names made anew by JSON": ("anew", "gradient-descent"),
    "the same, AdaGrad(normalized=True)": ("anew", "adagrad"),
}
DICTS = [
    Benchmark("dict", work, *RIVER, 10.0, 20.0, _rows, Beside(partial(_sides, names=names, learner=learner)))
    for work, (names, learner) in WORK.items()
]
FACE = Benchmark(
    "dict-face", "the same by `afterwit.river`, predict and learn", *RIVER, 5.0, None, _rows, Beside(_both)
)
CLASSES = Benchmark(
    "dict-classes",
    "`OneVsAll.learn_one`, 10 names, 10 classes",
    "what the dict costs: AdaGrad alone",
    (),
    "4 us + dict",
    None,
    lambda sizes: _class_rows(sizes)[0],
    Beside(_classes, _class_rows),
    unit="us",
)
