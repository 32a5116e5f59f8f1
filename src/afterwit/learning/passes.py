"""Learn, predict and evaluate over a stream."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import registry
from afterwit.learning.account import Account
from afterwit.learning.lesson import Lesson, account, called, decide, labels_of, loss_of, predict_batch, wants_of
from afterwit.learning.pieces import pieces
from afterwit.learning.report import Report, report_of
from afterwit.learning.sources import check_learner, stream_of, warn_of_columns
from afterwit.protocols import Batch, Labels, Learner, Stream
from afterwit.streams.ahead import batches_of


def learn(
    model: Learner,
    source: Any,
    y: Any = None,
    *,
    weight: Any = None,
    target: str | None = None,
    ids: Sequence[str] = (),
    passes: int = 1,
    limit: int | None = None,
    holdout: int | None = None,
    window: int | None = None,
    confusion: bool = False,
    delay: int = 0,
) -> Report:
    """Predicts each row, then learns it; the report is of the predictions, made before the labels were seen.

    `source` is a stream, or what `read` makes one of: a path, a table, an array or CSR matrix with its labels `y`, rows
    as (dict, label). `target` names the column of the labels, `weight` that of importance (or has the weights), `ids`
    those that are no features. What the model remembers of its table need not be said again.

    A pass stops after `limit` rows. Every `holdout`-th row is predicted, never learned, and reported apart, in
    `report.holdout`. With `window`, `report.window` and the curve have the averages over the last so many rows.
    With a `delay` a row is learned so many rows after it was predicted, as where labels come late, and the last ones at
    the end of the pass: the model ends as without one, the predictions are what they would have been then.
    With `confusion`, `report.confusion` says of several classes what was predicted of each; two labels always have it.

    >>> from afterwit.linear import AdaGrad
    >>> rows = [({"x": x, "word": "a" if x > 0 else "b"}, 1 if x > 0 else -1) for x in (1.0, -2.0, 3.0, -1.0) * 50]
    >>> report = learn(AdaGrad(normalized=True), rows)
    >>> report.rows, report.error_rate < 0.05
    (200, True)
    """
    check_learner(model)
    stream = stream_of(source, [model], y, weight, target, ids)
    lesson = Lesson(
        model, stream, passes, limit=limit, holdout=holdout, window=window, confusion=confusion, delay=delay
    )
    deque(lesson.steps(), maxlen=0)  # keeps no step, and so no rows, while the next are waited for
    return lesson.report()


def predictions(model: Learner, stream: Stream) -> Iterator[tuple[Batch, npt.NDArray[np.float64]]]:
    """Each batch of a stream, or piece of one, with its raw predictions, one line per row; labels are not looked at."""
    with batches_of(stream, Labels("none"), wants=wants_of(model)) as batches:
        for whole in batches:
            for batch in pieces(whole, model):
                yield batch, predict_batch(model, batch)


def predict(model: Learner, source: Any) -> npt.NDArray[np.float64]:
    """The raw predictions for all rows of a source as in `learn`, with labels or without; learns nothing.

    Warns where the columns are not those that the model has met.

    >>> from afterwit.linear import AdaGrad
    >>> predict(AdaGrad(), [{"x": 1.0}, {"x": 2.0}])
    array([0., 0.])
    """
    check_learner(model)
    stream = stream_of(source, [model])
    raw = [raw for _, raw in predictions(model, stream)]
    warn_of_columns(model, stream)
    several = labels_of(model).kind == "classes"
    width = len(getattr(model, "classes", ())) if several else 1
    together = np.concatenate(raw) if raw else np.zeros((0, width))
    return together if several else together[:, 0]


def evaluate(
    model: Learner,
    source: Any,
    y: Any = None,
    *,
    weight: Any = None,
    target: str | None = None,
    confusion: bool = False,
) -> Report:
    """The report of a model on a source as in `learn`; learns nothing, and leaves one undecided that has not decided.

    Its baseline is that of the labels of this source so far. Warns where the columns are not those that the model has
    met.
    """
    check_learner(model)
    stream = stream_of(source, [model], y, weight, target)
    report = evaluation(model, stream, confusion)
    warn_of_columns(model, stream)
    return report


def evaluation(model: Learner, stream: Stream, confusion: bool = False) -> Report:
    """The report of a model on a stream."""
    if labels_of(model).kind == "auto":
        model = registry.fresh(model)
    ledger = None
    with batches_of(stream, labels_of(model), wants=wants_of(model)) as batches:
        for whole in batches:
            decide(model, whole.labels)
            ledger = ledger or _ledger(model, confusion)
            for batch in pieces(whole, model):
                account(ledger, model, batch, predict_batch(model, batch))
    return report_of(
        ledger or _ledger(model, confusion),
        learner=repr(model),
        source=stream.description,
        loss=loss_of(model),
        kind=labels_of(model).kind,
        skipped=int(getattr(stream, "skipped", 0)),
        later_passes=[],
        classes=called(model, stream),
        confusion=confusion,
    )


def _ledger(model: Learner, confusion: bool) -> Account:
    return Account(loss_of(model), labels_of(model).kind == "classes", confusion=confusion)
