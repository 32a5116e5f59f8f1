"""The default learner at the ends of what numbers can be: finite, sensible, no worse than who knows no row at all."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from afterwit.features import Features
from afterwit.panel import Auto
from tests.linear.formulas import Array
from tests.panel.specimens import rows

TASKS = {"binary": "logistic", "numbers": "squared"}
both = pytest.mark.parametrize("task", TASKS)


def learned(task: str, X: Any, y: Array, h: Array | None = None, **settings: Any) -> tuple[Array, Auto]:
    """What was predicted before each row; finite, and within the bound of what is usual."""
    model = Auto(task, **settings)
    raw = model.learn_many(X, y, h)
    sensible(model, raw, y)
    return raw, model


def sensible(model: Auto, raw: Array, y: Array) -> None:
    assert np.isfinite(raw).all()
    if model.task == "numbers" and len(y) > 1:
        low, high = np.minimum.accumulate(y)[:-1], np.maximum.accumulate(y)[:-1]
        assert (raw[0], raw[1]) == (0.0, y[0])
        assert ((raw[1:] >= low) & (raw[1:] <= high)).all()
    standing = model.standing()
    panel, usual = standing.panel, standing.usual
    if panel.square is None or usual.square is None or standing.bound.value is None:
        return
    assert np.isfinite([panel.square, usual.square, standing.bound.value, panel.mean_loss or 0.0]).all()
    assert panel.rows * (panel.square - usual.square) <= standing.bound.value + 1e-9
    assert all(np.isfinite([each.mean_loss or 0.0, each.weight]).all() for each in standing.members)


@both
@pytest.mark.parametrize("factor", [1e6, 1e-6, 1e30])
def test_a_scale_that_jumps(task: str, factor: float) -> None:
    X, y, h = rows(600, TASKS[task])
    X[300:] *= factor
    learned(task, X, y, h)
    X[300:, 1:] /= factor  # of one feature alone
    learned(task, X, y, h)


@both
@pytest.mark.parametrize("factor", [1e30, 1e-30, 1e38])
def test_values_of_any_size(task: str, factor: float) -> None:
    X, y, h = rows(400, TASKS[task])
    X /= np.abs(X).max()
    model, other = (learned(task, X * by, y, h)[1] for by in (factor, 1.0))
    assert abs(model.standing().panel.square / other.standing().panel.square - 1.0) < 0.1  # type: ignore[operator]


@both
@pytest.mark.parametrize("label", [1.0, -1.0])
def test_labels_that_never_change(task: str, label: float) -> None:
    X, _, h = rows(300)
    raw, model = learned(task, X, np.full(300, label), h)
    assert not any(each.asleep for each in model.standing().members)
    if task == "numbers":
        assert (raw[1:] == label).all()
    else:
        assert (label * raw[1:] > 0.0).all()
        assert (label * raw[-10:] > 3.0).all()


@pytest.mark.parametrize("size", [1e9, 1e-9, 1e30, 1e-30])
@pytest.mark.parametrize("offset", [0.0, 1.0])
def test_numbers_of_any_size(size: float, offset: float) -> None:
    X, y, h = rows(400, "squared")
    raw, model = learned("numbers", X, size * (y + 1000.0 * offset), h)
    one, other = learned("numbers", X, y + 1000.0 * offset, h)
    np.testing.assert_allclose(raw[2:] / size, one[2:], rtol=1e-3, atol=0.02 * np.ptp(y))
    ratio = (model.standing().panel.square or 0.0) / (other.standing().panel.square or 0.0)
    assert ratio == pytest.approx(1.0, rel=0.02)


@both
@pytest.mark.parametrize("importance", [1e-30, 1e30])
def test_importances_of_any_size(task: str, importance: float) -> None:
    X, y, _ = rows(300, TASKS[task])
    learned(task, X, y, np.full(300, importance))
    some = np.where(np.arange(300) % 7 == 0, importance, 1.0)
    learned(task, X, y, some)
    learned(task, X, y, some[::-1].copy())


@pytest.mark.parametrize("first", [1e-20, 1e-16])
def test_a_mean_that_rounding_brings_beyond_the_labels(first: float) -> None:
    for k in range(100):
        model = Auto("numbers")
        model.learn_one({"x": 1.0}, 0.1 * k - 6.3, first)
        model.learn_one({"x": 1.0}, 0.01 * k + 0.27)
        assert pickle.loads(pickle.dumps(model)).predict_one({"x": 1.0}) == model.predict_one({"x": 1.0})


@both
def test_importances_of_both_sizes(task: str) -> None:
    X, y, _ = rows(300, TASKS[task])
    learned(task, X, y, 10.0 ** np.random.default_rng(0).integers(-30, 31, 300))


@both
@pytest.mark.parametrize("intercept", [True, False])
def test_rows_of_nothing(task: str, intercept: bool) -> None:
    """Only the intercept, or not even that: the share of the labels or their mean, or nothing can be learned."""
    y = np.where(np.random.default_rng(7).random(600) < 0.8, 1.0, -1.0)
    for X in (np.zeros((600, 3)), scipy.sparse.csr_matrix((600, 3))):
        raw, _ = learned(task, X, y, features=Features(intercept=intercept))
        if intercept:
            p = raw if task == "numbers" else 1.0 / (1.0 + np.exp(-raw))
            assert abs(p[300:].mean() - (0.6 if task == "numbers" else 0.8)) < 0.1


@both
def test_without_an_intercept(task: str) -> None:
    X, y, h = rows(400, TASKS[task])
    _, model = learned(task, X, y, h, features=Features(intercept=False))
    assert model.standing().panel.square < 0.8 * (model.standing().usual.square or 0.0)  # type: ignore[operator]


@both
def test_one_row(task: str) -> None:
    for y in (1.0, -1.0):
        model = Auto(task)
        assert abs(model.predict_one({"a": 2.0})) < 0.1  # the network has drawn its weights
        model.learn_one({"a": 2.0}, y)
        raw = model.predict_one({"a": 2.0})
        assert raw == y if task == "numbers" else y * raw > 0.1
        assert np.isfinite(model.predict_one({"b": 1e30}))
        assert "panel" in str(model.standing())


@both
def test_labels_that_come_only_once(task: str) -> None:
    X, y, _ = rows(300, TASKS[task])
    y = np.where(np.arange(300) == 200, -50.0, 1.0) if task == "numbers" else np.where(np.arange(300) == 200, -1.0, 1.0)
    raw, _ = learned(task, X, y)
    assert np.median(raw[250:]) > 0.0


@both
@pytest.mark.parametrize("rounds", [10**5, pytest.param(10**6, marks=pytest.mark.slow)])
def test_a_feature_that_comes_late(task: str, rounds: int) -> None:
    """It is all that tells the labels from then on."""
    rng = np.random.default_rng(0)
    X = np.zeros((rounds + 1000, 2), np.float32)
    X[:, 0] = rng.normal(size=len(X))
    X[rounds:, 1] = rng.choice([-1.0, 1.0], 1000)
    y = np.where(np.arange(len(X)) < rounds, rng.choice([-1.0, 1.0], len(X)), X[:, 1]).astype(float)
    raw, _ = learned(task, X, y, nonlinear=rounds < 10**6)
    assert np.mean((raw[rounds + 200 :] > 0.0) != (y[rounds + 200 :] > 0.0)) < 0.02


@both
def test_a_row_of_many_features(task: str) -> None:
    X, y, h = rows(100, TASKS[task])
    model = Auto(task)
    raw = model.learn_many(X, y, h)
    long = {str(k): float(k % 5 - 2) for k in range(10**5)}
    found = [model.predict_one(long)]
    for _ in range(3):
        model.learn_one(long, 1.0)
        found.append(model.predict_one(long))
    raw = np.concatenate([raw, found, model.learn_many(X, y, h)])
    assert np.isfinite(raw).all()
    standing = model.standing()
    assert {each.name for each in standing.members if each.asleep} >= {"trees", "network", "neighbours"}
    assert standing.panel.rows * ((standing.panel.square or 0.0) - (standing.usual.square or 0.0)) <= (
        standing.bound.value or 0.0
    )


@pytest.mark.parametrize("p", [0.5, 0.3])
def test_chance_is_chance(p: float) -> None:
    """Within three standard deviations of the error of who says the more frequent label, and nearly its log loss."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(10**4, 5)).astype(np.float32), np.where(rng.random(10**4) < p, 1.0, -1.0)
    raw, _ = learned("binary", X, y)
    errors = np.mean((raw >= 0.0) != (y > 0.0))
    assert abs(errors - p) < 3.0 * np.sqrt(p * (1.0 - p) / 1e4)
    assert np.mean(np.logaddexp(0.0, -y * raw)) < -p * np.log(p) - (1.0 - p) * np.log(1.0 - p) + 0.01
    raw, _ = learned("numbers", X, y)
    assert np.mean((raw - y)[100:] ** 2) < 1.02 * y.var()


@both
def test_no_prediction_knows_its_label(task: str) -> None:
    X, y, h = rows(400, TASKS[task])
    raw = Auto(task).learn_many(X, y, h)
    for t in (0, 1, 2, 57, 300):
        other = y.copy()
        other[t] = -y[t] if task == "binary" else y[t] + 3.0
        again = Auto(task).learn_many(X, other, h)
        np.testing.assert_array_equal(again[: t + 1], raw[: t + 1])
        assert (again[t + 1 :] != raw[t + 1 :]).any()
        single = Auto(task)
        single.learn_many(X[:t], y[:t], h[:t])
        assert single.predict_one(X[t]) == raw[t]
