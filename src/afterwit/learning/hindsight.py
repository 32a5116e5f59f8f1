"""What hindsight would have gained: the best fixed linear predictor over a stream that is read again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses, registry
from afterwit._core import Hindsight as CoreHindsight
from afterwit._core import Ledger
from afterwit.errors import DataError
from afterwit.features import Features
from afterwit.linear import GradientDescent, OneVsAll
from afterwit.linear.linear import Linear
from afterwit.protocols import Batch, Labels, Stream, Wants
from afterwit.regret.evidence import Bound, Evidence
from afterwit.regret.linear import best_linear_predictor
from afterwit.regret.simplex import scipy_optimize
from afterwit.regret.units import Moments
from afterwit.shown import pairs
from afterwit.streams.ahead import batches_of

Array = npt.NDArray[np.float64]
#: Told which reading of the stream it is, counted from 1, and how far it is, from 0 to 1.
Watch = Callable[[int, float], None]


@dataclass(frozen=True)
class Hindsight:
    """A learner's total loss beside that of the best fixed linear predictor u on the same rows, intercept included.

    u minimises the weighted losses plus 1e-12/2 (u_i x_i)^2 for every feature of a row, weighed as the row, over the
    learner's own features: the penalty knows no scale, and is there for rows that are fewer than features or separable.
    Where the learner keeps to a ball, so does u. `best_loss` is without the penalty. With several classes there is one
    u for each, in no ball, which counts from where the learner's own did, and `norm` is that of all of them together.

    The losses are those of u as it was found, so `regret` is never above the regret to the best u. `exact` says that
    `best_loss` is known to be within 1e-6 of the least, or 1e-10 of the loss of u = 0 or less: the gradient at u proves
    it, and the penalty is not felt. It is not exact with a kink (hinge, absolute, quantile), when the stream was read
    `passes` times without an end, and where features are so nearly dependent that rounding hides the best u. The search
    is Newton's method up to 200 features, L-BFGS above. `bound` is what the learner's theorem allows, or why there is
    none.
    """

    rows: int
    weight: float
    loss: float
    best_loss: float
    regret: float
    norm: float
    exact: bool
    passes: int
    bound: Bound

    @property
    def mean_loss(self) -> float:
        """The learner's mean loss."""
        return self.loss / self.weight if self.weight > 0.0 else 0.0

    @property
    def best_mean_loss(self) -> float:
        """The mean loss of the best u."""
        return self.best_loss / self.weight if self.weight > 0.0 else 0.0

    def to_json(self) -> str:
        """All of it as one JSON object."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {**asdict(self), "mean_loss": self.mean_loss, "best_mean_loss": self.best_mean_loss}

    def lines(self) -> list[tuple[str, str]]:
        """Names and values, as people read them."""
        about = "" if self.exact else " (about)"
        lines = [
            ("loss in total", f"{self.loss:,.6g}"),
            (f"best in hindsight{about}", f"{self.best_loss:,.6g}, per row {self.best_mean_loss:.6f}"),
            ("regret", f"{self.regret:,.6g}, per row {self.mean_loss - self.best_mean_loss:.6f}"),
            ("norm of the best |u|", f"{self.norm:,.6g}"),
        ]
        if self.bound.value is None:
            return [*lines, ("bound", f"none: {self.bound.source}")]
        return [*lines, (f"bound on the {self.bound.of}", f"{self.bound.value:,.6g} ({self.bound.source})")]

    def __str__(self) -> str:
        return show_lines(self.lines())

    def _repr_html_(self) -> str:
        return pairs(self.lines())


def show_lines(lines: list[tuple[str, str]]) -> str:
    """Names and values in two columns."""
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)


@dataclass(frozen=True)
class PastRun:
    """A learner and the rows it has learned in its first pass, of which every `holdout`-th was left out."""

    model: Any
    stream: Stream
    labels: Labels
    wants: Wants
    loss: str
    holdout: int | None
    rows: int
    totals: dict[str, float]
    late: bool = False

    def check(self) -> None:
        """Raises what `hindsight` would raise before it reads a row."""
        if self.linear() is None:
            base = self.model.model if isinstance(self.model, OneVsAll) else self.model
            raise TypeError(
                f"hindsight compares with a linear predictor over the learner's own features, and of "
                f"`{type(base).__name__}` it knows none"
            )
        if not self.stream.rereadable:
            raise DataError(
                f"hindsight reads the stream again, but {self.stream.description} can be read only once; "
                "save it to a file first"
            )
        scipy_optimize()

    def linear(self) -> Linear | None:
        """The linear learner over whose features u is looked for: itself, or of any other learner of afterwit one that
        stands in for it; None for learners that have no features, and for several classes where they are not linear."""
        base = self.model.model if isinstance(self.model, OneVsAll) else self.model
        if isinstance(base, Linear):
            return base
        features, kind = getattr(base, "features", None), self.labels.kind
        if not isinstance(features, Features) or isinstance(self.model, OneVsAll) or kind == "classes":
            return None
        return GradientDescent(loss=self.loss, features=features)

    def hindsight(self, passes: int, watch: Watch | None = None) -> Hindsight:
        """Reads the stream again, at most `passes` times."""
        if passes < 2:
            raise ValueError(f"passes is {passes}, expected 2 or more")
        self.check()
        past = _Past(self, watch or (lambda reading, part: None))
        radius = getattr(self.model, "radius", None)  # of OneVsAll it is the inner learner's, and not this
        chosen = losses.get(self.loss)
        found = best_linear_predictor(
            past.total_loss,
            past.moments(),
            past.problems * len(past.notes.slots),
            kinked=chosen.smoothness is None,
            radius=radius,
            evaluations=passes - 1,
            curved=past.curved_loss,
        )
        regret, norm = self.totals["loss"] - found.loss, float(np.linalg.norm(found.u))
        return Hindsight(
            rows=int(self.totals["rows"]),
            weight=self.totals["weight"],
            loss=self.totals["loss"],
            best_loss=found.loss,
            regret=regret,
            norm=norm,
            exact=found.exact,
            passes=found.evaluations + 1,
            bound=self._bound(past, found.u, found.loss, regret),
        )

    def _bound(self, past: _Past, u: Array, best_loss: float, regret: float) -> Bound:
        if self.late:
            return Bound.none("the theorems are about rows that are learned before the next one is predicted")
        if isinstance(self.model, OneVsAll):
            return Bound.none("the theorems are about one learner, and here is one per class")
        if self.linear() is not self.model:
            return Bound.none(
                "it is no linear learner; a panel has a bound to its best member, a tree to its best pruning"
            )
        if not past.fresh:
            return Bound.none(
                "the theorems are about a learner that begins without weights; this one had learned before"
            )
        notes = past.notes
        evidence = Evidence(
            rounds=int(notes.rounds),
            weighted=not notes.all_one,
            reach=notes.reach,
            gradient=notes.gradient,
            gradient_norms=np.sqrt(notes.gradient_squares),
            distance=float(np.maximum(notes.high - u, u - notes.low).max(initial=0.0)),
            regret=regret,
            mistakes=self.totals["mistakes"],
            best_loss=best_loss,
            norm=float(np.linalg.norm(u)),
        )
        learner: Any = self.model
        bound: Bound = learner.regret_bound(evidence)
        return bound


class _Past:
    """The rows again. The first time a fresh copy of the learner learns them, for what the theorems ask for."""

    def __init__(self, look: PastRun, watch: Watch) -> None:
        self.look, self.watch, self.readings = look, watch, 0
        several = isinstance(look.model, OneVsAll)
        linear = look.linear()
        assert linear is not None
        self.base = registry.fresh(linear)
        self.problems = len(look.model.classes) if several else 1
        self.notes = CoreHindsight(losses.get(look.loss))
        self._first = np.zeros(self.problems)  # the first row whose loss counts, for each class
        self.fresh = self._classes_replayed() if several else self._replayed()

    def total_loss(self, u: Array, width: float) -> tuple[float, float, Array]:
        """The loss of u, its rounded loss and the gradient of that; reads the stream once."""
        return self._summed(u, width, [None] * self.problems)

    def curved_loss(self, u: Array, width: float) -> tuple[float, float, Array, Array]:
        """The same and the Hessian, a block for every class."""
        features = len(self.notes.slots)
        hessian = np.zeros((self.problems, features, features))
        return *self._summed(u, width, list(hessian)), hessian

    def _summed(self, u: Array, width: float, hessian: Sequence[Array | None]) -> tuple[float, float, Array]:
        each = u.reshape(self.problems, -1)
        gradient = np.zeros(each.shape)
        true = value = 0.0
        for start, b, h in self._batches():
            for k in range(self.problems):
                y, weight = self._problem(k, start, b, h)
                rows = (b.keys, b.values, b.starts, y, weight, b.groups)
                a, r = self.notes.add_loss(self.base, *rows, width, each[k], gradient[k], hessian[k])
                true, value = true + a, value + r
        return true, value, gradient.ravel()

    def moments(self) -> Moments:
        """Of the features, in which u is looked for."""
        intercept = np.flatnonzero(self.notes.slots == self.base.intercept_slot)
        place = int(intercept[0]) if len(intercept) else None
        return Moments(self.look.totals["weight"], self.notes.sums, self.notes.squares, place)

    def _problem(self, k: int, start: int, batch: Batch, h: Array) -> tuple[Array, Array]:
        """The labels and weights of class k, which counts from when the learner had met it."""
        if not isinstance(self.look.model, OneVsAll):
            return batch.y, h
        counts = np.arange(start, start + len(batch)) >= self._first[k]
        return np.where(self._codes(batch) == k, 1.0, -1.0), np.where(counts, h, 0.0)

    def _codes(self, batch: Batch) -> npt.NDArray[np.int64]:
        own = {name: code for code, name in enumerate(self.look.model.classes)}
        return np.array([own.get(name, -1) for name in batch.classes], dtype=np.int64)[batch.y.astype(np.int64)]

    def _replayed(self) -> bool:
        """Whether the learner began without weights: then its copy makes the same predictions, and so the same loss."""
        ledger = Ledger(losses.get(self.look.loss), False)
        for _, batch, h in self._batches():
            ledger.add(self._trace(batch, batch.y, h)[:, None], batch.y, h)
        return bool(ledger.totals()["loss"] == self.look.totals["loss"])

    def _classes_replayed(self) -> bool:
        """The same for several classes; notes from which row on each counts."""
        ledger, copy = Ledger(losses.get(self.look.loss), True), registry.fresh(self.look.model)
        for _, batch, h in self._batches():
            codes = self._codes(batch)
            self._trace(batch, np.where(codes == 0, 1.0, -1.0), h)
            raw = copy.learn_many(batch)
            unmet = np.full((len(batch), self.problems), True)
            unmet[:, : raw.shape[1]] = np.isneginf(raw)
            self._first += unmet.sum(axis=0)
            ledger.add(raw, np.where(codes < 0, self.problems, codes).astype(np.float64), h)
        if ledger.totals()["loss"] != self.look.totals["loss"]:
            raise ValueError("hindsight of several classes needs a learner that had learned nothing before this stream")
        return True

    def _trace(self, b: Batch, y: Array, h: Array) -> Array:
        return self.notes.trace(self.base, b.keys, b.values, b.starts, y, h, b.names, b.groups)

    def _held(self, start: int, rows: int) -> npt.NDArray[np.bool_]:
        if self.look.holdout is None:
            return np.zeros(rows, dtype=np.bool_)
        return np.asarray(np.arange(start + 1, start + rows + 1) % self.look.holdout == 0)

    def _batches(self) -> Iterator[tuple[int, Batch, Array]]:
        """Each batch with its first row, counted from 0, and its weights: 0 for rows held out or never learned."""
        look, start = self.look, 0
        self.readings += 1
        with batches_of(look.stream, look.labels, wants=look.wants) as batches:
            for batch in batches:
                h = np.ones(len(batch)) if batch.weight is None else batch.weight
                learned = np.arange(start, start + len(batch)) < look.rows
                h = np.where(learned & ~self._held(start, len(batch)), h, 0.0)
                yield start, replace(batch, weight=h), h
                start += len(batch)
                self.watch(self.readings, min(start / max(look.rows, 1), 1.0))
                if start >= look.rows:
                    return
        if start < look.rows:
            raise DataError(
                f"{look.stream.description} had {look.rows} rows when it was learned and has {start} now; "
                "hindsight needs the same rows again"
            )
