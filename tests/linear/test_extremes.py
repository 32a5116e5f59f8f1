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
from tests.linear.formulas import gradient_descent, normalized_adagrad, sparse_rows
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


@pytest.mark.parametrize("weight", [1.0, 1e-9, 1e-25])
@pytest.mark.parametrize("size", [1e-37, 1e-25, 1e-21, 1e-19, 1e-17, 1e-16, 1e-14, 1e14, 1e16, 1e19, 3e38])
def test_the_first_step_of_adagrad_is_its_rate_whatever_the_size(size: float, weight: float) -> None:
    """w = rate g/sqrt(g^2), unless sqrt(g^2) is below the smallest normal float, which then stands for it."""
    x, tiny = float(np.float32(size)), float(np.finfo(np.float32).tiny)
    for loss, slope in (("logistic", 0.5), ("hinge", 1.0)):
        model, several = AdaGrad(loss=loss, features=NO_INTERCEPT), OneVsAll(AdaGrad(loss=loss, features=NO_INTERCEPT))
        model.learn_one({"0": x}, 1, weight)
        several.learn_one({"0": x}, "one", weight)
        expected = 0.5 * min(1.0, weight * slope * x / tiny)
        assert model.coef(["0"])["0"] == pytest.approx(expected, rel=1e-6, abs=0.0)
        assert several.coef(["0"])["0"]["one"] == pytest.approx(expected, rel=1e-6, abs=0.0)


@pytest.mark.parametrize("size", [1e-37, 1e-30, 1e-19, 1.0, 1e19, 1e30, 3e38])
@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_the_normalised_update_does_not_know_the_size(loss: str, size: float) -> None:
    """Two rows of any size are two rows of size 1; where a gradient or a scale leaves the floats, never above these."""
    predictions = []
    for x in (1.0, float(np.float32(size))):
        model = AdaGrad(normalized=True, loss=loss, features=NO_INTERCEPT)
        for y in (1.0, -1.0):
            model.learn_one({"0": x}, y)
        predictions.append(model.predict_one({"0": x}))
    if 1e-36 < size < 1e38:
        assert predictions[1] == pytest.approx(predictions[0], rel=1e-5)
    else:
        assert abs(predictions[1]) <= 2.0


def test_a_row_that_is_already_right_rescales_nothing() -> None:
    """An outlier whose logistic loss is nothing beside 1; one with a little loss is learned."""
    model = AdaGrad(normalized=True, features=NO_INTERCEPT)
    model.learn_one({"0": 1.0}, 1, 1e4)
    before = bits(model)
    assert model.predict_one({"0": 1.0}) > 2.0
    model.learn_one({"0": 100.0}, 1)
    assert same(bits(model), before)
    model.learn_one({"0": 1.5}, 1)
    assert not same(bits(model), before)


@pytest.mark.parametrize("normalized", [False, True])
def test_a_row_without_a_gradient_changes_nothing(normalized: bool) -> None:
    model = AdaGrad(normalized=normalized, loss="hinge", features=NO_INTERCEPT)
    for _ in range(5):
        model.learn_one({"0": 1.0}, 1)
    before = model.state()
    model.learn_one({"0": 9.0, "1": 1.0}, 1)
    assert same({**before, "key_bits": 1}, model.state())


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_the_weight_of_all_rows_may_be_infinitely_more_than_they_add(loss: str) -> None:
    model = AdaGrad(normalized=True, loss=loss, features=NO_INTERCEPT)
    model.learn_one({"0": 3e38}, 1, 5e-324)
    for _ in range(3):
        model.learn_one({"0": 1e-30}, -1, 3e38)
    assert model.predict_one({"0": 1e-30}) < 0.0


def test_margins_of_the_normalised_update_end_at_50() -> None:
    model = AdaGrad(normalized=True, features=NO_INTERCEPT)
    model.learn_one({"0": 1.0}, 1)
    assert (model.predict_one({"0": 1e6}), model.predict_one({"0": -1e6})) == (50.0, -50.0)


@pytest.mark.parametrize("rate", [1e12, 1e25, 1e38])
def test_a_ball_that_is_tiny_beside_the_steps(rate: float) -> None:
    """Every step leads far out and is projected back: the stored weights are rescaled, again and again."""
    X, y, h = sparse_rows(200, 6, seed=3)
    expected, _ = gradient_descent(X, y, h, "logistic", rate, 1e-3)
    found = GradientDescent(rate=rate, radius=1e-3, features=NO_INTERCEPT).learn_many(X, y, h)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize(("size", "weight"), [(1e-30, 1e36), (1e-18, 1e30), (1e30, 1e-36), (1e18, 1e-30)])
def test_the_scale_times_the_adaptive_word_may_leave_the_floats(size: float, weight: float) -> None:
    x = float(np.float32(size))
    X, y, h = np.array([[x], [x], [x]]), np.array([1.0, -1.0, 1.0]), np.array([weight, weight, 0.0])
    for loss in ("logistic", "squared"):
        expected, _ = normalized_adagrad(X, y, h, loss, 0.5)
        found = AdaGrad(normalized=True, loss=loss, features=NO_INTERCEPT).learn_many(X, y, h)
        assert found == pytest.approx(expected, rel=1e-5)
