"""Extreme values: whatever comes, predictions and state stay finite, and what is refused changes nothing."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from afterwit import registry
from afterwit.errors import DataError
from afterwit.features import Features
from afterwit.learning import label, learn
from afterwit.linear import AdaGrad, OneVsAll, Perceptron
from afterwit.linear.linear import Linear
from afterwit.registry import fresh
from afterwit.registry.plain import same
from afterwit.streams import read
from tests.linear.rules import NO_INTERCEPT, bits, every_learner, is_finite
from tests.linear.specimen import Specimen, every

LARGEST, SMALLEST = 3.4028234e38, 1.1754944e-38
MODELS = every_learner(Features(bits=3))
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)


@every_model
@pytest.mark.parametrize("size", [LARGEST, 3e38, 1.0, SMALLEST, 1e-38, 1e-45, 5e-324])
def test_values_of_every_size(model: Linear, size: float) -> None:
    learner = fresh(model)
    for weight in (1.0, LARGEST, SMALLEST, 1e-300, 5e-324):
        for y in (1.0, -1.0, -1.0):
            learner.learn_one({"0": size, "1": -size, "2": 1.0}, y, weight)
    assert is_finite(learner, {"0": size}, {"0": LARGEST, "1": -LARGEST, "2": LARGEST}, {})


@every_model
def test_one_row_and_one_feature(model: Linear) -> None:
    learner = fresh(model)
    learner.learn_one({"0": 2.0}, 1)
    damped = next(each.damped for each in every().values() if each.make is type(model))
    assert learner.predict_one({"0": 2.0}) > 0 >= learner.predict_one({"0": -2.0 if damped else -20.0})
    assert is_finite(learner, {})


def test_ties_are_positive_and_the_first_class() -> None:
    for model in MODELS:
        if model.labels.kind == "binary":
            assert label(model, {"0": 1.0}) == 1
            report = learn(fresh(model), read([({}, 1)]))
            assert (report.error_rate, report.mistakes) == (0.0, 1.0)
    assert label(OneVsAll(Perceptron(), classes=["b", "a"]), {"x": 1.0}) == "b"


@pytest.mark.parametrize("model", [model for model in MODELS if model.labels.kind == "binary"], ids=repr)
def test_labels_of_two_kinds_are_the_same(model: Linear) -> None:
    X, y = np.random.default_rng(0).normal(size=(50, 6)), np.random.default_rng(1).random(50) < 0.5
    expected = fresh(model)
    raw = expected.learn_many(X, np.where(y, 1.0, -1.0))
    for labels in (y, y.astype(int), y.tolist(), np.where(y, 1, -1)):
        other = fresh(model)
        assert same(other.learn_many(X, labels), raw)
        single = fresh(model)
        for x, each in zip(X, labels, strict=True):
            single.learn_one(x, each)
        assert same(bits(other), bits(expected))
        assert same(bits(single), bits(expected))


@every_model
def test_nothing_and_zeros(model: Linear) -> None:
    learner = fresh(model)
    before = bits(learner)
    for X in ([], np.zeros((0, 4)), sp.csr_array((0, 4))):
        assert learner.learn_many(X, []).shape == learner.predict_many(X).shape == (0,)
    assert same(bits(learner), before)
    no_intercept = type(model)(**{**registry.settings(model), "features": NO_INTERCEPT})
    raw = no_intercept.learn_many(np.zeros((20, 5)), np.tile([1.0, -1.0], 10))
    assert raw.tolist() == [0.0] * 20
    assert no_intercept.coef() == {}


def test_a_row_of_weight_zero_brings_no_class() -> None:
    model = OneVsAll(Perceptron(NO_INTERCEPT))
    raw = model.learn_many([{"0": 1.0}] * 4, ["b", "a", "c", "a"], [1.0, 0.0, 1.0, 0.0])
    assert model.classes == ["b", "c"]
    assert raw.shape == (4, 2)
    model.learn_one({"0": 1.0}, "d", 0.0)
    assert model.classes == ["b", "c"]


def _with_negative_column(index: str, value: str) -> Any:
    X = sp.csr_array(np.eye(2, dtype=value))
    X.indices = np.array([0, -1], dtype=index)
    return X


WRONG: list[tuple[Any, Any, Any]] = [
    *(([{"0": 1.0}, {"0": value}], [1, 1], None) for value in (math.nan, math.inf, -math.inf, 3.5e38, 1e300)),
    *(([{"0": 1.0}, {"0": 1.0}], [1, y], None) for y in (math.nan, math.inf, "a", None, 1e39)),
    *(
        ([{"0": 1.0}] * 2, [1, 1], w)
        for w in ([1, -1e-9], [1, math.nan], [1, math.inf], [1, 3.5e38], [1], [[1, 1]], "ab")
    ),
    *(([{"0": 1.0}] * 2, y, None) for y in ([], [1], [1, 1, 1], [[1, 1]], 1.0, None)),
    *(
        (X, [1, 1], None)
        for X in ([{"0": 1.0}], np.ones(2), np.ones((2, 2, 2)), np.array([[1.0], [math.nan]]), [{}, 3])
    ),
    (sp.csr_array(np.array([[1.0], [math.inf]])), [1, 1], None),
    *((_with_negative_column(i, v), [1, 1], None) for i in ("int32", "int64") for v in ("float32", "float64")),
]


@every_model
def test_what_is_refused_changes_nothing(model: Linear) -> None:
    learner = fresh(model)
    learner.learn_one({"0": 1.0, "3": 2.0}, 1)
    before = bits(learner)
    for X, y, weight in WRONG:
        with pytest.raises((TypeError, ValueError)):
            learner.learn_many(X, y, weight)
        assert same(bits(learner), before)


def test_a_negative_column_is_refused_when_predicting() -> None:
    with pytest.raises(ValueError, match="a negative column"):
        AdaGrad().predict_many(_with_negative_column("int32", "float64"))


@pytest.mark.parametrize(
    ("indices", "values", "starts", "sentence"),
    [
        (2, 3, [0, 2, 3], "indptr does not fit indices and data"),
        (3, 2, [0, 2, 3], "indptr does not fit indices and data"),
        (3, 3, [0, 2, 4], "indptr does not fit indices and data"),
        (3, 3, [-1, 2, 3], "indptr does not fit indices and data"),
        (3, 3, [0, 3, 2], "indptr goes down at row 2"),
        (3, 3, [], "indptr is empty"),
    ],
)
def test_arrays_of_a_csr_matrix_that_do_not_fit(indices: int, values: int, starts: list[int], sentence: str) -> None:
    model = AdaGrad()
    y = np.ones(max(0, len(starts) - 1))
    with pytest.raises(ValueError, match=sentence):
        model.learn_csr(np.zeros(indices, np.int32), np.ones(values), np.array(starts, np.int32), y)
    model.learn_csr(np.zeros(3, np.int32), np.ones(4), np.array([0, 2, 3], np.int32), np.ones(2))  # more than used


def test_a_number_too_large_for_one_row_is_named() -> None:
    model = AdaGrad(loss="squared")
    with pytest.raises(
        ValueError, match=r"row 1: the label is `-1e\+300`; expected a finite number that fits a 32-bit"
    ):
        model.learn_one({"a": 1.0}, -1e300)
    with pytest.raises(ValueError, match=r"row 1: the weight is `1e\+39`; expected .* 0 or more, at most 3.4028234e38"):
        model.learn_one({"a": 1.0}, 1.0, 1e39)


NUMBERS = [pytest.param(each, name, id=f"{cls}, {name}") for cls, each in every().items() for name in each.numbers]


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf, 1e-39, 5e-324, 1e39, 10**400, "1", None])
@pytest.mark.parametrize(("each", "name"), NUMBERS)
def test_settings_out_of_range_are_refused(each: Specimen, name: str, value: Any) -> None:
    optional = inspect.signature(each.make).parameters[name].default is None
    with pytest.raises(ValueError, match="expected a positive number from 1e-38 to 1e38"):
        each.make(**{name: math.nan if value is None and optional else value})


@pytest.mark.parametrize("weight", [float("nan"), -1.0, float("inf"), 1e300, 10**400])
@pytest.mark.parametrize("own", [False, True])
def test_one_row_of_a_known_class_has_its_weight_checked(weight: float, own: bool) -> None:
    class Own:
        def predict_one(self, x: Any) -> float:
            return 0.0

        def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
            raise AssertionError("it must not be asked")

    model = OneVsAll(Own() if own else AdaGrad(), ["a", "b"])
    with pytest.raises(DataError, match="weight"):
        model.learn_one({"x": 1.0}, "a", weight)


def test_one_learner_alone_stays_one() -> None:
    model = AdaGrad(features=NO_INTERCEPT)
    with pytest.raises(ValueError, match="one learner alone stays one"):
        model.add_learners(5)
    model.learn_one({"0": 1.0}, 1)
    with pytest.raises(ValueError, match="one learner alone stays one"):
        model.set_native_state(model.native_state(), 3)
    assert model.predict_one({"0": 1.0}) > 0.0
