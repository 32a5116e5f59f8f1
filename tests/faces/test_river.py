"""River's own checks, its evaluations and ensembles, and the same bits as the learner behind the face."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from river import (
    checks,
    compose,
    datasets,
    drift,
    ensemble,
    evaluate,
    linear_model,
    metrics,
    multiclass,
    preprocessing,
    stream,
)
from sklearn.datasets import load_diabetes, load_iris

import afterwit as aw
from afterwit.dense import Neighbours
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry.plain import same
from afterwit.river import OnlineClassifier, OnlineRegressor

ADAGRAD = "adagrad:normalized=true"
MODELS = [
    OnlineClassifier(),
    OnlineClassifier(ADAGRAD),
    OnlineClassifier("perceptron"),
    OnlineClassifier(AdaGrad(2.0)),
    OnlineRegressor(),
    OnlineRegressor(ADAGRAD),
    OnlineRegressor("coin-betting", loss="absolute"),
]
WORDS = ("auto", ADAGRAD, "neighbours")


def rows(count: int = 300, seed: int = 0) -> list[tuple[dict[str, Any], float]]:
    rng = random.Random(seed)
    made = [{"a": rng.gauss(0, 1), "b": rng.randint(0, 3), "city": rng.choice(["Rome", "Oslo"])} for _ in range(count)]
    return [(x, x["a"] - x["b"] + (x["city"] == "Rome") + 0.3 * rng.gauss(0, 1)) for x in made]


def named(check: Any) -> str:
    return str(getattr(check, "__name__", ""))


@pytest.mark.parametrize(
    ("model", "check"),
    [pytest.param(model, check, id=f"{k}-{named(check)}") for k, model in enumerate(MODELS) for check in
     checks.yield_checks(model)],
)  # fmt: skip
def test_rivers_own_checks(model: Any, check: Any) -> None:
    random.seed(3)
    check(model.clone())


def test_none_of_rivers_checks_is_left_out() -> None:
    assert [model for model in MODELS if model._unit_test_skips()] == []
    assert (
        len({named(check) for model in MODELS for check in checks.yield_checks(model)}) >= 16
    )  # more in later releases


@pytest.mark.parametrize("words", WORDS)
def test_two_classes_are_learned_as_the_learner_itself_would(words: str) -> None:
    alone: Any = {"auto": aw.Auto("binary"), ADAGRAD: AdaGrad(normalized=True), "neighbours": Neighbours()}[words]
    face = OnlineClassifier(words)
    for x, y in rows():
        x = dict(sorted(x.items()))
        if face.predict_one(x) is not None:
            assert face.predict_proba_one(x)[True] == aw.probability(alone, x)
            assert face.predict_one(x) == (alone.predict_one(x) >= 0.0)
        weight = 0.5 + (x["b"] > 1)
        face.learn_one(x, y > 0, w=weight)
        alone.learn_one(x, y > 0, weight)
    assert same(face.learner.state(), alone.state())


def test_several_classes_are_learned_as_the_learner_itself_would() -> None:
    face, alone = OnlineClassifier(ADAGRAD), OneVsAll(AdaGrad(normalized=True))
    for x, y in rows():
        face.learn_one(x, round(y))
        alone.learn_one(x, round(y))
        assert face.predict_proba_one(x) == aw.probability(alone, x)
        assert face.predict_one(x) == aw.label(alone, x)
    assert same(face.learner.state(), alone.state())


def test_numbers_are_learned_as_the_learner_itself_would() -> None:
    face, alone = OnlineRegressor(), aw.Auto("numbers")
    for x, y in rows():
        face.learn_one(x, y, w=2.0)
        alone.learn_one(x, y, 2.0)
        assert face.predict_one(x) == alone.predict_one(x)


@pytest.mark.parametrize("words", ["auto", "neighbours", "rolling-trees"])
def test_the_order_of_names_plays_no_part_to_the_bit(words: str) -> None:
    one, other = OnlineClassifier(words), OnlineClassifier(words)
    for x, y in rows(100):
        turned = dict(random.Random(len(str(y))).sample(list(x.items()), len(x)))
        one.learn_one(x, y > 0)
        other.learn_one(turned, y > 0)
        assert one.predict_proba_one(x) == other.predict_proba_one(turned)


def test_names_that_are_words_and_numbers_have_an_order() -> None:
    model = OnlineRegressor("neighbours")
    model.learn_one({"b": 1.0, 3: 2.0, "a": 1.0}, 1.0)
    assert model.predict_one({3: 2.0, "a": 1.0, "b": 1.0}) == model.predict_one({"b": 1.0, "a": 1.0, 3: 2.0})


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("names", [["x", "y", "z"], [2, 0, -7], [np.str_("x"), np.int64(3), "z"], ["1", 1, "one"]])
def test_classes_come_at_any_time(words: str, names: list[Any]) -> None:
    model = OnlineClassifier(words)
    assert model.predict_one({"a": 1.0}) is None
    assert model.predict_proba_one({"a": 1.0}) == {}
    for k in range(3):
        for _ in range(20):
            for j, met in enumerate(names[: k + 1]):
                model.learn_one({f"f{j}": 1.0}, met)
        assert list(model.predict_proba_one({})) == names[: k + 1]
    assert [model.predict_one({f"f{k}": 1.0}) for k in range(3)] == names


@pytest.mark.parametrize("one", [True, np.bool_(True), False])
def test_a_bool_says_that_there_are_two_classes(one: Any) -> None:
    model = OnlineClassifier(ADAGRAD)
    model.learn_one({"a": 1.0}, one)
    assert list(model.predict_proba_one({})) == [False, True]
    assert model.predict_one({"a": 1.0}) is bool(one)
    assert isinstance(model.learner, AdaGrad)
    model.learn_one({"a": 1.0}, 1 - int(one))
    with pytest.raises(ValueError, match="the label is `'Rome'`, expected one of `False`, `True`"):
        model.learn_one({"a": 1.0}, "Rome")


@pytest.mark.parametrize("words", ["auto", ADAGRAD])
def test_two_names_are_two_classes(words: str, tmp_path: Path) -> None:
    model = OnlineClassifier(words, classes=["ham", "spam"])
    assert list(model.predict_proba_one({})) == ["ham", "spam"]
    for _ in range(20):
        model.learn_one({"offer": 1.0}, "spam")
        model.learn_one({"hello": 1.0}, "ham")
    assert model.predict_one({"offer": 1.0}) == "spam"
    assert model.learner.labels.kind == "binary"
    with pytest.raises(ValueError, match="the label is `'eggs'`, expected one of `'ham'`, `'spam'`"):
        model.learn_one({"offer": 1.0}, "eggs")
    aw.save(model.learner, tmp_path / "model.afterwit")
    assert aw.label(aw.load(tmp_path / "model.afterwit"), {"offer": 1.0}) == "spam"


def test_more_names_are_all_classes_there_are() -> None:
    model = OnlineClassifier(ADAGRAD, classes=("c", "a", "b"))
    assert list(model.predict_proba_one({})) == ["c", "a", "b"]
    model.learn_one({"x": 1.0}, "b")
    assert model.predict_one({"x": 1.0}) == "b"
    with pytest.raises(ValueError, match="the label is `'d'`, expected one of `'c'`, `'a'`, `'b'`"):
        model.learn_one({"x": 1.0}, "d")


@pytest.mark.parametrize("label", [1.5, None, float("nan"), ["a"], {"a": 1}, (1, 2)])
def test_what_is_no_label_is_said(label: Any) -> None:
    model = OnlineClassifier(ADAGRAD)
    for _ in range(2):
        with pytest.raises(ValueError, match="expected a bool, a word or a whole number"):
            model.learn_one({"a": 1.0}, label)
        assert model.predict_one({"a": 1.0}) is None
        model.learn_one({"a": 1.0}, "word", 0.0)


def test_a_row_that_is_refused_or_has_no_weight_decides_nothing() -> None:
    model = OnlineClassifier(ADAGRAD)
    with pytest.raises(ValueError, match="expected a finite number"):
        model.learn_one({"a": float("nan")}, True)
    model.learn_one({"a": 1.0}, True, w=0.0)
    model.learn_many(pd.DataFrame({"a": [1.0]}), pd.Series([True]), [0.0])
    model.learn_many(pd.DataFrame({"a": []}), pd.Series([], dtype=bool))
    assert model.predict_proba_one({"a": 1.0}) == {}
    model.learn_one({"a": 1.0}, "x")
    with pytest.raises(ValueError, match="weight"):
        model.learn_one({"a": 1.0}, "y", w=-1.0)
    model.learn_one({"a": 1.0}, "y", w=0.0)
    assert list(model.predict_proba_one({})) == ["x"]
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="the label is"):
        model.learn_many(pd.DataFrame({"a": [1.0, 2.0]}), ["z", 2.5])
    assert pickle.dumps(model) == before


def test_what_learns_is_not_replaced_behind_its_back() -> None:
    with pytest.raises(AttributeError):
        OnlineRegressor().learner = AdaGrad()  # type: ignore[misc]


def test_none_is_no_feature() -> None:
    with_none, without = OnlineClassifier(ADAGRAD), OnlineClassifier(ADAGRAD)
    for x, y in rows(50):
        with_none.learn_one({**x, "unknown": None}, y > 0)
        without.learn_one(x, y > 0)
    assert with_none.predict_proba_one({"a": 1.0, "b": None}) == without.predict_proba_one({"a": 1.0})


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("kind", ["bool", "word", "number"])
def test_many_rows_are_single_rows_to_the_bit(words: str, kind: str) -> None:
    read = {"bool": lambda y: y > 0, "word": lambda y: f"class {round(y)}", "number": lambda y: y}[kind]
    make = OnlineRegressor if kind == "number" else OnlineClassifier
    one, many = make(words), make(words)
    taught = [(x, read(y)) for x, y in rows(200)]
    X = pd.DataFrame([{"city": x["city"], "b": x["b"], "a": x["a"]} for x, _ in taught], index=range(1000, 1200))
    w = np.linspace(0.0, 2.0, 200)
    for (x, y), weight in zip(taught, w.tolist(), strict=True):
        one.learn_one({"city": x["city"], "b": x["b"], "a": x["a"]}, y, weight)
    many.learn_many(X[:90], pd.Series([y for _, y in taught[:90]]), w[:90])
    many.learn_many(X[90:], pd.Series([y for _, y in taught[90:]]), w[90:])
    assert same(one.learner.state(), many.learner.state())
    predicted = many.predict_many(X)
    assert predicted.index.equals(X.index)
    assert predicted.tolist() == [one.predict_one(x) for x, _ in taught]
    if kind != "number":
        shares = many.predict_proba_many(X)
        assert shares.index.equals(X.index)
        assert [dict(zip(shares.columns, row, strict=True)) for row in shares.to_numpy().tolist()] == [
            one.predict_proba_one(x) for x, _ in taught
        ]


def test_many_rows_before_the_first_label() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0]}, index=[5, 6])
    model = OnlineClassifier()
    assert model.predict_many(X).tolist() == [None, None]
    assert model.predict_proba_many(X).shape == (2, 0)
    with pytest.raises(TypeError, match="X is a `list`, expected a pandas data frame"):
        model.learn_many([{"a": 1.0}], [True])


def test_without_logistic_loss_there_are_no_probabilities() -> None:
    model = OnlineClassifier("perceptron")
    for call in (model.predict_proba_one, model.predict_proba_many):
        with pytest.raises(NotImplementedError, match="`hinge` loss gives no probability"):
            call({})
    for _ in range(10):
        model.learn_one({"a": 1.0}, "x")
        model.learn_one({"b": 1.0}, "y")
    assert model.predict_one({"b": 1.0}) == "y"


@pytest.mark.parametrize("model", [OnlineClassifier(), OnlineClassifier(ADAGRAD), OnlineRegressor()], ids=str)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_copies_go_on_to_the_bit(model: Any, copied: Any) -> None:
    model = copied(model.clone())
    taught = [(x, y if isinstance(model, OnlineRegressor) else str(round(y))) for x, y in rows(120)]
    for x, y in taught[:60]:
        model.learn_one(x, y)
    other = copied(model)
    for x, y in taught[60:]:
        model.learn_one(x, y)
        other.learn_one(x, y)
        assert model.predict_one(x) == other.predict_one(x)
    assert same(model.learner.state(), other.learner.state())


def accuracy(model: Any, rows: Any) -> float:
    return float(evaluate.progressive_val_score(rows, model, metrics.Accuracy()).get())


@pytest.mark.parametrize("model", [OnlineClassifier(), preprocessing.StandardScaler() | OnlineClassifier()], ids=str)
def test_two_classes_in_river(model: Any) -> None:
    assert accuracy(model, datasets.Phishing().take(800)) > 0.88


@pytest.mark.parametrize(
    "within",
    [
        lambda model: compose.SelectType(int, float) | preprocessing.StandardScaler() | model,
        lambda model: drift.DriftRetrainingClassifier(model, drift_detector=drift.binary.DDM()),
        lambda model: ensemble.BaggingClassifier(model, n_models=3, seed=1),
        lambda model: ensemble.ADWINBaggingClassifier(model, n_models=3, seed=1),
        lambda model: ensemble.AdaBoostClassifier(model, n_models=3, seed=1),
        lambda model: multiclass.OneVsRestClassifier(model),
    ],
)
def test_in_the_place_of_rivers_own_it_does_better(within: Callable[[Any], Any]) -> None:
    ours, theirs = (
        accuracy(within(model), datasets.Phishing().take(800))
        for model in (OnlineClassifier(ADAGRAD), linear_model.LogisticRegression())
    )
    assert ours > theirs


def flowers() -> list[tuple[dict[str, float], int]]:
    return list(stream.iter_sklearn_dataset(load_iris(), shuffle=True, seed=1))


def test_several_classes_in_river() -> None:
    assert accuracy(OnlineClassifier(), flowers()) > 0.85


@pytest.mark.parametrize(
    "within",
    [
        multiclass.OneVsRestClassifier,
        multiclass.OneVsOneClassifier,
        lambda model: multiclass.OutputCodeClassifier(model, code_size=6, coding_method="random", seed=1),
    ],
)
def test_several_classes_by_rivers_own_means(within: Callable[[Any], Any]) -> None:
    ours, theirs = (
        accuracy(within(model), flowers()) for model in (OnlineClassifier(ADAGRAD), linear_model.LogisticRegression())
    )
    assert ours > theirs


@pytest.mark.parametrize(
    "model",
    [
        OnlineRegressor(),
        ensemble.BaggingRegressor(OnlineRegressor(), n_models=2, seed=1),
        preprocessing.StandardScaler() | OnlineRegressor(),
        preprocessing.TargetStandardScaler(OnlineRegressor(ADAGRAD)),
    ],
    ids=lambda model: str(model)[:60],
)
def test_numbers_in_river(model: Any) -> None:
    patients = stream.iter_sklearn_dataset(load_diabetes(), shuffle=True, seed=1)
    assert evaluate.progressive_val_score(patients, model, metrics.MAE()).get() < 52.0  # the mean so far has 66


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"algorithm": "adagard"}, "`adagard` is not a learner; expected one of"),
        ({"algorithm": "adagrad:rat=1"}, "`adagrad` has no setting `rat`; it has rate, normalized, loss"),
        ({"algorithm": "adagrad:rate=-1"}, "`adagrad:rate=-1`: rate is"),
        ({"algorithm": "auto:task=numbers"}, "has a task, and the labels are two classes; leave the task out"),
        ({"algorithm": AdaGrad}, "algorithm is the class `AdaGrad`, expected a learner, or a name such as `auto`"),
        ({"algorithm": 3}, "algorithm is a `int`, expected a learner"),
        ({"algorithm": OneVsAll(AdaGrad())}, "give the learner in it"),
        ({"loss": "hinge"}, "`auto` learns two classes by logistic loss; leave loss out, or name a learner"),
        ({"algorithm": "adagrad", "loss": "hing"}, "loss is `hing`, expected one of"),
        ({"algorithm": "adagrad:loss=hinge", "loss": "logistic"}, "loss is `logistic`, and `adagrad:loss=hinge` says"),
        ({"algorithm": AdaGrad(), "loss": "hinge"}, "`AdaGrad()` has a loss of its own; leave loss out"),
        ({"algorithm": "perceptron", "loss": "hinge"}, "loss is `hinge`, and `perceptron` has no loss to choose"),
        ({"classes": "ab"}, "classes is `'ab'`, expected two or more different names"),
        ({"classes": ["a"]}, "expected two or more different names"),
        ({"classes": ["a", "a"]}, "expected two or more different names"),
    ],
)
def test_what_does_not_fit_is_said_at_once(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises((ValueError, TypeError)) as error:
        OnlineClassifier(**settings)
    assert sentence in str(error.value)


def test_numbers_need_a_learner_of_numbers() -> None:
    with pytest.raises(ValueError, match="the labels are numbers, and `perceptron` has no loss to choose"):
        OnlineRegressor("perceptron")
    with pytest.raises(ValueError, match=r"`AdaGrad\(\)` learns two classes, and the labels are numbers"):
        OnlineRegressor(AdaGrad())


def test_a_loss_is_said_in_either_place() -> None:
    one, other = (
        OnlineRegressor("adagrad:loss=quantile:0.90", loss="quantile:0.9"),
        OnlineRegressor("adagrad:loss=absolute"),
    )
    assert (one.learner.loss, other.learner.loss) == ("quantile:0.9", "absolute")
    with pytest.raises(ValueError, match="says another; leave one of them out"):
        OnlineRegressor("adagrad:loss=quantile:0.9", loss="quantile:0.8")


def test_a_learner_of_numbers_tells_two_classes() -> None:
    model = OnlineClassifier("adagrad", loss="squared")
    for x, y in rows():
        model.learn_one(x, y > 0)
    assert np.mean([model.predict_one(x) == (y > 0) for x, y in rows(100, seed=1)]) > 0.8


def test_without_river_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['river'] = None\nimport afterwit.river"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ImportError: afterwit.river needs the package `river`: pip install 'afterwit[river]'" in done.stderr
