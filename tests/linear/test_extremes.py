"""Extreme values: whatever comes, predictions and state stay finite, and what is refused changes nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from afterwit.features import Features
from afterwit.learning import label, learn
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll, Pegasos, Perceptron
from afterwit.linear.linear import Linear
from afterwit.registry import fresh
from afterwit.registry.plain import same
from afterwit.streams import read
from tests.linear.rules import bits, every_learner, is_finite, rules

LARGEST, SMALLEST = 3.4028234e38, 1.1754944e-38
NO_INTERCEPT = Features(bits=3, intercept=False)
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
    assert learner.predict_one({"0": 2.0}) > 0 >= learner.predict_one({"0": -20.0})
    assert is_finite(learner, {})


def million(model: Linear, y: Any) -> float:
    raw = model.learn_many(sp.csr_array(np.ones((1_000_000, 1))), y)
    assert np.isfinite(raw).all()
    return model.predict_one({"0": 1.0})


def test_a_million_rounds() -> None:
    ones, turns = np.ones(1_000_000), np.tile([1.0, -1.0], 500_000)
    perceptron = Perceptron(NO_INTERCEPT)
    assert million(perceptron, turns) == 0.0
    assert bits(perceptron)["totals"]["mistakes"] == [1_000_000]
    # The sum of rate/sqrt(t) is rate (2 sqrt(T) + zeta(1/2)) + O(1/sqrt(T)), whatever the label that is far away.
    far = 0.5 * (2 * math.sqrt(1e6) - 1.4603545)
    for model in (
        GradientDescent(loss="absolute", features=NO_INTERCEPT),
        AdaGrad(loss="absolute", features=NO_INTERCEPT),
    ):
        assert million(model, 1e30 * ones) == pytest.approx(far, rel=0.01)
    # v grows by 1 while v/(strength t) < 1, so w ends within one step 1/(strength T) of 1.
    assert million(Pegasos(strength=0.01, features=NO_INTERCEPT), ones) == pytest.approx(1.0, abs=2e-4)
    for model in (AdaGrad(normalized=True, loss="squared", features=NO_INTERCEPT),
                  GradientDescent(loss="squared", rate=0.1, features=NO_INTERCEPT)):  # fmt: skip
        assert million(model, 3.0 * ones) == pytest.approx(3.0, rel=1e-5)
    assert abs(million(AdaGrad(features=NO_INTERCEPT), turns)) < 1e-2


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
    no_intercept = type(model)(**{**_arguments(model), "features": NO_INTERCEPT})
    raw = no_intercept.learn_many(np.zeros((20, 5)), np.tile([1.0, -1.0], 10))
    assert raw.tolist() == [0.0] * 20
    assert no_intercept.coef() == {}


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


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf, 1e-39, 5e-324, 1e39, 10**400, "1", None])
def test_settings_out_of_range_are_refused(value: Any) -> None:
    for make in (
        lambda: AdaGrad(rate=value),
        lambda: Pegasos(strength=value),
        lambda: GradientDescent(rate=value),
        lambda: GradientDescent(radius=math.nan if value is None else value),
    ):
        with pytest.raises(ValueError, match="expected a positive number from 1e-38 to 1e38"):
            make()


def test_one_feature_of_every_rule_is_its_formula() -> None:
    """One step by hand from x = 2, y = 1."""
    x, after = {"0": 2.0}, {}
    for name, model in rules(NO_INTERCEPT).items():
        model.learn_one(x, 1)
        after[name] = model.predict_one(x)
    assert after["perceptron"] == 4.0
    assert after["descent"] == pytest.approx(0.5 * 0.5 * 4)
    assert after["ball"] == pytest.approx(0.1 * 2 * 4)
    assert after["pegasos"] == pytest.approx(4 / 0.01)
    assert after["adagrad"] == pytest.approx(0.5 * 2)


def _arguments(model: Linear) -> dict[str, Any]:
    names = {Perceptron: [], Pegasos: ["strength", "loss"], AdaGrad: ["rate", "normalized", "loss"]}
    return {name: getattr(model, name) for name in names.get(type(model), ["rate", "radius", "loss"])}
