"""Our side: a learner by its words on the command line, in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import afterwit.storage  # noqa: F401, every learner has a name from here on
from afterwit.cli.learners import learner_of
from afterwit.cli.main import options
from benchmarks.accuracy.predictions import Floats, Predictions, of_margins, of_scores
from benchmarks.accuracy.sets import Rows

DEFAULT = "auto"
#: What the default learner calls them.
TASKS = {"binary": "binary", "multiclass": "classes", "regression": "numbers"}
BATCH = 4096


def learner(words: str, task: str, classes: tuple[int, ...] = ()) -> Any:
    """As `afterwit learn --learner WORDS` makes it: squared loss for numbers, one against all for classes.

    The default learner only hears what to predict.
    """
    if words.partition(":")[0] == DEFAULT:
        joint = "," if ":" in words else ":"
        return learner_of(f"{words}{joint}task={TASKS[task]}", options(["learn", "-"]))
    told = {
        "binary": [],
        "multiclass": ["--classes", ",".join(map(str, classes))],
        "regression": ["--loss", "squared"],
    }
    return learner_of(words, options(["learn", "-", *told[task]]))


def predictions(rows: Rows, settings: Sequence[str]) -> Iterator[Predictions]:
    """What it predicts before each row, by one learner after the other."""
    for words in settings:
        yield learned(rows, words)[0]


def learned(rows: Rows, words: str) -> tuple[Predictions, Any]:
    """What it predicts before each row, and the learner that has learned them all."""
    model = learner(words, rows.task, rows.classes)
    names = np.array(rows.classes)
    found = []
    for first in range(0, len(rows), BATCH):
        y = rows.y[first : first + BATCH]
        if rows.task != "multiclass":
            found.append(of_margins(model.learn_many(rows.X[first : first + BATCH], y)))
        else:
            raw = model.learn_many(rows.X[first : first + BATCH], names[y.astype(np.int64)])
            found.append(of_scores(_in_order(raw, model.classes, rows.classes), y))
    together = np.concatenate(found)
    if not np.isfinite(together).all():
        raise ValueError(f"`{words}` predicted {together[~np.isfinite(together)][0]}")
    return together, model


def regret(model: Any) -> tuple[float, float] | None:
    """Of a panel: to its best member in hindsight, and the most that the theorem allows, where it says something."""
    if not hasattr(model, "standing"):
        return None
    standing = model.standing()
    return None if standing.bound.value is None else (standing.regret, standing.bound.value)


def _in_order(raw: Any, met: list[int], classes: tuple[int, ...]) -> Floats:
    """The columns in the order of `classes`; a class that was not met has none yet."""
    scores = np.full((len(raw), len(classes)), -np.inf)
    scores[:, [classes.index(name) for name in met]] = raw
    return scores
