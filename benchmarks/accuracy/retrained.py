"""LightGBM with its defaults, trained anew on all rows so far whenever there are twice as many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.accuracy.predictions import Floats, Predictions, of_margins, of_shares
from benchmarks.accuracy.sets import Rows

#: Where it is trained for the first time.
FIRST = 64
OBJECTIVES = {"binary": "binary", "multiclass": "multiclass", "regression": "regression"}
#: How it runs, not what it learns: the same numbers every time, in one thread.
RUNS = {"num_threads": 1, "verbosity": -1, "deterministic": True, "force_col_wise": True, "seed": 1}


def predictions(rows: Rows, settings: Sequence[str]) -> Iterator[Predictions]:
    """Its only setting is what it does when nothing is said."""
    for _ in settings:
        yield _predictions(rows)


def _predictions(rows: Rows) -> Predictions:
    """Frequencies or means of the rows before, until it can be trained: for the first rows, or as long as one class is
    all there is.
    """
    raw = _before(rows)
    begin = FIRST
    while begin < len(rows):
        end = min(2 * begin, len(rows))
        past = rows.first(begin)
        if rows.task == "regression" or len(np.unique(past.y)) > 1:
            found = _train(past).predict(rows.X[begin:end], raw_score=rows.task == "binary")
            raw[begin:end] = found.reshape(end - begin, -1)
        begin = end
    return of_shares(raw, rows.y) if rows.task == "multiclass" else of_margins(raw[:, 0])


def _train(past: Rows) -> Any:
    import lightgbm

    settings = {"objective": OBJECTIVES[past.task], **RUNS}
    if past.task == "multiclass":
        settings["num_class"] = len(past.classes)
    return lightgbm.train(settings, lightgbm.Dataset(past.X, past.y > 0.0 if past.task == "binary" else past.y))


def _before(rows: Rows) -> Floats:
    """A margin, number, or probability per class from the labels before each row; half a row of each class was seen."""
    if rows.task == "regression":
        sums = np.concatenate([[0.0], np.cumsum(rows.y)[:-1]])
        return (sums / np.maximum(1.0, np.arange(len(rows))))[:, None]
    codes = rows.y if rows.task == "multiclass" else (rows.y > 0.0).astype(np.float64)
    hot = codes[:, None] == np.arange(len(rows.classes) or 2)
    seen = np.cumsum(hot, axis=0) - hot + 0.5
    if rows.task == "binary":
        return np.asarray(np.log(seen[:, 1:] / seen[:, :1]))
    return np.asarray(seen / seen.sum(axis=1, keepdims=True))
