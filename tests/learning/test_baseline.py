"""The baseline, and what is counted of labels: a few lines of Python, and scikit-learn, say the same."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import afterwit as aw
from afterwit.learning import Lesson, Report, compare, evaluate, learn, predictions
from afterwit.learning.account import Account
from afterwit.learning.baseline import Baseline
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.learning.confusion import Confusion
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll, Pegasos, Perceptron
from afterwit.registry.plain import same
from afterwit.streams import read

ROWS = 700
RNG = np.random.default_rng(3)
X = RNG.normal(size=(ROWS, 4))
SIGNS = np.where(X[:, 0] + RNG.normal(size=ROWS) > 0.8, 1.0, -1.0)
NUMBERS = X[:, 0] * 3.0 + RNG.normal(size=ROWS) + 40.0
NAMES = np.array(["a", "b", "c", "d"])[(X[:, 0] > 1.0) * 2 + (RNG.random(ROWS) < 0.3)]
WEIGHTS = {
    "all one": np.ones(ROWS),
    "weighted": RNG.exponential(size=ROWS),
    "some zero": RNG.integers(0, 3, ROWS).astype(float),
    "none at first": np.arange(ROWS) % 400 / 7.0,
    "huge": 10.0 ** RNG.uniform(-30, 30, ROWS),
}


@pytest.fixture(params=WEIGHTS)
def h(request: pytest.FixtureRequest) -> Any:
    return WEIGHTS[request.param]


def of_two(y: Any, h: Any) -> tuple[float, float]:
    """The mean error and log loss of who knows the two labels so far alone."""
    n = {1.0: 0.0, -1.0: 0.0}
    errors = losses = 0.0
    for label, weight in zip(y.tolist(), h.tolist(), strict=True):
        errors += weight * (label != (1.0 if n[1.0] >= n[-1.0] else -1.0))
        losses -= weight * math.log((n[label] + 0.5) / (sum(n.values()) + 1.0))
        n[label] += weight
    return errors / h.sum(), losses / h.sum()


def of_several(y: Any, h: Any) -> tuple[float, float]:
    """The same of several classes."""
    n: dict[Any, float] = defaultdict(float)
    errors = losses = 0.0
    said = None
    for label, weight in zip(y.tolist(), h.tolist(), strict=True):
        if weight == 0.0:
            continue
        errors += weight * (label != said)
        losses -= weight * math.log((n.get(label, 0.0) + 0.5) / (sum(n.values()) + (len(n) + 1) / 2))
        n[label] += weight
        said = label if said is None or n[label] > n[said] else said
    return errors / h.sum(), losses / h.sum()


def of_numbers(y: Any, h: Any) -> Any:
    """What the mean of the labels before each says."""
    before = np.concatenate([[0.0], np.cumsum(h)[:-1]])
    sums = np.concatenate([[0.0], np.cumsum(h * y)[:-1]])
    return np.divide(sums, before, out=np.zeros(len(y)), where=before > 0.0)


def learned(model: Any, y: Any, h: Any, rows: Any = X, **settings: Any) -> tuple[Report, Any]:
    """The report, which is the same however the rows come, and the raw predictions before each row."""
    lesson = Lesson(model, read(rows, y, h, batch_rows=64), **settings)
    raw = np.concatenate([step.raw for step in lesson.steps()])
    for batch_rows in (1, 7, 4096):
        again = learn(aw.fresh(model), read(rows, y, h, batch_rows=batch_rows), **settings)
        assert replace(again, learner="") == replace(lesson.report(), learner="")
    return lesson.report(), raw


@pytest.mark.parametrize("model", [AdaGrad(), Pegasos(), GradientDescent(loss="hinge")])
def test_two_labels(model: Any, h: Any) -> None:
    report, raw = learned(aw.fresh(model), SIGNS, h)
    said = np.where(raw[:, 0] >= 0.0, 1.0, -1.0)
    base, logistic = report.baseline, model.loss == "logistic"
    assert base is not None
    error, log_loss = of_two(SIGNS, h)
    assert base.error_rate == pytest.approx(error, rel=1e-12)
    assert base.log_loss == base.mean_loss == (pytest.approx(log_loss, rel=1e-12) if logistic else None)
    assert (base.rmse, base.mae, report.rmse, report.mae, report.r2) == (None,) * 5
    wanted = metrics.precision_recall_fscore_support(SIGNS, said, average="binary", sample_weight=h)[:3]
    assert (report.precision, report.recall, report.f1) == pytest.approx(wanted)
    assert report.confusion is not None
    assert report.confusion.classes == [-1, 1]
    assert np.array(report.confusion.counts) == pytest.approx(metrics.confusion_matrix(SIGNS, said, sample_weight=h))
    assert report.confusion.left_out == 0.0
    lost = {name for name in ("error_rate", "log_loss") if (getattr(base, name) or 9) < (getattr(report, name) or 0)}
    assert set(base.better_in) == lost
    point = report.curve[50]
    first = slice(point.rows)
    assert point.baseline_error_rate == pytest.approx(of_two(SIGNS[first], h[first])[0])
    if logistic:
        assert point.baseline_mean_loss == pytest.approx(of_two(SIGNS[first], h[first])[1])
    else:
        assert point.baseline_mean_loss is None


@pytest.mark.parametrize("loss", ["squared", "absolute", "quantile:0.2"])
def test_numbers(loss: str, h: Any) -> None:
    report, raw = learned(GradientDescent(loss=loss), NUMBERS, h)
    said, base = of_numbers(NUMBERS, h), report.baseline
    assert base is not None
    assert report.mae == pytest.approx(metrics.mean_absolute_error(NUMBERS, raw[:, 0], sample_weight=h))
    assert report.r2 == pytest.approx(metrics.r2_score(NUMBERS, raw[:, 0], sample_weight=h))
    assert base.mae == pytest.approx(metrics.mean_absolute_error(NUMBERS, said, sample_weight=h))
    assert base.rmse == pytest.approx(math.sqrt(metrics.mean_squared_error(NUMBERS, said, sample_weight=h)))
    wanted = {
        "squared": metrics.mean_squared_error(NUMBERS, said, sample_weight=h),
        "absolute": metrics.mean_absolute_error(NUMBERS, said, sample_weight=h),
        "quantile:0.2": metrics.mean_pinball_loss(NUMBERS, said, sample_weight=h, alpha=0.2),
    }[loss]
    assert base.mean_loss == pytest.approx(wanted)
    assert (base.error_rate, base.log_loss, report.precision, report.confusion) == (None,) * 4
    assert base.better_in == (["mean_loss"] if wanted < (report.mean_loss or 0.0) else [])
    assert report.curve[-1].baseline_mean_loss == base.mean_loss


def test_signs_as_numbers_have_both() -> None:
    report, _ = learned(GradientDescent(loss="squared"), SIGNS, WEIGHTS["weighted"])
    base = report.baseline
    assert base is not None
    assert base.error_rate == pytest.approx(of_two(SIGNS, WEIGHTS["weighted"])[0])
    assert base.rmse is not None
    assert base.log_loss is None
    assert report.confusion is not None


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
def test_several_classes(loss: str, h: Any) -> None:
    model = OneVsAll(AdaGrad(loss=loss))
    report, raw = learned(model, NAMES, h, confusion=True)
    base = report.baseline
    assert base is not None
    error, log_loss = of_several(NAMES, h)
    assert base.error_rate == pytest.approx(error, rel=1e-12)
    assert base.log_loss == (pytest.approx(log_loss, rel=1e-12) if loss == "logistic" else None)
    assert (base.mean_loss, base.rmse, base.mae) == (None,) * 3
    best = [k.argmax() if np.isfinite(k).any() else -1 for k in np.pad(raw, ((0, 0), (0, 1)), constant_values=-np.inf)]
    said = np.array([*model.classes, "nobody"])[best]
    some = h > 0.0
    wanted = metrics.precision_recall_fscore_support(
        NAMES[some], said[some], labels=model.classes, average="macro", sample_weight=h[some], zero_division=0
    )[:3]
    assert (report.precision, report.recall, report.f1) == pytest.approx(wanted)
    assert report.confusion is not None
    assert report.confusion.classes == model.classes
    table = metrics.confusion_matrix(NAMES, said, sample_weight=h, labels=model.classes)
    assert np.array(report.confusion.counts) == pytest.approx(table)
    assert report.confusion.left_out == pytest.approx(h[said == "nobody"].sum(), abs=1e-12 * h.sum())
    assert learn(aw.fresh(model), read(X, NAMES, h)).confusion is None


def test_ratios_that_are_not_there() -> None:
    def counted(y: list[float], raw: list[float]) -> tuple[Any, ...]:
        found = learn(Says(raw), read([({"x": 1.0}, label) for label in y]))
        return found.precision, found.recall, found.f1

    assert counted([-1, -1], [-1, -1]) == (None, None, None)
    assert counted([-1, -1], [-1, 1]) == (0.0, None, 0.0)
    assert counted([1, -1], [-1, -1]) == (None, 0.0, 0.0)
    assert counted([1], [1]) == (1.0, 1.0, 1.0)
    apart = learn(OneVsAll(AdaGrad()), read([({"x": 1.0}, name) for name in "aab"]))
    assert (apart.precision, apart.recall, apart.f1) == (pytest.approx(0.25), pytest.approx(0.25), pytest.approx(0.25))


class Says:
    """Predicts what it was told to, row by row."""

    def __init__(self, raw: list[float]) -> None:
        self.raw, self.rows = raw, 0

    def predict_one(self, x: Any) -> float:
        return self.raw[self.rows]

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        self.rows += 1


def test_few_rows_and_equal_labels() -> None:
    one = learn(GradientDescent(loss="squared"), read([({"x": 1.0}, 3.0, 2.0)]))
    assert one.baseline == Baseline(9.0, None, None, 3.0, 3.0)
    assert (one.mae, one.r2) == (3.0, None)
    constant = learn(Says([0.0] * 5), read([({}, 0.1, weight) for weight in (0.0, 3.0, 0.7, 1e-9, 1e9)]))
    assert constant.r2 is None
    assert constant.baseline is not None
    assert constant.baseline.mae == pytest.approx(0.1 * 3.0 / (3.7 + 1e-9 + 1e9))
    nothing = learn(GradientDescent(loss="squared"), read([({"x": 1.0}, 3.0, 0.0)] * 3))
    assert (nothing.baseline, nothing.mae, nothing.r2, nothing.rmse) == (None,) * 4
    assert learn(AdaGrad(), read([])).baseline is None
    positive = learn(AdaGrad(), read([({"x": 1.0}, 1)] * 9))
    assert positive.baseline is not None
    assert positive.baseline.error_rate == 0.0  # the label of a share of one half is +1
    shares = np.cumprod((np.arange(9) + 0.5) / (np.arange(9) + 1.0))[-1]
    assert positive.baseline.log_loss == pytest.approx(-math.log(shares) / 9)
    alone = learn(OneVsAll(AdaGrad()), read([({"x": 1.0}, "a")] * 9))
    assert alone.baseline is not None
    assert alone.baseline.error_rate == pytest.approx(1 / 9)
    large = learn(Says([0.0] * 3), read([({}, y) for y in (3e38, -3e38, 3e38)]))
    assert json.loads(large.to_json())["baseline"]["mae"] == pytest.approx((3e38 + 6e38 + 3e38) / 3)


def test_who_loses_is_told() -> None:
    rows = [({"x": 1.0}, 1.0)] * 10 + [({"x": 1.0}, -1.0)]
    bad = learn(Says([-1.0] * 11), read(rows))
    assert bad.baseline is not None
    assert bad.baseline.better_in == ["error_rate", "mean_loss"]
    assert dict(bad.lines())["loses to the baseline"] == "in error rate and mean squared loss"
    assert dict(bad.lines())["error rate"] == "90.9091%, baseline 9.0909%"
    good = learn(Says([1.0] * 11), read(rows))
    assert good.error_rate == good.baseline.error_rate  # type: ignore[union-attr]
    assert "loses to the baseline" not in dict(good.lines())
    held = learn(Says([-1.0] * 11), read(rows), holdout=2).lines()
    assert dict(held)["loses to the baseline, held out"] == "in error rate and mean squared loss"


def test_the_window_has_its_own() -> None:
    h = WEIGHTS["weighted"]
    report = learn(AdaGrad(), read(X, SIGNS, h), window=100)
    assert report.window is not None
    before = slice(0, ROWS - 100)
    for k, found in enumerate((report.window.baseline_error_rate, report.window.baseline_mean_loss)):
        total = of_two(SIGNS, h)[k] * h.sum() - of_two(SIGNS[before], h[before])[k] * h[before].sum()
        assert found == pytest.approx(total / h[-100:].sum())
    assert "error rate, last 100 rows" in dict(report.lines())


def test_the_curve_has_that_of_the_window() -> None:
    h = WEIGHTS["weighted"]
    report, raw = learned(AdaGrad(), SIGNS, h, window=30)
    wrong = h * ((raw[:, 0] >= 0.0) != (SIGNS > 0.0))
    assert [point.rows for point in report.curve][-3:] == [692, 696, 700]
    for point in report.curve:
        last = slice(max(point.rows - 30, 0), point.rows)
        assert point.window_error_rate == pytest.approx(wrong[last].sum() / h[last].sum())


def test_a_stream_with_classes_that_the_model_does_not_know() -> None:
    model = OneVsAll(AdaGrad())
    learn(model, read(X, NAMES))
    others = np.array(["e", "a", "f", "e", "e", "f", "e"] * 30)
    found = evaluate(model, read(X[:210], others, batch_rows=13), confusion=True)
    assert found.baseline is not None
    error, log_loss = of_several(others, np.ones(210))
    assert (found.baseline.error_rate, found.baseline.log_loss) == (pytest.approx(error), pytest.approx(log_loss))
    assert found.baseline.better_in == ["error_rate", "log_loss"]
    assert found.confusion is not None
    assert found.confusion.classes == [*model.classes, "e", "f"]
    came = dict(zip(found.confusion.classes, np.sum(found.confusion.counts, axis=1).tolist(), strict=True))
    assert came == {"a": 30.0, "b": 0.0, "c": 0.0, "d": 0.0, "e": 120.0, "f": 60.0}
    assert replace(found, source="") == replace(evaluate(model, read(X[:210], others), confusion=True), source="")


def test_classes_that_are_held_out_before_they_are_learned() -> None:
    names = np.resize(["a", "b", "b", "x", "c", "y", "x", "y", "z"], 90)  # x and y come first where they are held out
    reports = []
    for batch_rows in (1, 5, 90):
        report = learn(OneVsAll(AdaGrad()), read(X[:90], names, batch_rows=batch_rows), holdout=2, confusion=True)
        reports.append(report)
        assert report.holdout is not None
        assert report.holdout.baseline is not None
        held = names[1::2]
        assert report.holdout.baseline.error_rate == pytest.approx(of_several(held, np.ones(45))[0])
        assert report.baseline is not None
        assert report.baseline.log_loss == pytest.approx(of_several(names[::2], np.ones(45))[1])
    assert reports[0] == reports[1] == reports[2]


def test_classes_of_weight_zero_were_not_met() -> None:
    names, h = np.array(["a", "b", "x", "y", "a", "y"]), np.array([1.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    model = OneVsAll(AdaGrad())
    learn(model, read(X[:2], names[:2]))
    for batch_rows in (1, 6):
        found = evaluate(model, read(X[:6], names, h, batch_rows=batch_rows), confusion=True)
        assert found.confusion is not None
        assert found.confusion.classes == ["a", "b", "y"]


@pytest.mark.parametrize("delay", [1, 8, 200])
def test_classes_whose_labels_come_late(delay: int) -> None:
    names = np.resize(["a", "b", "b", "x", "c", "y", "x"], 150)
    reports = []
    for batch_rows in (1, 20, 150):
        stream = read(X[:150], names, batch_rows=batch_rows)
        report = learn(OneVsAll(AdaGrad()), stream, delay=delay, confusion=True, window=30)
        reports.append(report)
        assert report.baseline is not None
        error, log_loss = of_several(names, np.ones(150))
        assert (report.baseline.error_rate, report.baseline.log_loss) == pytest.approx((error, log_loss))
        assert report.confusion is not None
        assert np.sum(report.confusion.counts) + report.confusion.left_out == 150
    assert reports[0] == reports[1] == reports[2]


def test_who_knows_no_class_is_wrong_of_a_stranger() -> None:
    found = evaluate(OneVsAll(AdaGrad()), [({"x": 1.0}, "a")] * 3)
    assert found.error_rate == 1.0


def test_many_classes_leave_some_out(tmp_path: Path) -> None:
    names = [f"class {k}" for k in range(300)] * 2
    rows = [({f"f{name}": 1.0}, name) for name in names]

    def lesson() -> Lesson:
        return Lesson(OneVsAll(AdaGrad()), read(rows, batch_rows=100), confusion=True)

    whole = lesson()
    for k, _ in enumerate(whole.steps()):
        if k == 3:
            write_checkpoint(tmp_path / "c", whole, {})
    found = whole.report().confusion
    assert found is not None
    assert len(found.classes) == 256
    assert np.sum(found.counts) + found.left_out == 600.0
    assert found.left_out >= 2 * 44
    last = found.lines()[-1]
    assert last.startswith("not shown: rows of weight ")
    assert len(found.lines(most=5)) == 7
    again = lesson()
    resume(tmp_path / "c", again)
    for _ in again.steps():
        pass
    assert replace(again.report(), learner="") == replace(whole.report(), learner="")
    assert json.loads(whole.report().to_json())["confusion"] == asdict(found)


def test_a_table_of_names() -> None:
    hostile = Confusion(["\x1b[31mred\n", "x" * 50, 3], [[1.0, 0.25, 0.0], [0.0, 1e6, 0.0], [0.0, 0.0, 2.0]], 1.5)
    lines = str(hostile).splitlines()
    assert all(line.isprintable() for line in lines)
    assert len({len(line) for line in lines[:4]}) == 1
    assert lines[1].split() == ["3", "2", "0", "0"]  # numbers before words
    assert lines[3].split() == ["x" * 11 + "…", "0", "0", "1e+06"]
    assert lines[4] == "not shown: rows of weight 1.5"


@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared", "classes"])
def test_an_account_goes_on_from_the_state_of_another(loss: str) -> None:
    classes, h = loss == "classes", WEIGHTS["weighted"]
    y = {"squared": NUMBERS, "classes": np.unique(NAMES, return_inverse=True)[1].astype(float)}.get(loss, SIGNS)
    raw = RNG.normal(size=(ROWS, 4 if classes else 1))

    def account(first: int, end: int) -> Account:
        one = Account("logistic" if classes else loss, classes, 30, True)
        one.codes = {name: code for code, name in enumerate("abcd")}
        if first:
            one.set_state(account(0, first).state())
        one.add(raw[first:end], y[first:end], h[first:end])
        return one

    for first in (1, 150, 201, 333, 453, 650):
        for end in (first + 1, ROWS):
            assert same(account(first, end).state(), account(0, end).state())


def test_an_account_of_an_older_version_has_no_baseline() -> None:
    old, new = Account("squared", False), Account("squared", False)
    old.add(X[:9, :1], NUMBERS[:9])
    new.set_state({key: value for key, value in old.state().items() if key not in ("mean", "cells", "tallies")})
    new.add(X[9:, :1], NUMBERS[9:])
    assert math.isnan(new.totals()["baseline_squared"])


def test_compare_ends_with_the_baseline() -> None:
    reports = compare({"one": AdaGrad(), "two": Perceptron()}, read(X, SIGNS))
    assert reports["one"].baseline is not None
    lines = str(reports).splitlines()
    assert [line.split()[0] for line in lines] == ["learner", "one", "two", "baseline"]
    error, log_loss = of_two(SIGNS, np.ones(ROWS))
    assert lines[-1].split() == ["baseline", f"{error:.4%}", f"{log_loss:.6f}"]
    numbers = str(compare({"one": GradientDescent(loss="squared")}, read(X, NUMBERS))).splitlines()
    assert numbers[0].split() == ["learner", "loss", "mean", "loss", "RMSE", "MAE", "R²"]
    assert len(numbers[-1].split()) == 4
    assert "baseline" not in str(compare({"one": AdaGrad()}, read([])))


def test_evaluate_is_beside_the_labels_of_its_own_stream() -> None:
    model = AdaGrad()
    learn(model, read(X, SIGNS))
    stream = read(X[:300], -SIGNS[:300])
    found = evaluate(model, stream)
    raw = np.concatenate([raw for _, raw in predictions(model, stream)])[:, 0]
    assert found.baseline is not None
    assert found.baseline.error_rate == pytest.approx(of_two(-SIGNS[:300], np.ones(300))[0])
    assert found.baseline.better_in == ["error_rate", "log_loss"]
    assert found.confusion is not None
    assert found.confusion.counts[1][0] == np.sum((SIGNS[:300] < 0) & (raw < 0))
