"""Lessons over streams: passes, comparisons, leaving and resuming, labels and probabilities."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.errors import DataError, ModelFileError
from afterwit.features import Features
from afterwit.learning import Lesson, compare, evaluate, label, learn, predict, probability
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll, Pegasos, Perceptron
from afterwit.protocols import NOTHING, Batch, Labels, Position, Stream, Wants
from afterwit.registry import fresh, register, state
from afterwit.registry.plain import same
from afterwit.streams import read
from afterwit.streams.svmlight import SVMLIGHT
from afterwit.streams.text import TextStream
from tests.linear.rules import every_learner, random_rows, rules

DATA = random_rows(5000, columns=40, most=8, seed=9)
CLASSES = np.random.default_rng(10).integers(0, 3, 5000)


@register("test.lesson.mean")
class Mean:
    """Predicts the mean label; has two methods and no repr of its own."""

    def __init__(self, start: float = 0.0) -> None:
        self.start, self.total, self.rows = start, start, 0.0

    def predict_one(self, x: Any) -> float:
        return self.total / max(self.rows, 1.0)

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        self.total += weight * y
        self.rows += weight


LEARNERS = [
    *rules(Features(bits=7)).values(),
    AdaGrad(normalized=True, features=Features(names="exact")),
    OneVsAll(AdaGrad(normalized=True, features=Features(bits=7))),
    OneVsAll(GradientDescent(radius=1.0, features=Features(names="exact")), classes=[2, 0, 1]),
    OneVsAll(Mean()),
    Mean(0.5),
]
every_learner_here = pytest.mark.parametrize("model", LEARNERS, ids=lambda model: repr(model)[:60].partition(" at ")[0])


def labels_for(model: Any) -> Any:
    return CLASSES if isinstance(model, OneVsAll) else DATA.y


def svmlight(model: Any, folder: Path) -> Callable[[], Stream]:
    path = folder / "rows.svm"
    path.write_text(DATA._replace(y=labels_for(model)).text().replace("\n", "\nbad line:\n", 1))
    return lambda: TextStream(path, SVMLIGHT, on_error="skip", batch_rows=1500)


def arrays(model: Any, folder: Path) -> Callable[[], Stream]:
    weight = np.random.default_rng(1).random(5000)
    return lambda: read(DATA.X, labels_for(model), weight)


def iterable(model: Any, folder: Path) -> Callable[[], Stream]:
    rows = [(x, y, 0.5 + y % 2) for x, y in zip(DATA.dicts()[:3000], labels_for(model).tolist(), strict=False)]
    return lambda: read(iter(rows), batch_rows=1024)


def finished(lesson: Lesson) -> tuple[Any, Any]:
    for _ in lesson.steps():
        pass
    report = lesson.report()
    return state(lesson.model), replace(report, learner=type(lesson.model).__name__)


@pytest.mark.parametrize("kind", [svmlight, arrays, iterable])
@every_learner_here
def test_left_after_any_batch_and_resumed(model: Any, kind: Any, tmp_path: Path) -> None:
    stream = kind(model, tmp_path)
    passes = 1 if kind is iterable else 2
    whole = Lesson(fresh(model), stream(), passes)
    path = tmp_path / "checkpoint"
    left = 0
    for _ in whole.steps():
        write_checkpoint(path.with_name(f"checkpoint{left}"), whole, {"step": left})
        left += 1
    assert left >= 3
    model_then, report_then = state(whole.model), replace(whole.report(), learner=type(model).__name__)
    assert report_then.rows > 2999
    for step in {0, 1, left // 2, left - 1}:
        lesson = Lesson(fresh(model), stream(), passes)
        assert resume(path.with_name(f"checkpoint{step}"), lesson) == {"step": step}
        model_now, report_now = finished(lesson)
        assert same(model_now, model_then)
        assert report_now == report_then


class Diary:
    """Has the two methods alone, and keeps what it was given."""

    def __init__(self) -> None:
        self.learned: list[Any] = []

    def predict_one(self, x: Any) -> float:
        return float(len(self.learned))

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        self.learned.append((x, y, weight))


def test_a_learner_of_dicts_alone_gets_every_row_with_its_importance() -> None:
    rows = [({"a": 1.0}, 2.0, 0.5), ({"b": 2.0}, -1.0, 0.0), ({"a": 1.0, "b": 3.0}, 1.0, 1.0), ({}, 0.0, 2.75)]
    diary = Diary()
    lesson = Lesson(diary, read(rows, batch_rows=3))
    assert np.concatenate([step.raw for step in lesson.steps()]).tolist() == [[0.0], [1.0], [1.0], [2.0]]
    assert diary.learned == [rows[0], rows[2], rows[3]]
    learn(unweighted := Diary(), read([row[:2] for row in rows]))
    assert unweighted.learned == [(x, y, 1.0) for x, y, _ in rows]


def test_what_a_learner_of_numbers_calls_classes_is_its_own() -> None:
    class Own(Mean):
        classes = None

    rows, mean, own = read([({"x": 1.0}, 2.0)] * 3), Mean(), Own()
    assert learn(own, rows).mean_loss == learn(mean, rows).mean_loss
    assert evaluate(own, rows).mean_loss == evaluate(mean, rows).mean_loss
    assert predict(own, rows).tolist() == predict(mean, rows).tolist()
    assert compare({"own": Own()}, rows)["own"].mean_loss == learn(Mean(), rows).mean_loss


def test_a_learner_of_dicts_alone_gets_features_of_one_name_added_up(tmp_path: Path) -> None:
    path = tmp_path / "rows.vw"
    path.write_text("1 |a x:0.5 y x:0.25 |b x\n")
    diary = Diary()
    learn(diary, read(path))
    assert diary.learned == [({"a^x": 0.75, "a^y": 1.0, "b^x": 1.0}, 1.0, 1.0)]


class Doubled:
    """A user's learner around one of ours; it has the two methods alone, and says nothing of what is inside."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def predict_one(self, x: Any) -> float:
        return 2.0 * float(self.model.predict_one(x))

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        self.model.learn_one(x, y / 2.0, weight)


