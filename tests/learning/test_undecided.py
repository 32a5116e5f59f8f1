"""Learners that have not decided which labels they learn: the first batch tells them, and all else is as ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.errors import DataError
from afterwit.learning import Comparison, Lesson, Report, compare, evaluate, label, learn, predict, probability
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.linear import AdaGrad, OneVsAll, Perceptron
from afterwit.protocols import NOTHING, Batch, Labels, Position, Wants
from afterwit.registry import register, state
from afterwit.registry.plain import same
from afterwit.streams import read
from afterwit.streams.arrays import labelled
from tests.linear.rules import random_rows

AUTO, BINARY, REAL, CLASSES = Labels("auto"), Labels("binary"), Labels("real"), Labels("classes")
DATA = random_rows(3000, columns=40, most=8, seed=9)
RNG = np.random.default_rng(3)
#: The labels of the rows by their kind, as words.
WORDS: dict[str, Any] = {
    "binary": np.where(DATA.y > 0, "1", "-1"),
    "named": np.where(DATA.y > 0, "yes", "no"),
    "real": np.round(RNG.normal(size=3000), 3).astype(str),
    "classes": RNG.choice(["a", "b", "c"], 3000),
}
EXPECTED = {"binary": BINARY, "named": Labels("binary", ("no", "yes")), "real": REAL, "classes": CLASSES}
every_kind = pytest.mark.parametrize("kind", WORDS)


@register("test.undecided.chooser")
class Chooser:
    """Takes the learner that goes with the labels; its state has which they are."""

    def __init__(self) -> None:
        self.labels, self.model = AUTO, None
        self.told: list[Labels] = []

    def decide(self, labels: Labels) -> None:
        self.told.append(labels)
        self._take(labels, definite(labels.kind))

    def _take(self, labels: Labels, model: Any) -> None:
        self.labels, self.model = labels, model

    @property
    def loss(self) -> str:
        assert self.model is not None, "nobody asks before it has decided"
        return str(self.model.loss)

    @property
    def classes(self) -> list[Any]:
        return self.model.classes  # type: ignore[no-any-return]

    @property
    def wants(self) -> Wants:
        return AdaGrad().wants

    def predict_one(self, x: Any) -> Any:
        return 0.0 if self.model is None else self.model.predict_one(x)

    def predict_many(self, X: Any) -> Any:
        return np.zeros(len(X)) if self.model is None else self.model.predict_many(X)

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
        self.learn_many([x], [y], [weight])

    def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Any:
        batch = labelled(X, y, weight, self.labels, wants=self.wants)
        if self.model is None and batch.labels is not None and len(batch):
            self.decide(batch.labels)
        return self.model.learn_many(batch)

    def settings(self) -> dict[str, Any]:
        return {}

    def state(self) -> dict[str, Any]:
        return {"kind": self.labels.kind, "classes": self.labels.classes, "model": self.model}

    def set_state(self, state: dict[str, Any]) -> None:
        classes = state["classes"]
        self._take(Labels(state["kind"], None if classes is None else tuple(classes)), state["model"])

    def __repr__(self) -> str:
        return "Chooser()"


def definite(kind: str) -> Any:
    """The learner that the other takes."""
    model = AdaGrad(loss="squared" if kind == "real" else "logistic", normalized=True)
    return OneVsAll(model) if kind == "classes" else model


def path_of(kind: str, folder: Path) -> Path:
    path = folder / f"{kind}.svm"
    features = (line.partition(" ")[2] for line in DATA.text().splitlines())
    path.write_text("".join(f"{word} {row}\n" for word, row in zip(WORDS[kind], features, strict=True)))
    return path


def stream_of(kind: str, folder: Path) -> Any:
    return read(path_of(kind, folder), batch_rows=700)


def named_stream(kind: str, folder: Path) -> Any:
    """For a learner that has decided, and does not know the names."""
    return read(path_of(kind, folder), batch_rows=700, classes=("no", "yes") if kind == "named" else None)


def without_name(report: Report) -> Report:
    """Without what only those say who were not told their labels."""
    return replace(report, learner="", labels=None)


@every_kind
@pytest.mark.parametrize(
    "settings", [{}, {"passes": 2, "holdout": 7, "window": 500}, {"limit": 100, "passes": 2}], ids=str
)
def test_it_learns_as_if_it_had_been_told_before(kind: str, settings: dict[str, Any], tmp_path: Path) -> None:
    model, other = Chooser(), definite(EXPECTED[kind].kind)
    report = learn(model, stream_of(kind, tmp_path), **settings)
    expected = learn(other, named_stream(kind, tmp_path), **settings)
    assert report.rows > 80
    assert without_name(report) == without_name(expected)
    assert model.told == [EXPECTED[kind]] == [model.labels]
    assert same(state(model.model), state(other))
    again = Chooser()
    learn(again, read(DATA.X, WORDS[kind]))
    assert again.told == model.told


@every_kind
def test_left_after_any_batch_and_resumed(kind: str, tmp_path: Path) -> None:
    """The first checkpoint is of no rows."""
    whole, left = Lesson(Chooser(), stream_of(kind, tmp_path), 2), 0
    write_checkpoint(tmp_path / "0", whole, {})
    for _ in whole.steps():
        left += 1
        write_checkpoint(tmp_path / str(left), whole, {})
    assert left == 10
    for step in range(left + 1):
        lesson = Lesson(Chooser(), stream_of(kind, tmp_path), 2)
        resume(tmp_path / str(step), lesson)
        assert lesson.labels == (EXPECTED[kind] if step else AUTO)
        for _ in lesson.steps():
            pass
        assert lesson.report() == whole.report()
        assert same(state(lesson.model), state(whole.model))


@pytest.mark.parametrize("holdout", [None, 3])
def test_without_a_row_it_stays_undecided(holdout: int | None) -> None:
    """The report is that of no numbers; so it is before the first batch."""
    lesson = Lesson(model := Chooser(), read([]), 2, holdout=holdout, window=5)
    before = lesson.report()
    assert (lesson.curve(), lesson.past_run().rows) == ([], 0)
    other = Lesson(Chooser(), read([({"x": 1.0}, "a"), ({"x": 2.0}, "b")]), 2, holdout=holdout, window=5)
    other.set_state(lesson.state())
    assert list(lesson.steps()) == []
    assert replace(lesson.report(), later_passes=[], holdout=None) == replace(before, holdout=None)
    assert (model.labels, model.told) == (AUTO, [])
    assert without_name(before) == without_name(
        Lesson(AdaGrad(loss="squared"), read([]), 2, holdout=holdout, window=5).report()
    )
    assert (before.rows, before.loss, before.mean_loss, before.error_rate) == (0, "squared", None, None)
    assert [len(step.batch) for step in other.steps()] == [2, 2]
    assert other.labels == Labels("binary", ("a", "b"))


@every_kind
def test_it_is_evaluated_and_still_undecided(kind: str, tmp_path: Path) -> None:
    model, other = Chooser(), definite(EXPECTED[kind].kind)
    assert without_name(evaluate(model, stream_of(kind, tmp_path))) == without_name(
        evaluate(other, named_stream(kind, tmp_path))
    )
    assert (model.labels, model.told) == (AUTO, [])
    assert evaluate(model, read([])).rows == 0
    assert predict(model, stream_of(kind, tmp_path)).tolist() == [0.0] * 3000
    learn(model, stream_of(kind, tmp_path))
    learn(other, named_stream(kind, tmp_path))
    assert without_name(evaluate(model, stream_of(kind, tmp_path))) == without_name(
        evaluate(other, named_stream(kind, tmp_path))
    )


def test_it_has_no_labels_to_give_before_it_has_met_one() -> None:
    for act in (label, probability):
        with pytest.raises(ValueError, match="the model has not met any label yet"):
            act(Chooser(), {})
    model = Chooser()
    model.learn_many([{"x": 1.0}, {"y": 1.0}] * 9, ["yes", "no"] * 9)
    assert label(model, {"x": 1.0}) == "yes"
    assert probability(model, {"y": 1.0}) < 0.5


@every_kind
def test_compared_with_one_another_they_decide_alike(kind: str, tmp_path: Path) -> None:
    models = {"a": Chooser(), "b": Chooser()}
    reports = compare(models, stream_of(kind, tmp_path))
    expected = learn(definite(EXPECTED[kind].kind), named_stream(kind, tmp_path))
    for name, model in models.items():
        assert model.told == [EXPECTED[kind]]
        assert without_name(reports[name]) == without_name(expected)


@pytest.mark.parametrize("first", [False, True])
def test_compared_with_learners_that_have_decided_those_win(first: bool, tmp_path: Path) -> None:
    """Numbers 0 and 1 would be two labels, were it alone."""
    rows = [({"x": 1.0 + i % 3}, i % 2) for i in range(100)]
    for other, expected in (
        (AdaGrad(loss="squared"), REAL),
        (Perceptron(), BINARY),
        (OneVsAll(AdaGrad()), CLASSES),
        (OneVsAll(AdaGrad(), classes=[1, 0]), Labels("classes", (1, 0))),
    ):
        model, alone = Chooser(), definite(expected.kind)
        models = {"chooser": model, "other": other} if first else {"other": other, "chooser": model}
        reports = compare(models, read(rows))
        assert model.told == [expected]
        if expected.classes is None:
            assert without_name(reports["chooser"]) == without_name(learn(alone, read(rows)))
    with pytest.raises(ValueError, match="several classes can be compared only with one another"):
        compare({"a": OneVsAll(AdaGrad()), "b": AdaGrad(), "c": Chooser()}, read(rows))


def test_a_comparison_of_no_rows() -> None:
    comparison = Comparison({"a": Chooser(), "b": Chooser()}, read([]))
    assert list(comparison.steps()) == []
    assert [(report.rows, report.loss) for report in comparison.reports().values()] == [(0, "squared")] * 2
    assert {model.labels for model in comparison.models.values()} == {AUTO}  # type: ignore[attr-defined]


class Silent:
    """A stream that delivers numbers, whatever it is asked for."""

    rereadable, description = True, "silent"

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        return read([({"x": 1.0}, 1), ({"x": 2.0}, 0)]).batches(REAL, wants=wants, start=start)


def test_a_stream_that_does_not_say_which_labels_it_has_has_numbers() -> None:
    model, one, two = Chooser(), Chooser(), Chooser()
    assert learn(model, Silent()).rmse is not None
    assert evaluate(one, Silent()).rmse is not None
    compare({"one": one, "two": two}, Silent())
    assert model.told == one.told == two.told == [REAL]


def test_a_learner_that_never_decides_is_told() -> None:
    class Never(Chooser):
        def decide(self, labels: Labels) -> None:
            pass

    for act in (learn, evaluate, lambda model, rows: compare({"a": model}, rows)):
        with pytest.raises(
            TypeError, match="`Never` was told which labels there are, and its `labels` are still `auto`"
        ):
            act(Never(), read([({"x": 1.0}, 1)]))


def test_a_later_label_that_does_not_fit_names_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("afterwit.streams.labels.LOOKED_AT", 20)
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1\n0 2:1\n" * 10 + "2 1:1\n")
    with pytest.raises(
        DataError, match=r"rows.svm, line 21, column 1: label `2` .*; the first rows had only -1, 0 or 1"
    ):
        learn(Chooser(), read(path, batch_rows=10))
