"""A pass over a stream, batch by batch: predict, account, learn. It can be left and taken up again between batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses
from afterwit.errors import DataError
from afterwit.learning.account import Account
from afterwit.learning.hindsight import PastRun
from afterwit.learning.pending import Pending
from afterwit.learning.pieces import pieces, rows_of
from afterwit.learning.report import Point, Report, points, report_of
from afterwit.learning.sources import known_of
from afterwit.protocols import Batch, ClassName, Labels, Learner, Position, Stream, Wants
from afterwit.registry.plain import count
from afterwit.schema import UNKNOWN, Schema, known_after, schema_of
from afterwit.streams.ahead import batches_of
from afterwit.streams.arrays import as_dicts
from afterwit.trees.experts import Experts

Raw = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def labels_of(model: Learner) -> Labels:
    """Which labels a learner wants; one that does not say gets numbers as they come."""
    labels = getattr(model, "labels", None)
    return labels if isinstance(labels, Labels) else Labels("real")


def decide(model: Any, labels: Labels | None) -> None:
    """Tells a learner that has not decided which labels there are; numbers, where a stream does not say."""
    if labels_of(model).kind != "auto":
        return
    model.decide(labels or Labels("real"))
    if labels_of(model).kind == "auto":
        raise TypeError(f"`{type(model).__name__}` was told which labels there are, and its `labels` are still `auto`")


def tell(model: Any, schema: Schema) -> None:
    """Tells a learner what it was taught, where it wants to know."""
    if schema != UNKNOWN and hasattr(type(model), "schema"):
        model.schema = (model.schema or UNKNOWN).and_then(schema)


def loss_of(model: Learner) -> str:
    """The loss a learner is reported by: its own, or squared loss, also of one that has not decided."""
    if labels_of(model).kind == "auto":
        return "squared"
    loss = getattr(model, "loss", "squared")
    return _name_of(loss) if isinstance(loss, str) else str(losses.get(loss))


@cache
def _name_of(loss: str) -> str:
    return str(losses.get(loss))


def wants_of(model: Learner) -> Wants:
    """What a learner must know of the features: the names, if it does not say, and always if it gets rows as dicts."""
    wants = getattr(model, "wants", None)
    if not isinstance(wants, Wants):
        return Wants(names=True)
    takes_batches = hasattr(model, "learn_many") and hasattr(model, "predict_many")
    return wants if takes_batches else replace(wants, names=True)


def learn_batch(model: Any, batch: Batch) -> Raw:
    """The raw predictions before each row, one line per row; learns the rows."""
    if hasattr(model, "learn_many"):
        return np.asarray(model.learn_many(batch), dtype=np.float64).reshape(len(batch), -1)
    weights = np.ones(len(batch)) if batch.weight is None else batch.weight
    raw = []
    for x, y, weight in zip(as_dicts(batch), batch.y.tolist(), weights.tolist(), strict=True):
        raw.append(float(model.predict_one(x)))
        if weight != 0.0:
            model.learn_one(x, y, weight)
    return np.array(raw, dtype=np.float64).reshape(len(batch), 1)


def predict_batch(model: Any, batch: Batch) -> Raw:
    """The raw predictions, one line per row."""
    if hasattr(model, "predict_many"):
        return np.asarray(model.predict_many(batch), dtype=np.float64).reshape(len(batch), -1)
    return np.array([float(model.predict_one(x)) for x in as_dicts(batch)]).reshape(len(batch), 1)


def account(ledger: Account, model: Any, batch: Batch, raw: Raw, only: Mask | None = None) -> None:
    """Enters a batch and its predictions, or some rows of it, into the ledger."""
    named = batch.classes and labels_of(model).kind == "classes"
    ledger.enter(batch, raw, model.classes if named else None, only)


def found_labels(model: Any) -> str | None:
    """Which labels a learner that decides has, in words; None for others, and before it has decided."""
    labels = labels_of(model)
    if not hasattr(model, "decide") or labels.kind == "auto":
        return None
    if labels.kind == "binary":
        no, yes = labels.classes or (-1, "+1")
        return f"two classes, {no} and {yes}"
    if labels.kind == "real":
        return "numbers"
    return f"{len(model.classes):,} class{'' if len(model.classes) == 1 else 'es'}"


def called(model: Any, stream: Stream) -> tuple[ClassName, ...] | None:
    """What two labels are called, the negative one first, where the learner or the stream knows."""
    return labels_of(model).classes or known_of(model).classes or known_of(stream).classes


def panel_of(model: Any) -> dict[str, Any] | None:
    """How the members of a learner that has some stand, as plain data."""
    stands = getattr(model, "standing", None)
    if stands is None or labels_of(model).kind == "auto":
        return None
    found: dict[str, Any] = stands().to_dict()
    return found


def pruning_of(model: Any) -> dict[str, Any] | None:
    """How a tree or graph stands beside its best pruning, as plain data; None for any other learner."""
    return model.pruning().to_dict() if isinstance(model, Experts) else None


@dataclass
class Step:
    """What just happened: a batch, or a piece of one, and the raw predictions before it was learned.

    Where a batch `ends`, the lesson can be left and taken up again.
    """

    batch: Batch
    raw: Raw
    ends: bool


class Lesson:
    """One learner on one stream for some passes. The report is of the first pass; later ones see rows again.

    A pass ends after `limit` rows. Every `holdout`-th row is predicted and reported apart, and never learned. With a
    `delay` a row is learned so many rows after it was predicted, and the last ones at the end of the pass. `window`
    asks for the averages over the last so many rows as well, `confusion` for what was predicted of each class, where
    there are several.

    A learner that has not decided which labels it learns is told by the first batch. Without one it stays so, and the
    report, the curve and the state are those of no rows of numbers.
    """

    def __init__(
        self,
        model: Learner,
        stream: Stream,
        passes: int = 1,
        *,
        limit: int | None = None,
        holdout: int | None = None,
        window: int | None = None,
        confusion: bool = False,
        delay: int = 0,
    ) -> None:
        counts = (("passes", passes, 1), ("limit", limit, 1), ("holdout", holdout, 2), ("delay", delay, 0))
        for name, value, least in counts:
            if value is not None and value < least:
                raise ValueError(f"{name} is {value}, expected {least} or more")
        if window is not None and window < 1:
            raise ValueError(f"window is {window}, expected 1 or more")
        if passes > 1 and not stream.rereadable:
            raise DataError(f"passes is {passes}, but {stream.description} can be read only once")
        self.model, self.stream, self.passes = model, stream, passes
        self.limit, self.holdout, self.window, self.confusion = limit, holdout, window, confusion
        self.pending = Pending(delay, predict_batch, learn_batch) if delay else None
        self.labels = labels_of(model)
        self.first = self.current = self._ledgers(model)
        self.position = Position()
        #: Where the first pass ended; a later one of a resumed lesson must end there, too.
        self.end: Position | None = None
        self.resumed = False
        self._met_before = UNKNOWN
        self.rows = 0
        self.done = 0
        self.later: list[float] = []
        self.later_held: list[float] = []
        self.skipped = 0

    def _ledgers(self, model: Learner) -> Ledgers:
        return Ledgers(loss_of(model), labels_of(model).kind == "classes", self.window or 0, self.confusion)

    def steps(self) -> Iterator[Step]:
        """Goes on from where it stands; a step per batch, or several for one."""
        while self.done < self.passes:
            if not self._reached_limit():
                yield from self._pass()
            self._end_pass()

    def _pass(self) -> Iterator[Step]:
        start = self.position if self.position != Position() else None
        with batches_of(self.stream, self.labels, wants=wants_of(self.model), start=start) as batches:
            for whole in batches:
                self._decide(whole)
                batch = whole if self.limit is None else rows_of(whole, 0, self.limit - self.rows)
                left = len(batch)
                for piece in pieces(batch, self.model):
                    raw = self._learn(piece)
                    self.rows += len(piece)
                    left -= len(piece)
                    if not left:
                        self.position = batch.position
                        self.skipped = max(self.skipped, batch.position.skipped)
                    yield Step(piece, raw, not left)
                if self._reached_limit():
                    return
                del whole, batch, piece  # or they would be there while the next batch is waited for
        self.skipped = max(self.skipped, getattr(self.stream, "skipped", 0))

    def _decide(self, batch: Batch) -> None:
        if self.labels.kind == "auto":
            decide(self.model, batch.labels)
            self.labels = labels_of(self.model)
            self.first = self.current = self._ledgers(self.model)

    def _reached_limit(self) -> bool:
        return self.limit is not None and self.rows >= self.limit

    def _learn(self, batch: Batch) -> Raw:
        """Predicts, learns and accounts. A row of weight 0 is only predicted, and so is one held out."""
        held: Mask | None = None
        taught = batch
        if self.holdout is not None:
            held = np.arange(self.rows + 1, self.rows + len(batch) + 1) % self.holdout == 0
            weight = np.ones(len(batch)) if batch.weight is None else batch.weight
            taught = replace(batch, weight=np.where(held, 0.0, weight))
        try:
            raw = self.pending.learn(self.model, taught) if self.pending else learn_batch(self.model, taught)
        except ValueError as error:
            place = f"{self.stream.description}, rows {self.rows + 1} to {self.rows + len(batch)}"
            raise DataError(str(error), source=place) from error
        account(self.current.learned, self.model, batch, raw, None if held is None else ~held)
        if held is not None:
            account(self.current.held, self.model, batch, raw, held)
        return raw

    def _end_pass(self) -> None:
        if self.pending:
            self.pending.flush(self.model)
        if self.done == 0:
            self.end = self.position
            tell(self.model, self._met())
        elif self.resumed and self.limit is None and self.end not in (None, self.position):
            message = "the input changed since the checkpoint was written: this pass did not end where the first did"
            raise DataError(f"{message}; start again from the beginning", source=self.stream.description)
        if self.done > 0:
            self.later.append(mean_loss(self.current.learned))
            if self.holdout is not None:
                self.later_held.append(mean_loss(self.current.held))
        self.done += 1
        self.position, self.rows, self._met_before = Position(), 0, UNKNOWN
        if self.done < self.passes:
            self.current = self._ledgers(self.model)

    def _met(self) -> Schema:
        """What is known of the columns in this pass, also before the checkpoint that it goes on from."""
        return self._met_before.and_then(known_after(self.stream, self.rows))

    def progress(self) -> float | None:
        """The part of all passes that is read, from 0 to 1; None where the stream does not know."""
        if self.done == self.passes:
            return 1.0
        fraction = getattr(self.stream, "progress", lambda: None)()
        if self.limit is not None:
            fraction = max(fraction or 0.0, self.rows / self.limit)
        return None if fraction is None else float((self.done + fraction) / self.passes)

    def report(self) -> Report:
        """The report so far."""
        return report_of(
            self.first.learned,
            learner=repr(self.model) + (f", {self.pending.delay:,} rows late" if self.pending else ""),
            source=self.stream.description,
            loss=loss_of(self.model),
            kind=self.labels.kind,
            skipped=self.skipped,
            later_passes=list(self.later),
            classes=called(self.model, self.stream),
            window=self.window,
            confusion=self.confusion,
            held=None if self.holdout is None else self.first.held,
            later_held=list(self.later_held),
            labels=found_labels(self.model),
            panel=panel_of(self.model),
            pruning=pruning_of(self.model),
        ).looking(self.past_run())

    def past_run(self) -> PastRun:
        """What hindsight needs to know of the first pass so far."""
        totals, held = self.first.learned.totals(), self.first.held.totals()
        return PastRun(
            self.model,
            self.stream,
            self.labels,
            wants_of(self.model),
            loss_of(self.model),
            self.holdout,
            int(totals["rows"] + held["rows"]),
            totals,
            late=self.pending is not None,
        )

    def curve(self) -> list[Point]:
        """The points of the first pass so far that are at powers of two, and now."""
        return points(self.first.learned, loss_of(self.model), self.labels.kind, self.window, powers=True)

    def state(self) -> dict[str, Any]:
        """Where it stands, without the model, as plain data."""
        return {
            **self._settings(),
            "done": self.done,
            "later": list(self.later),
            "later_held": list(self.later_held),
            "skipped": self.skipped,
            "position": asdict(self.position),
            "end": None if self.end is None else asdict(self.end),
            "rows": self.rows,
            "met": self._met().to_plain(),
            "pending": self.pending.state() if self.pending else None,
            "first": self.first.state(self.holdout),
            "current": None if self.current is self.first else self.current.state(self.holdout),
        }

    def set_state(self, state: dict[str, Any], model: Learner | None = None) -> None:
        """Goes back to where `state` says; the model, or the one given, must be that of the same moment."""
        model = self.model if model is None else model
        for name, value in {"delay": None, **self._settings()}.items():
            if state.get(name) != value:
                raise ValueError(f"{name} is {value}, the checkpoint was written with {state.get(name)}")
        met = schema_of(state.get("met", {}))
        done, skipped, rows = (count(state[name], f"its `{name}`") for name in ("done", "skipped", "rows"))
        later, later_held = ([float(loss) for loss in state[name]] for name in ("later", "later_held"))
        position = _position(state["position"])
        end = _position(state["end"]) if state.get("end") else None
        if done > self.passes:
            raise ValueError(f"its `done` is {done}, expected at most the {self.passes} passes")
        first = current = self._ledgers(model)
        first.set_state(state["first"])
        if state["current"] is not None:
            current = self._ledgers(model)
            current.set_state(state["current"])
        if self.pending:
            self.pending.set_state(state["pending"])
        if model is not self.model and (known := getattr(self.model, "schema", None)) is not None:
            model.schema = known  # type: ignore[attr-defined]
        self.model, self.labels = model, labels_of(model)
        self.done, self.skipped, self.rows, self.resumed = done, skipped, rows, True
        self._met_before = met if position != Position() else UNKNOWN
        self.position, self.end = position, end
        self.later, self.later_held, self.first, self.current = later, later_held, first, current

    def _settings(self) -> dict[str, int | None]:
        wanted = {"passes": self.passes, "limit": self.limit, "holdout": self.holdout, "window": self.window}
        later = {"confusion": True if self.confusion else None, "delay": self.pending.delay if self.pending else None}
        return {**wanted, **{name: value for name, value in later.items() if value is not None}}


class Ledgers:
    """The ledgers of one pass: of the rows that were learned, and of those held out."""

    def __init__(self, loss: str, classes: bool, window: int, confusion: bool) -> None:
        self.learned = Account(loss, classes, window, confusion)
        self.held = Account(loss, classes)

    def state(self, holdout: int | None) -> dict[str, Any]:
        return {"learned": self.learned.state(), "held": None if holdout is None else self.held.state()}

    def set_state(self, state: dict[str, Any]) -> None:
        self.learned.set_state(state["learned"])
        if state["held"] is not None:
            self.held.set_state(state["held"])


def _position(state: dict[str, Any]) -> Position:
    return Position(**{name: count(value, f"its position's `{name}`") for name, value in state.items()})


def mean_loss(ledger: Account) -> float:
    """The mean loss of a ledger; 0 of an empty one."""
    totals = ledger.totals()
    return float(totals["loss"] / totals["weight"]) if totals["weight"] > 0 else 0.0