class Outspoken(Doubled):
    """Says all that the learner inside says of itself, and still takes dicts alone."""

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self.labels, self.loss, self.wants = model.labels, model.loss, model.wants


class Batches(Outspoken):
    """Takes whole batches, and asks for what the learner inside needs."""

    def predict_many(self, X: Any) -> Any:
        return 2.0 * self.model.predict_many(X)

    def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Any:
        return 2.0 * self.model.learn_many(replace(X, y=X.y / 2.0))


@pytest.mark.parametrize("features", [Features(), Features(names="exact")], ids=repr)
@pytest.mark.parametrize("wrapper", [Doubled, Outspoken, Batches])
def test_a_learner_that_wraps_one_of_ours_gets_features_by_name(tmp_path: Path, wrapper: Any, features: Any) -> None:
    path = tmp_path / "rows.vw"
    path.write_text("".join(f"{i % 4} | city{i % 4} size:{i % 3}\n" for i in range(400)))
    wrapped, alone = (wrapper(AdaGrad(loss="squared", features=features)) for _ in range(2))
    report = learn(wrapped, read(path))
    for i in range(400):
        alone.learn_one({f"city{i % 4}": 1.0, "size": float(i % 3)}, float(i % 4))
    assert wrapped.predict_one({"city3": 1.0}) == alone.predict_one({"city3": 1.0}) > 2.0
    assert predict(wrapped, read(path))[3] == alone.predict_one({"city3": 1.0})
    assert report.loss == "squared"
    assert evaluate(wrapped, read(path)).mean_loss < 0.01


