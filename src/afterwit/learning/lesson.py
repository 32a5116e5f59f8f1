"""A pass over a stream, batch by batch: predict, account, learn. It can be left and taken up again between batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses
from afterwit._core import Ledger
from afterwit.errors import DataError
from afterwit.features import Features
from afterwit.learning.report import Report, report_of
from afterwit.protocols import NOTHING, Batch, Labels, Learner, Position, Stream, Wants
from afterwit.streams.ahead import batches_of
from afterwit.streams.arrays import as_dicts

Raw = npt.NDArray[np.float64]


def labels_of(model: Learner) -> Labels:
    """Which labels a learner wants; one that does not say gets numbers as they come."""
    labels = getattr(model, "labels", None)
    return labels if isinstance(labels, Labels) else Labels("real")


def loss_of(model: Learner) -> str:
    """The loss a learner is reported by: its own, or squared loss."""
    return str(losses.get(getattr(model, "loss", "squared")))


def wants_of(model: Learner) -> Wants:
    """What a learner must know of the features; one that takes dicts alone needs the names."""
    inner = getattr(model, "model", model)
    if not hasattr(inner, "learn_many"):
        return Wants(names=True)
    features = getattr(inner, "features", None)
    return features.wants if isinstance(features, Features) else NOTHING


def learn_batch(model: Any, batch: Batch) -> Raw:
    """The raw predictions before each row, one line per row; learns the rows."""
    if hasattr(model, "learn_many"):
        return np.asarray(model.learn_many(batch), dtype=np.float64).reshape(len(batch), -1)
    weights = np.ones(len(batch)) if batch.weight is None else batch.weight
    raw = []
    for x, y, weight in zip(as_dicts(batch), batch.y.tolist(), weights.tolist(), strict=True):
        raw.append(float(model.predict_one(x)))
        model.learn_one(x, y, weight)
    return np.array(raw, dtype=np.float64).reshape(len(batch), 1)


def predict_batch(model: Any, batch: Batch) -> Raw:
    """The raw predictions, one line per row."""
    if hasattr(model, "predict_many"):
        return np.asarray(model.predict_many(batch), dtype=np.float64).reshape(len(batch), -1)
    return np.array([float(model.predict_one(x)) for x in as_dicts(batch)]).reshape(len(batch), 1)


def account(ledger: Ledger, model: Any, batch: Batch, raw: Raw) -> None:
    """Enters a batch and its predictions into the ledger."""
    y = batch.y
    if batch.classes and labels_of(model).kind == "class":
        own = {name: code for code, name in enumerate(model.classes)}
        table = np.array([own.get(name, len(own)) for name in batch.classes], dtype=np.float64)
        y = table[y.astype(np.int64)]
    ledger.add(raw, y, batch.weight)


@dataclass
class Step:
    """What just happened: a batch and the raw predictions before it was learned."""

    batch: Batch
    raw: Raw


class Lesson:
    """One learner on one stream for some passes. The report is of the first pass; later ones see rows again."""

    def __init__(self, model: Learner, stream: Stream, passes: int = 1) -> None:
        if passes < 1:
            raise ValueError(f"passes is {passes}, expected 1 or more")
        if passes > 1 and not stream.rereadable:
            raise DataError(f"passes is {passes}, but {stream.description} can be read only once")
        self.model, self.stream, self.passes = model, stream, passes
        self.labels = labels_of(model)
        self.first = self._ledger()
        self.ledger = self.first
        self.position = Position()
        self.done = 0
        self.later: list[float] = []
        self.skipped = 0

    def _ledger(self) -> Ledger:
        return Ledger(losses.get(loss_of(self.model)), self.labels.kind == "class")

    def steps(self) -> Iterator[Step]:
        """Goes on from where it stands; one step per batch."""
        while self.done < self.passes:
            start = self.position if self.position != Position() else None
            with batches_of(self.stream, self.labels, wants=wants_of(self.model), start=start) as batches:
                for batch in batches:
                    raw = self._learn(batch)
                    account(self.ledger, self.model, batch, raw)
                    self.position = batch.position
                    self.skipped = max(self.skipped, batch.position.skipped)
                    yield Step(batch, raw)
            self.skipped = max(self.skipped, getattr(self.stream, "skipped", 0))
            self._end_pass()

    def _learn(self, batch: Batch) -> Raw:
        try:
            return learn_batch(self.model, batch)
        except ValueError as error:
            last = batch.position.rows
            place = f"{self.stream.description}, rows {last - len(batch) + 1} to {last}"
            raise DataError(str(error), source=place) from error

    def _end_pass(self) -> None:
        if self.done > 0:
            totals = self.ledger.totals()
            self.later.append(totals["loss"] / totals["weight"] if totals["weight"] > 0 else 0.0)
        self.done += 1
        self.position = Position()
        if self.done < self.passes:
            self.ledger = self._ledger()

    def report(self) -> Report:
        """The report so far."""
        return report_of(
            self.first,
            learner=repr(self.model),
            source=self.stream.description,
            loss=loss_of(self.model),
            kind=self.labels.kind,
            skipped=self.skipped,
            later_passes=list(self.later),
        )

    def state(self) -> dict[str, Any]:
        """Where it stands, without the model, as plain data."""
        return {
            "passes": self.passes,
            "done": self.done,
            "later": list(self.later),
            "skipped": self.skipped,
            "position": asdict(self.position),
            "first": self.first.state(),
            "ledger": None if self.ledger is self.first else self.ledger.state(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Goes back to where `state` says; the model must be the one of that moment."""
        if state["passes"] != self.passes:
            raise ValueError(f"passes is {self.passes}, the checkpoint was written with {state['passes']}")
        self.done, self.later, self.skipped = int(state["done"]), list(state["later"]), int(state["skipped"])
        self.position = Position(**state["position"])
        self.first.set_state(state["first"])
        if state["ledger"] is not None:
            self.ledger = self._ledger()
            self.ledger.set_state(state["ledger"])
