"""River's forests: adaptive random forests, and aggregated Mondrian forests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.accuracy.predictions import Floats, Predictions, of_margins, of_probability, of_shares, within
from benchmarks.accuracy.sets import Rows

#: They learn so many rows, of at most so many features: a row is a dict of all of them, zeros too.
ROWS = 5_000
WIDEST = 1_000


def predictions(rows: Rows, settings: Sequence[str]) -> Iterator[Predictions]:
    """By the forests of these names: ARF or AMF, or `ARF scaled`, whose features are standardised as they come."""
    for words in settings:
        yield _predictions(rows, words)


def _predictions(rows: Rows, words: str) -> Predictions:
    """By ten trees; what they cannot tell yet counts as 0, or as all classes alike."""
    model = forest(words, rows.task)
    if rows.task == "regression":
        # The linear models in ARF's leaves diverge on raw features.
        return of_margins(within(np.array(_numbers(model, rows)), rows.y))
    codes = rows.y.astype(int) if rows.task == "multiclass" else (rows.y > 0.0).astype(int)
    found = shares(model, _dicts(rows), codes.tolist(), len(rows.classes) or 2)
    return of_shares(found, rows.y) if rows.task == "multiclass" else of_probability(found[:, 1])


def forest(words: str, task: str) -> Any:
    """A new one of this name, of ten trees."""
    from river import forest as forests
    from river import preprocessing

    name, _, scaled = words.partition(" ")
    model = getattr(forests, name + ("Regressor" if task == "regression" else "Classifier"))(seed=1)
    return preprocessing.StandardScaler() | model if scaled else model


def _dicts(rows: Rows) -> Iterator[dict[int, float]]:
    for x in rows.X[:, 1:]:  # indices begin with 1
        yield dict(enumerate(x.toarray()[0].tolist()))


def _numbers(model: Any, rows: Rows) -> list[float]:
    found = []
    for row, y in zip(_dicts(rows), rows.y.tolist(), strict=True):
        found.append(float(model.predict_one(row) or 0.0))
        model.learn_one(row, y)
    return found


def shares(model: Any, dicts: Iterable[dict[Any, Any]], codes: Sequence[int], classes: int = 2) -> Floats:
    """A probability per class, one line per row, before it is learned."""
    found = np.zeros((len(codes), classes))
    for share, row, y in zip(found, dicts, codes, strict=True):
        for code, p in model.predict_proba_one(row).items():
            share[code] = p
        if not share.sum() > 0.0:
            share[:] = 1.0 / classes
        model.learn_one(row, y)
    return found / found.sum(axis=1, keepdims=True)