def test_a_wrapper_that_hands_batches_on_and_does_not_say_what_it_wants_is_told(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("y,price,city\n" + "1,2.0,Rome\n0,1.0,Oslo\n" * 9)
    silent = Batches(AdaGrad(loss="squared", features=Features(interactions=["price*city"])))
    assert learn(silent, read(path, target="y")).rows == 18
    del silent.wants
    with pytest.raises(DataError, match=r"`wants = model\.wants`"):
        learn(silent, read(path, target="y"))


class Watched:
    """A stream that looks, before it makes a batch, whether the one before is still there."""

    rereadable, description = True, "watched"

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.alive: list[bool] = []

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        made, last = self.stream.batches(labels, wants=wants, start=start), []
        while batch := [*islice(made, 1)]:
            last.append(weakref.ref(batch[0]))
            yield batch.pop()
            self.alive.append(last.pop()() is not None)


def test_a_batch_is_gone_before_the_next_is_made(tmp_path: Path) -> None:
    stream = Watched(svmlight(AdaGrad(), tmp_path)())
    assert learn(AdaGrad(), stream, passes=2).rows == 5000
    assert len(stream.alive) >= 8
    assert not any(stream.alive)


def test_what_does_not_fit_a_checkpoint_is_refused(tmp_path: Path) -> None:
    def lesson(model: Any = None, X: Any = DATA.X, passes: int = 1) -> Lesson:
        return Lesson(model or AdaGrad(), read(X, DATA.y[: X.shape[0]]), passes)

    started, path = lesson(), tmp_path / "c"
    next(started.steps())
    write_checkpoint(path, started, {})
    for other, sentence in (
        (lesson(AdaGrad(rate=0.1)), r"it was written by AdaGrad\(\), not AdaGrad\(rate=0.1\)"),
        (lesson(Perceptron()), "it was written by `adagrad`, not `perceptron`"),
        (lesson(passes=2), "passes is 2, the checkpoint was written with 1"),
    ):
        with pytest.raises(ModelFileError, match=sentence):
            resume(path, other)
    short = lesson(X=DATA.X[:100])
    resume(path, short)
    with pytest.raises(DataError, match="the input changed"):
        next(short.steps())
    bad = tmp_path / "bad"
    bad.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(ModelFileError):
        resume(bad, lesson())


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    stream = svmlight(AdaGrad(), tmp_path)
    started = Lesson(AdaGrad(), stream())
    next(started.steps())
    write_checkpoint(tmp_path / "c", started, {})
    text = (tmp_path / "rows.svm").read_text()
    (tmp_path / "rows.svm").write_text(
        text.replace("1 ", "-1 ", 1) if text[0] == "1" else text.replace("-1 ", "+1 ", 1)
    )
    lesson = Lesson(AdaGrad(), stream())
    resume(tmp_path / "c", lesson)
    with pytest.raises(DataError, match="the input changed since the checkpoint was written"):
        next(lesson.steps())


@every_learner_here
def test_passes(model: Any) -> None:
    stream = read(DATA.X[:4500], labels_for(model)[:4500])
    one, two = fresh(model), fresh(model)
    first = learn(one, stream)
    second = learn(one, stream)
    both = learn(two, stream, passes=2)
    assert same(state(one), state(two))
    assert both.later_passes == [second.mean_loss]
    assert replace(both, later_passes=[]) == replace(first, learner=both.learner)
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="expected 1 or more"):
            learn(two, stream, passes=wrong)


@every_learner_here
def test_evaluate_and_predict_learn_nothing(model: Any) -> None:
    stream = read(DATA.X[:4500], labels_for(model)[:4500])
    learner = fresh(model)
    learn(learner, stream)
    before = state(learner)
    raw, report = predict(learner, stream), evaluate(learner, stream)
    assert same(state(learner), before)
    assert report == evaluate(learner, stream)
    single = np.array([np.atleast_1d(learner.predict_one(x)) for x in DATA.dicts()[:4500]])
    assert same(raw.reshape(len(raw), -1), single)
    empty = predict(learner, read([]))
    assert empty.shape == ((0, 3) if isinstance(model, OneVsAll) else (0,))


