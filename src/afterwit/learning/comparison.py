"""Several learners on one stream, read once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from afterwit.learning.account import Account
from afterwit.learning.hindsight import PastRun
from afterwit.learning.lesson import (
    account,
    called,
    decide,
    found_labels,
    labels_of,
    learn_batch,
    loss_of,
    panel_of,
    pruning_of,
    tell,
    wants_of,
)
from afterwit.learning.pieces import pieces
from afterwit.learning.report import Point, Report, points, report_of
from afterwit.learning.reports import Reports
from afterwit.learning.sources import check_learner, known_of, stream_of
from afterwit.protocols import Batch, Labels, Learner, Stream, Wants
from afterwit.streams.ahead import batches_of


class Comparison:
    """Learners on one stream, each predicting every row before any learns it.

    Those that have not decided which labels they learn are told at the first batch: those of the others, or, where none
    has decided, those that the stream found.
    """

    def __init__(self, models: Mapping[str, Learner], stream: Stream) -> None:
        if not models:
            raise ValueError("there is nothing to compare; give at least one learner")
        self.models, self.stream = dict(models), stream
        self.labels = _common_labels(self.models)
        self.ledgers = {name: self._ledger(model) for name, model in models.items()}

    def steps(self) -> Iterator[Batch]:
        """A step per batch, or several for one."""
        with batches_of(self.stream, self.labels, wants=_all_wants(self.models)) as batches:
            for whole in batches:
                self._decide(whole)
                for batch in pieces(whole, *self.models.values()):
                    for name, model in self.models.items():
                        account(self.ledgers[name], model, batch, learn_batch(model, batch))
                    yield batch
        for model in self.models.values():
            tell(model, known_of(self.stream))

    def _decide(self, batch: Batch) -> None:
        if self.labels.kind == "auto":
            self.labels = batch.labels or Labels("real")
        for name, model in self.models.items():
            if labels_of(model).kind == "auto":
                decide(model, self.labels)
                self.ledgers[name] = self._ledger(model)

    def _ledger(self, model: Learner) -> Account:
        return Account(loss_of(model), self.labels.kind == "classes")

    def reports(self) -> Reports:
        """The reports so far, by name."""
        return Reports((name, self._report(name, model)) for name, model in self.models.items())

    def _report(self, name: str, model: Learner) -> Report:
        return report_of(
            self.ledgers[name],
            learner=repr(model),
            source=self.stream.description,
            loss=loss_of(model),
            kind=labels_of(model).kind,
            skipped=int(getattr(self.stream, "skipped", 0)),
            later_passes=[],
            classes=called(model, self.stream),
            labels=found_labels(model),
            panel=panel_of(model),
            pruning=pruning_of(model),
        ).looking(self._look_back(name))

    def curve(self) -> list[Point]:
        """The points at powers of two of the first learner."""
        name, model = next(iter(self.models.items()))
        return points(self.ledgers[name], loss_of(model), self.labels.kind, powers=True)

    def _look_back(self, name: str) -> PastRun:
        model, totals = self.models[name], self.ledgers[name].totals()
        rows = int(totals["rows"])
        return PastRun(model, self.stream, self.labels, wants_of(model), loss_of(model), None, rows, totals)


def compare(
    models: Mapping[str, Learner],
    source: Any,
    y: Any = None,
    *,
    weight: Any = None,
    target: str | None = None,
    ids: Sequence[str] = (),
) -> Reports:
    """The reports of several learners, by name; the source, as in `learn`, is read once. Printed, they are a table.

    Where one of them learns two labels, 0 and 1 are -1 and +1 for all.

    >>> from afterwit.linear import AdaGrad, Perceptron
    >>> rows = [({"x": x}, 1 if x > 0 else -1) for x in (1.0, -2.0) * 10]
    >>> reports = compare({"adagrad": AdaGrad(), "perceptron": Perceptron()}, rows)
    >>> reports["perceptron"].mistakes
    1.0
    """
    if not isinstance(models, Mapping):
        raise TypeError(
            f"models are a `{type(models).__name__}`, expected a dict that names them, such as "
            '{"auto": Auto(), "adagrad": AdaGrad()}'
        )
    for model in models.values():
        check_learner(model)
    comparison = Comparison(models, stream_of(source, models.values(), y, weight, target, ids))
    for _ in comparison.steps():
        pass
    return comparison.reports()


def _all_wants(models: Mapping[str, Learner]) -> Wants:
    """What any of them needs; how cells become features they must agree on. What one ignores another may look at."""
    wants = [wants_of(model) for model in models.values()]
    if len({(want.text, want.dates, want.categorical, want.rules) for want in wants}) > 1:
        raise ValueError(
            "the learners take other columns for text, dates or categories, or cells by other rules; compare them one "
            "by one"
        )
    same = len({(want.keep, want.ignore) for want in wants}) == 1
    return replace(
        wants[0],
        names=any(want.names for want in wants),
        groups=any(want.groups for want in wants),
        packed=all(want.packed for want in wants),
        keep=wants[0].keep if same else (),
        ignore=wants[0].ignore if same else (),
    )


def _common_labels(models: Mapping[str, Learner]) -> Labels:
    wanted = [labels for labels in map(labels_of, models.values()) if labels.kind != "auto"]
    if not wanted:
        return Labels("auto")
    kinds = {labels.kind for labels in wanted}
    if "classes" in kinds and len(set(wanted)) > 1:
        raise ValueError("learners of several classes can be compared only with one another, over the same classes")
    for labels in wanted:
        if labels.kind == "classes" or (labels.kind == "binary" and "binary" in kinds):
            return labels
    return Labels("real")
