"""Stopping early, rows held out, and the averages over the last rows: by definition, however rows are cut."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit import losses
from afterwit._core import Ledger
from afterwit.errors import ModelFileError
from afterwit.features import Features
from afterwit.learning import Lesson, Report, learn
from afterwit.learning.account import Account
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.learning.pieces import rows_of
from afterwit.learning.report import report_of
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll, Pegasos
from afterwit.protocols import Labels, Wants
from afterwit.registry import fresh, state
from afterwit.registry.plain import same
from afterwit.streams import read
from tests.learning.test_lesson import Mean
from tests.linear.rules import random_rows

ROWS = 300
DATA = random_rows(ROWS, columns=30, most=6, seed=4)
NAMES = np.array(["a", "b", "c"])[np.random.default_rng(5).integers(0, 3, ROWS)]
WEIGHT = np.random.default_rng(6).integers(0, 4, ROWS).astype(float)
SMALL = Features(bits=6)
MODELS = [
    AdaGrad(normalized=True, features=SMALL),
    Pegasos(features=SMALL),
    GradientDescent(loss="squared", features=SMALL),
    AdaGrad(normalized=True, features=Features(names="exact")),
    OneVsAll(AdaGrad(normalized=True, features=SMALL)),
    OneVsAll(Mean()),
    Mean(0.5),
]
every_model = pytest.mark.parametrize(
    "model", MODELS, ids=["adagrad", "pegasos", "squared", "exact", "classes", "means", "mean"]
)
weighted = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])


def stream(model: Any, weight: Any, rows: Any = slice(None), batch_rows: int = 4096) -> Any:
    y = NAMES if isinstance(model, OneVsAll) else DATA.y
    return read(DATA.X[rows], y[rows], None if weight is None else weight[rows], batch_rows=batch_rows)


def unnamed(report: Report) -> Report:
    return replace(report, learner="", source="")


@every_model
@weighted
@pytest.mark.parametrize("limit", [1, 100, ROWS + 1])
def test_a_limit_is_the_first_rows(model: Any, weight: Any, limit: int) -> None:
    one = unnamed(learn(fresh(model), stream(model, weight, slice(limit))))
    whole = fresh(model)
    two = learn(whole, stream(model, weight, slice(limit)), passes=2)
    for batch_rows in (7, 4096):
        limited, twice = fresh(model), fresh(model)
        assert unnamed(learn(limited, stream(model, weight, batch_rows=batch_rows), limit=limit)) == one
        found = learn(twice, stream(model, weight, batch_rows=batch_rows), limit=limit, passes=2)
        assert unnamed(found) == unnamed(two)
        assert same(state(twice), state(whole))


@pytest.mark.parametrize("rows", [0, 1, 3, 5])
def test_the_first_rows_of_a_batch_have_all_that_is_theirs(rows: int) -> None:
    wants = Wants(names=True, groups=True)
    given = [({"a": 1.0, f"b{i}": "x", "n": {"c": 1.0 * i}}, float(i), 0.5 * i) for i in range(4)]
    (whole,) = read(given).batches(Labels("real"), wants=wants)
    found = rows_of(whole, 0, rows)
    for expected in read(given[:rows]).batches(Labels("real"), wants=wants):
        assert expected.groups is not None
        assert same(asdict(replace(found, position=expected.position)), asdict(expected))
    assert len(found) == min(rows, 4)


@every_model
@weighted
@pytest.mark.parametrize("every", [2, 7, ROWS + 1])
def test_rows_held_out_are_never_learned(model: Any, weight: Any, every: int) -> None:
    held = np.arange(1, ROWS + 1) % every == 0
    apart = fresh(model)
    rest = learn(apart, stream(model, weight, ~held))
    reports = []
    for batch_rows in (7, 50, 4096):
        learner = fresh(model)
        report = learn(learner, stream(model, weight, batch_rows=batch_rows), holdout=every)
        assert same(state(learner), state(apart))
        assert unnamed(replace(report, holdout=None)) == unnamed(rest)
        reports.append(report.holdout)
    assert reports[0] == reports[1] == reports[2]
    assert reports[0] is not None
    assert reports[0].rows == held.sum()
    assert reports[0].weight == (held.sum() if weight is None else weight[held].sum())


def test_what_is_held_out_is_reported_as_it_was_predicted() -> None:
    model = AdaGrad(features=SMALL)
    lesson = Lesson(model, stream(model, None, batch_rows=33), holdout=5)
    raw = np.concatenate([step.raw[:, 0] for step in lesson.steps()])
    assert len(raw) == ROWS
    held = np.arange(1, ROWS + 1) % 5 == 0
    found = lesson.report().holdout
    assert found is not None
    assert found.mean_loss == pytest.approx(np.logaddexp(0, -DATA.y * raw)[held].mean())
    assert found.error_rate == pytest.approx((np.where(raw >= 0, 1, -1) != DATA.y)[held].mean())
    assert found.log_loss == found.mean_loss
    assert found.auc is not None
    twice = learn(AdaGrad(features=SMALL), stream(model, None), holdout=5, passes=3).holdout
    assert twice is not None
    assert len(twice.later_passes) == 2
    assert replace(twice, later_passes=[]) == found


@every_model
@weighted
@pytest.mark.parametrize("size", [1, 40, 5000])
def test_the_window_is_the_last_rows(model: Any, weight: Any, size: int) -> None:
    plain = fresh(model)
    without = learn(plain, stream(model, weight))
    reports = []
    for batch_rows in (7, 30, 4096):
        lesson = Lesson(fresh(model), stream(model, weight, batch_rows=batch_rows), window=size)
        for _ in lesson.steps():
            pass
        reports.append(unnamed(lesson.report()))
        assert same(state(lesson.model), state(plain))
    report = reports[0]
    assert report == reports[1] == reports[2]
    blank = [replace(point, window_mean_loss=None, window_error_rate=None) for point in report.curve]
    assert replace(report, window=None, curve=blank) == unnamed(without)
    w = np.ones(ROWS) if weight is None else weight
    window = report.window
    assert window is not None
    assert (window.size, window.rows, window.weight) == (size, min(size, ROWS), w[-size:].sum())
    if size >= ROWS:
        assert window.mean_loss == pytest.approx(report.mean_loss)
        assert window.error_rate == (None if report.error_rate is None else pytest.approx(report.error_rate))
    if size == 1 and w[-1] == 0.0:
        assert (window.mean_loss, window.error_rate) == (None, None)


@pytest.mark.parametrize("size", [1, 3, 64, 100, 1000])
def test_the_window_against_numpy(size: int) -> None:
    model = AdaGrad(features=SMALL)
    lesson = Lesson(model, stream(model, WEIGHT, batch_rows=47), window=size)
    raw = np.concatenate([step.raw[:, 0] for step in lesson.steps()])
    loss, wrong = np.logaddexp(0, -DATA.y * raw), np.where(raw >= 0, 1, -1) != DATA.y
    report = lesson.report()
    assert [point.rows for point in report.curve][-1] == ROWS
    for point in report.curve:
        last = slice(max(point.rows - size, 0), point.rows)
        if WEIGHT[last].sum() == 0.0:
            assert point.window_mean_loss is None
        else:
            assert point.window_mean_loss == pytest.approx(np.average(loss[last], weights=WEIGHT[last]))
            assert point.window_error_rate == pytest.approx(np.average(wrong[last], weights=WEIGHT[last]))


def test_a_ledger_goes_on_from_the_state_of_another() -> None:
    rng = np.random.default_rng(8)
    one, other = (Ledger(losses.get("squared"), False, 3) for _ in range(2))
    for ledger, rows in ((one, 4), (other, 5)):  # the oldest of the last three is at another place
        ledger.add(rng.normal(size=(rows, 1)), rng.normal(size=rows), None)
    other.set_state(one.state())
    for raw, y in rng.normal(size=(5, 2)):
        for ledger in (one, other):
            ledger.add(np.array([[raw]]), np.array([y]), None)
        assert other.window() == one.window()
    assert same(other.state(), one.state())


def test_an_old_outlier_leaves_no_trace() -> None:
    rows = [({"x": 1.0}, 1e15)] + [({"y": 1.0}, 0.125)] * 30
    report = learn(Mean(), read([(x, y) for x, y in rows]), window=5)
    plain = learn(Mean(), read(rows))
    assert plain.mean_loss is not None
    assert report.window is not None
    assert report.window.mean_loss is not None
    assert report.window.rows == 5


@pytest.mark.parametrize("model", [MODELS[0], MODELS[4], Mean(0.5)], ids=["linear", "classes", "mean"])
def test_left_and_resumed(model: Any, tmp_path: Path) -> None:
    def lesson(batch_rows: int = 60) -> Lesson:
        rows = stream(model, WEIGHT, batch_rows=batch_rows)
        return Lesson(fresh(model), rows, 3, limit=250, holdout=6, window=50, confusion=True)

    whole = lesson()
    for left, _ in enumerate(whole.steps()):
        write_checkpoint(tmp_path / f"{left}", whole, {})
    expected, report = state(whole.model), unnamed(whole.report())
    assert report.window is not None
    assert report.holdout is not None
    assert report.rows + report.holdout.rows == 250
    assert len({*report.later_passes, *report.holdout.later_passes}) == 4
    for step in range(left + 1):
        again = lesson(batch_rows=100)
        resume(tmp_path / f"{step}", again)
        for _ in again.steps():
            pass
        assert same(state(again.model), expected)
        assert unnamed(again.report()) == report
    for name, value in (("limit", 5), ("holdout", None), ("window", 51)):
        given: dict[str, Any] = {"limit": 250, "holdout": 6, "window": 50, "confusion": True, name: value}
        with pytest.raises(ModelFileError, match=f"{name} is {value}, the checkpoint was written with"):
            resume(tmp_path / "0", Lesson(fresh(model), stream(model, WEIGHT), 3, **given))


def test_an_older_state_has_no_baseline_and_neither_have_the_last_rows() -> None:
    y, raw = np.where(np.arange(60) % 3, 1.0, -1.0), np.linspace(-1.0, 1.0, 60)[:, None]
    new = Account("logistic", False, 5)
    new.add(raw[:20], y[:20], None)
    state = new.state()
    for name, fields in (("totals", 8), ("curve", 8), ("window", 3), ("window_curve", 3)):
        state[name] = np.ascontiguousarray(state[name][:, :fields])
    for name in ("mean", "cells", "tallies", "usual", "classes"):
        del state[name]
    old = Account("logistic", False, 5)
    old.set_state(state)
    for ledger in (new, old):
        ledger.add(raw[20:], y[20:], None)
    found, expected = (
        report_of(each, learner="", source="", loss="logistic", kind="binary", skipped=0, later_passes=[], window=5)
        for each in (old, new)
    )
    assert expected.window is not None
    blank = replace(expected.window, baseline_mean_loss=None, baseline_error_rate=None)
    assert found == replace(
        expected,
        **dict.fromkeys(("baseline", "precision", "recall", "f1", "confusion")),
        window=blank,
        curve=[replace(p, baseline_mean_loss=None, baseline_error_rate=None) for p in expected.curve],
    )
    assert old.state().keys() == new.state().keys()


def test_what_is_wrong_is_said() -> None:
    for name, value, least in (("limit", 0, 1), ("holdout", 1, 2), ("window", 0, 1), ("window", -5, 1)):
        given: dict[str, Any] = {name: value}
        with pytest.raises(ValueError, match=f"{name} is {value}, expected {least} or more"):
            learn(AdaGrad(), read(DATA.X, DATA.y), **given)


def test_the_report_shows_them() -> None:
    report = learn(AdaGrad(features=SMALL), read(DATA.X, DATA.y), holdout=10, window=100)
    shown = str(report)
    assert "rows held out" in shown
    assert "mean loss, held out" in shown
    assert "mean loss, last 100 rows" in shown
    found = json.loads(report.to_json())
    assert found == asdict(report)
    assert found["holdout"]["rows"] == ROWS // 10
    assert found["window"]["rows"] == 100
    plain = learn(AdaGrad(features=SMALL), read(DATA.X, DATA.y))
    assert (plain.holdout, plain.window) == (None, None)
    assert "held out" not in str(plain)