def test_every_report_counts_the_lines_that_were_skipped(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("bad:\n1 1:1\nbad:\n-1 2:1\nbad:\n")
    stream, model = read(path, on_error="skip", batch_rows=1), AdaGrad()
    reports = [learn(model, stream, passes=2), evaluate(model, stream), compare({"a": model}, stream)["a"]]
    assert [report.skipped for report in reports] == [3, 3, 3]


def test_learners_compared_get_what_each_of_them_asks_for(tmp_path: Path) -> None:
    """Some take rounded values, some do not; some need names, some groups."""
    path = tmp_path / "rows.vw"
    path.write_text("1 |a u:0.1 v:0.7 |b w:0.3\n-1 |a u:0.9 |b w:0.2 x\n" * 5)
    of = [Features(), Features(interactions=["a*b"]), Features(names="exact"), Features(names="exact", ignore=["a"])]
    models = {repr(each): AdaGrad(normalized=True, features=each) for each in of} | {"mean": Mean()}
    apart = {name: fresh(model) for name, model in models.items()}
    found = compare(models, read(path))
    for name, model in apart.items():
        assert learn(model, read(path)).mean_loss == found[name].mean_loss
        assert same(state(models[name]), state(model))


def test_compare_is_separate_lessons_bit_for_bit() -> None:
    stream = read(DATA.X, DATA.y, np.random.default_rng(2).random(5000))
    for models in (
        {repr(model): model for model in [*every_learner(Features(bits=6)), Mean(0.25)]},
        {"a": LEARNERS[-4], "b": OneVsAll(Perceptron())},
    ):
        apart = {name: fresh(model) for name, model in models.items()}
        together = {name: fresh(model) for name, model in models.items()}
        expected = {name: learn(model, stream) for name, model in apart.items()}
        found = compare(together, stream)
        assert list(found) == list(models)
        for name in models:
            assert replace(found[name], learner="") == replace(expected[name], learner="")
            assert same(state(apart[name]), state(together[name]))
    with pytest.raises(ValueError, match="nothing to compare"):
        compare({}, stream)
    with pytest.raises(ValueError, match="several classes can be compared only with one another"):
        compare({"a": OneVsAll(AdaGrad()), "b": AdaGrad()}, stream)


@pytest.mark.parametrize("first", ["mean", "adagrad"])
def test_where_one_learns_two_labels_all_do(first: str) -> None:
    """0 is -1 for all; each is reported by its own loss and labels."""
    models: dict[str, Any] = {"mean": Mean(), "adagrad": AdaGrad()}
    rows = [({"x": 1.0}, 0), ({"x": 1.0}, 1), ({"x": 1.0}, 0)]
    reports = compare(dict(sorted(models.items(), key=lambda pair: pair[0] != first)), read(rows))
    assert models["mean"].total == -1.0
    assert (reports["mean"].loss, reports["adagrad"].loss) == ("squared", "logistic")
    assert reports["mean"].rmse == pytest.approx(math.sqrt((1 + 4 + 1) / 3))
    assert reports["adagrad"].rmse is None
    with pytest.raises(ValueError, match="over the same classes"):
        compare({"a": OneVsAll(AdaGrad(), classes=[0, 1]), "b": OneVsAll(AdaGrad(), classes=[1, 0])}, read(rows))


def test_classes_appear_as_they_come() -> None:
    rows = [({"x": 1.0}, "a"), ({"x": 1.0}, "b"), ({"x": 2.0}, "a"), ({"y": 1.0}, "c")]
    lesson = Lesson(OneVsAll(Perceptron()), read(rows))
    (step,) = lesson.steps()
    seen = np.isfinite(step.raw)
    assert seen.tolist() == [[False] * 3, [True, False, False], [True, True, False], [True, True, False]]
    assert (step.raw[~seen] == -np.inf).all()
    assert lesson.model.classes == ["a", "b", "c"]
    report = lesson.report()
    assert report.error_rate is not None
    assert report.error_rate >= 3 / 4
    unknown = evaluate(lesson.model, read([({"x": 1.0}, "new")]))
    assert unknown.error_rate == 1.0
    assert lesson.model.classes == ["a", "b", "c"]


def test_labels_and_probabilities() -> None:
    model = AdaGrad()
    for _ in range(20):
        model.learn_one({"x": 1.0}, 1)
        model.learn_one({"y": 1.0}, -1)
    assert (label(model, {"x": 1.0}), label(model, {"y": 1.0})) == (1, -1)
    assert label(AdaGrad(), {}) == 1  # a margin of 0
    assert probability(model, {"x": 1.0}) == pytest.approx(1 / (1 + math.exp(-model.predict_one({"x": 1.0}))))
    several = OneVsAll(AdaGrad())
    for act in (label, probability):
        with pytest.raises(ValueError, match="has not met any class yet"):
            act(several, {})
    for k in ("a", "b", 7):
        several.learn_one({"x": 1.0, f"is {k}": 1.0}, k)
    shares = probability(several, {"is b": 1.0})
    assert list(shares) == ["a", "b", 7]
    assert sum(shares.values()) == pytest.approx(1.0)
    assert max(shares, key=shares.get) == label(several, {"is b": 1.0}) == "b"


def test_probabilities_of_margins_far_below_zero() -> None:
    model = OneVsAll(GradientDescent(rate=1e6, features=Features(intercept=False)), classes=["a", "b", "c"])
    for k in ("a", "b", "c"):
        model.learn_one({"is " + k: 1.0}, k)
    x = {"is a": 1.0, "is b": 1.0, "is c": 1.0}
    assert (model.predict_one(x) < -1e4).all()
    assert probability(model, x) == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert probability(model, {"is a": -1.0}) == {"a": 0.0, "b": 0.5, "c": 0.5}


def test_refusals() -> None:
    for model, loss in ((Pegasos(), "hinge"), (GradientDescent(loss="squared"), "squared"), (Mean(), "squared")):
        with pytest.raises(ValueError, match=f"`{loss}` loss gives no probability; learn with logistic loss"):
            probability(model, {})
    for model in (AdaGrad(loss="quantile:0.9"), Mean()):
        with pytest.raises(ValueError, match="loss predicts a number, not a label; ask for the prediction itself"):
            label(model, {})
