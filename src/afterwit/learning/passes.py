"""Learn, predict and evaluate over a stream."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses, registry
from afterwit._core import Ledger
from afterwit.learning.lesson import Lesson, account, decide, labels_of, loss_of, predict_batch, wants_of
from afterwit.learning.pieces import pieces
from afterwit.learning.report import Report, report_of
from afterwit.protocols import Batch, Labels, Learner, Stream
from afterwit.streams.ahead import batches_of


def learn(
    model: Learner,
    stream: Stream,
    *,
    passes: int = 1,
    limit: int | None = None,
    holdout: int | None = None,
    window: int | None = None,
) -> Report:
    """Predicts each row, then learns it; the report is of the predictions, made before the labels were seen.

    A pass stops after `limit` rows. Every `holdout`-th row is predicted, never learned, and reported apart, in
    `report.holdout`. With `window`, `report.window` and the curve have the averages over the last so many rows.

    >>> from afterwit.linear import AdaGrad
    >>> from afterwit.streams import read
    >>> rows = [({"x": x, "word": "a" if x > 0 else "b"}, 1 if x > 0 else -1) for x in (1.0, -2.0, 3.0, -1.0) * 50]
    >>> report = learn(AdaGrad(normalized=True), read(rows))
    >>> report.rows, report.error_rate < 0.05
    (200, True)
    """
    lesson = Lesson(model, stream, passes, limit=limit, holdout=holdout, window=window)
    deque(lesson.steps(), maxlen=0)  # keeps no step, and so no rows, while the next are waited for
    return lesson.report()


def predictions(model: Learner, stream: Stream) -> Iterator[tuple[Batch, npt.NDArray[np.float64]]]:
    """Each batch of a stream, or piece of one, with its raw predictions, one line per row; labels are not looked at."""
    with batches_of(stream, Labels("none"), wants=wants_of(model)) as batches:
        for whole in batches:
            for batch in pieces(whole, model):
                yield batch, predict_batch(model, batch)


def predict(model: Learner, stream: Stream) -> npt.NDArray[np.float64]:
    """The raw predictions for all rows of a stream; learns nothing."""
    raw = [raw for _, raw in predictions(model, stream)]
    several = labels_of(model).kind == "classes"
    width = len(getattr(model, "classes", ())) if several else 1
    together = np.concatenate(raw) if raw else np.zeros((0, width))
    return together if several else together[:, 0]


def evaluate(model: Learner, stream: Stream) -> Report:
    """The report of a model on a stream; learns nothing, and leaves one undecided that has not decided."""
    if labels_of(model).kind == "auto":
        model = registry.fresh(model)
    ledger = None
    with batches_of(stream, labels_of(model), wants=wants_of(model)) as batches:
        for whole in batches:
            decide(model, whole.labels)
            ledger = ledger or _ledger(model)
            for batch in pieces(whole, model):
                account(ledger, model, batch, predict_batch(model, batch))
    return report_of(
        ledger or _ledger(model),
        learner=repr(model),
        source=stream.description,
        loss=loss_of(model),
        kind=labels_of(model).kind,
        skipped=int(getattr(stream, "skipped", 0)),
        later_passes=[],
    )


def _ledger(model: Learner) -> Ledger:
    return Ledger(losses.get(loss_of(model)), labels_of(model).kind == "classes")


def label(model: Any, x: Any) -> Any:
    """The label that the model gives a row: -1 or +1, or the name of a class where the model knows names.

    >>> from afterwit.linear import GradientDescent
    >>> label(GradientDescent(loss="squared"), {"x": 1.0})
    Traceback (most recent call last):
    ...
    ValueError: `squared` loss predicts a number, not a label; use predict_one
    """
    _check_decided(model)
    raw = model.predict_one(x)
    if labels_of(model).kind == "classes":
        _check_met(model)
        return model.classes[int(np.argmax(raw))]
    if labels_of(model).kind == "real":
        raise ValueError(f"`{loss_of(model)}` loss predicts a number, not a label; use predict_one")
    no, yes = labels_of(model).classes or (-1, 1)
    return yes if raw >= 0.0 else no


def probability(model: Any, x: Any) -> Any:
    """The probability of +1, or of every class as a dict; only logistic loss has one.

    >>> from afterwit.linear import AdaGrad
    >>> probability(AdaGrad(), {"x": 1.0})
    0.5
    """
    _check_decided(model)
    if loss_of(model) != "logistic":
        raise ValueError(f"`{loss_of(model)}` loss gives no probability; learn with logistic loss")
    raw = np.atleast_1d(np.asarray(model.predict_one(x), dtype=np.float64))
    log_sigmoid = -np.logaddexp(0.0, -raw)
    if labels_of(model).kind != "classes":
        return float(np.exp(log_sigmoid[0]))
    _check_met(model)
    shares = np.exp(log_sigmoid - log_sigmoid.max())  # all of them may be too small for a float
    return dict(zip(model.classes, (shares / shares.sum()).tolist(), strict=True))


def _check_decided(model: Any) -> None:
    if labels_of(model).kind == "auto":
        raise ValueError("the model has not met any label yet")


def _check_met(model: Any) -> None:
    if not len(model.classes):
        raise ValueError("the model has not met any class yet")
