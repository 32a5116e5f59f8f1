"""scikit-learn's own checks, its pipelines and searches, and the same bits as the learner behind the face."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
import sklearn
import skops.io
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import StackingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import compute_class_weight
from sklearn.utils.estimator_checks import parametrize_with_checks

import afterwit as aw
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll
from afterwit.registry.plain import same
from afterwit.sklearn import OnlineClassifier, OnlineRegressor

ADAGRAD = "adagrad:normalized=true"
REASON = "a row of weight 2 is one step and not two, in the order of the rows"


class Mean:
    """A learner of one's own: two methods, and nothing else."""

    def __init__(self) -> None:
        self.total, self.rows = 0.0, 0.0

    def predict_one(self, x: Any) -> float:
        return self.total / max(1.0, self.rows)

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        self.total, self.rows = self.total + weight * y, self.rows + weight


@parametrize_with_checks(
    [
        OnlineClassifier(),
        OnlineRegressor(),
        OnlineClassifier(ADAGRAD),
        OnlineRegressor(ADAGRAD),
        OnlineClassifier("perceptron", max_iter=5),
        OnlineClassifier(GradientDescent(0.5), shuffle=False),
        OnlineRegressor("coin-betting", loss="absolute", max_iter=20),
    ],
    expected_failed_checks=lambda estimator: {
        "check_sample_weight_equivalence_on_dense_data": REASON,
        "check_sample_weight_equivalence_on_sparse_data": REASON,
    },
)
def test_scikit_learns_own_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


def labels(kind: str, X: Any, rng: np.random.Generator) -> Any:
    margin = X[:, 0] - 2.0 * X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=len(X))
    if kind == "numbers":
        return 10.0 * margin
    words = np.array(["no", "perhaps", "yes"])
    return np.where(margin > 0, "yes", "no") if kind == "binary" else words[np.digitize(margin, [-1.0, 1.0])]


def rows(kind: str, count: int = 400) -> tuple[np.ndarray, Any]:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(count, 5)), 1)  # some zeros
    return X, labels(kind, X, rng)


def frame(X: np.ndarray) -> pd.DataFrame:
    """The columns under names, one of them words, and some cells missing."""
    table = pd.DataFrame(X, columns=["a", "b", "c", "d", "e"])
    table.loc[::7, "d"] = np.nan
    table["city"] = np.where(X[:, 3] > 0, "Rome", "Oslo")
    return table


def alone(words: str, kind: str, y: Any) -> Any:
    if words == "auto":
        model = aw.Auto("numbers" if kind == "numbers" else None)
    else:
        model = AdaGrad(normalized=True, loss="squared" if kind == "numbers" else "logistic")
    names = tuple(np.unique(y).tolist())
    if kind == "classes":
        model = OneVsAll(model, names) if words != "auto" else model
    if words == "auto" and kind != "numbers":
        model.decide(aw.protocols.Labels("binary" if kind == "binary" else "classes", names))
    return model


def taught_alone(words: str, kind: str, X: Any, y: Any, **settings: Any) -> Any:
    model = alone(words, kind, y)
    if kind == "binary" and words != "auto":
        y = np.where(y == "yes", 1, -1)
    aw.learn(model, aw.read(X, y), **settings)
    return model


def state(model: Any) -> Any:
    """Of a default learner what is in it: behind this face two classes have no names."""
    return model.model.state() if isinstance(model, aw.Auto) else model.state()


FORMS = {
    "dense": lambda X: X,
    "columns": np.asfortranarray,
    "csr": scipy.sparse.csr_matrix,
    "csr array": scipy.sparse.csr_array,
    "csc": scipy.sparse.csc_matrix,
    "lists": lambda X: X.tolist(),
    "frame": frame,
    "polars": lambda X: pl.from_pandas(frame(X)),
    "arrow": lambda X: pa.table(frame(X)),
    "numbered frame": pd.DataFrame,
}


@pytest.mark.parametrize("words", ["auto", ADAGRAD])
@pytest.mark.parametrize("kind", ["binary", "classes", "numbers"])
@pytest.mark.parametrize("form", FORMS)
def test_without_shuffling_it_is_learn_to_the_bit(words: str, kind: str, form: str) -> None:
    X, y = rows(kind)
    X = FORMS[form](X)
    make = OnlineRegressor if kind == "numbers" else OnlineClassifier
    face = make(words, shuffle=False).fit(X, y)
    other = taught_alone(words, kind, X if form != "csc" else X.tocsr(), y)
    assert same(state(face.model_), state(other))
    raw = face.predict(X) if kind == "numbers" else face.decision_function(X)
    assert np.array_equal(raw, aw.predict(other, aw.read(X if form != "csc" else X.tocsr(), y)))
    if kind != "numbers":
        assert np.array_equal(face.predict(X), face.classes_[raw.argmax(axis=1) if raw.ndim > 1 else (raw >= 0) * 1])
        assert np.array_equal(face.predict_proba(X).argmax(axis=1), np.searchsorted(face.classes_, face.predict(X)))
        assert np.allclose(face.predict_proba(X).sum(axis=1), 1.0)
        assert np.array_equal(face.predict_log_proba(X), np.log(face.predict_proba(X)))


@pytest.mark.parametrize("form", ["dense", "csr", "frame", "polars"])
@pytest.mark.parametrize("kind", ["binary", "classes", "numbers"])
def test_shuffling_is_by_its_seed_and_anew_in_every_pass(kind: str, form: str) -> None:
    X, y = rows(kind)
    make = OnlineRegressor if kind == "numbers" else OnlineClassifier
    face = make(ADAGRAD, max_iter=3, random_state=5).fit(FORMS[form](X), y)
    random = np.random.RandomState(5)
    order = np.concatenate([random.permutation(len(X)) for _ in range(3)])
    table = FORMS[form](X)
    turned = table.iloc[order] if form == "frame" else table[order]
    other = taught_alone(ADAGRAD, kind, turned, y[order])
    assert same(state(face.model_), state(other))
    assert face.n_iter_ == 3


def test_passes_in_order_and_parts_of_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = rows("classes")
    other = taught_alone(ADAGRAD, "classes", X, y, passes=3)
    monkeypatch.setattr("afterwit.sklearn.face.STEP", 37)
    for form in ("dense", "csr", "frame"):
        shuffled = OnlineClassifier(ADAGRAD, random_state=5).fit(FORMS[form](X), y)
        assert shuffled.decision_function(FORMS[form](X)).shape == (400, 3)
    assert same(state(OnlineClassifier(ADAGRAD, max_iter=3, shuffle=False).fit(X, y).model_), state(other))
    monkeypatch.undo()
    again = OnlineClassifier(ADAGRAD, random_state=5).fit(frame(X), y)
    assert np.array_equal(again.decision_function(frame(X)), shuffled.decision_function(frame(X)))


@pytest.mark.parametrize("kind", ["binary", "classes", "numbers"])
@pytest.mark.parametrize("form", ["dense", "csr", "frame"])
def test_partial_fit_goes_on_in_order(kind: str, form: str) -> None:
    X, y = rows(kind)
    X = FORMS[form](X)
    make = OnlineRegressor if kind == "numbers" else OnlineClassifier
    whole, parts, warm = make(shuffle=False).fit(X, y), make(shuffle=True), make(shuffle=False, warm_start=True)
    for first in range(0, 400, 100):
        part = slice(first, first + 100)
        more = {} if kind == "numbers" or first else {"classes": np.unique(y)}
        parts.partial_fit(X[part], y[part], **more)
        warm.fit(X[part], y[part])
    assert same(state(parts.model_), state(whole.model_))
    assert same(state(warm.model_), state(whole.model_))
    assert not same(state(clone(warm).set_params(warm_start=False).fit(X[300:], y[300:]).model_), state(whole.model_))


def test_the_first_part_may_lack_a_class() -> None:
    X, y = rows("classes")
    model = OnlineClassifier().partial_fit(X[y != "no"], y[y != "no"], classes=["yes", "perhaps", "no"])
    assert model.classes_.tolist() == ["no", "perhaps", "yes"]
    assert model.predict_proba(X).shape == (400, 3)
    model.partial_fit(X, y, classes=["no", "perhaps", "yes"])
    assert (model.predict(X) == "no").any()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda m, X, y: m.partial_fit(X, y), "classes must be passed on the first call to partial_fit"),
        (lambda m, X, y: m.partial_fit(X, y, classes=["no"]), "number of classes has to be greater than one; got 1"),
        (lambda m, X, y: m.partial_fit(X, y, classes=["no", "maybe"]), "the label is `'yes'`, expected one of"),
        (lambda m, X, y: m.fit(X, y).partial_fit(X, y, classes=["a", "b"]), "on the first call to partial_fit it was"),
        (lambda m, X, y: m.set_params(warm_start=True).fit(X, y).fit(X, np.tile([1, 2], 200)), "the label is"),
        (lambda m, X, y: m.set_params(warm_start=True).fit(X, y).fit(X[:, 1:], y), "X has 4 features, but"),
        (lambda m, X, y: m.fit(X, np.tile("no", 400)), "number of classes has to be greater than one; got 1 class"),
        (lambda m, X, y: m.fit(X, np.stack([y, y], axis=1)), "y should be a 1d array, got an array of shape (400, 2)"),
        (lambda m, X, y: m.fit(X, np.linspace(0, 1, 400)), "Unknown label type: continuous"),
        (lambda m, X, y: m.fit(X, y[:9]), "Found input variables with inconsistent numbers of samples: [400, 9]"),
        (lambda m, X, y: m.fit(X, y, sample_weight=np.ones(9)), "weight has the shape (9,), expected (400,)"),
        (lambda m, X, y: m.fit(X, y, sample_weight=np.full(400, -1.0)), "the weight is `-1`, expected a finite number"),
        (lambda m, X, y: m.fit(X, y, sample_weight=np.full(400, np.nan)), "the weight is `nan`, expected a finite"),
        (lambda m, X, y: m.fit(X, y, sample_weight=np.zeros(400)), "at least one non-zero number"),
        (lambda m, X, y: m.fit(X, None), "requires y to be passed, but the target y is None"),
        (lambda m, X, y: m.fit(X * 1e39, y), "a value that does not fit a 32-bit float"),
        (lambda m, X, y: m.fit(scipy.sparse.csr_matrix(-1e39 * abs(X)), y), "a value that does not fit a 32-bit float"),
        (lambda m, X, y: m.fit(X + np.nan, y), "Input X contains NaN"),
        (lambda m, X, y: m.fit(frame(X).assign(a=np.inf), y), "DataFrame, row 1, column `a`"),
        (lambda m, X, y: m.fit(frame(X)[:0], y[:0]), "Found array with 0 sample(s)"),
        (lambda m, X, y: m.fit(frame(X), y).predict(frame(X)[["b", "a", "c", "d", "e", "city"]]), "in the same order"),
        (lambda m, X, y: m.fit(X, y).predict(X[:, :4]), "X has 4 features, but OnlineClassifier is expecting 5"),
        (lambda m, X, y: m.set_params(max_iter=0).fit(X, y), "max_iter is `0`, expected a whole number, 1 or more"),
        (lambda m, X, y: m.set_params(max_iter=1.5).fit(X, y), "max_iter is `1.5`, expected a whole number, 1 or more"),
        (lambda m, X, y: m.set_params(class_weight="equal").fit(X, y), "class_weight"),
        (lambda m, X, y: m.set_params(class_weight={"no": -1.0}).fit(X, y), "the weight is `-1`"),
        (
            lambda m, X, y: m.set_params(class_weight="balanced").partial_fit(X, y, classes=["no", "yes"]),
            "class_weight 'balanced' is not supported for partial_fit",
        ),
        (lambda m, X, y: m.set_params(algorithm="adagard").fit(X, y), "`adagard` is not a learner; expected one of"),
        (lambda m, X, y: m.set_params(loss="hinge").fit(X, y), "`auto` learns two classes by logistic loss"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(call: Callable[..., Any], sentence: str) -> None:
    X, y = rows("binary")
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call(OnlineClassifier(), X, y)
    assert sentence in str(error.value)


def test_before_fit_there_is_nothing() -> None:
    for model in (OnlineClassifier(), OnlineRegressor()):
        with pytest.raises(NotFittedError):
            model.predict([[1.0]])
        assert not hasattr(model, "coef_")
        assert not hasattr(model, "model_")


def test_probabilities_are_there_with_logistic_loss_alone() -> None:
    X, y = rows("binary")
    for model, has in {
        OnlineClassifier(): True,
        OnlineClassifier(ADAGRAD): True,
        OnlineClassifier(aw.Auto(nonlinear=False)): True,
        OnlineClassifier("adagrad", loss="hinge"): False,
        OnlineClassifier("adagrad:loss=hinge"): False,
        OnlineClassifier("perceptron"): False,
        OnlineClassifier("no such thing"): False,
        OnlineClassifier(Mean()): False,
    }.items():
        assert hasattr(model, "predict_proba") == has
        if "no such" not in str(model.algorithm):
            assert hasattr(model.fit(X, y), "predict_proba") == has


@pytest.mark.parametrize("kind", ["binary", "classes", "numbers"])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("words", [ADAGRAD, "gradient-descent"])
def test_linear_learners_show_their_weights(kind: str, named: bool, words: str) -> None:
    X, y = rows(kind)
    given = pd.DataFrame(X, columns=list("abcde")) if named else X
    model = (OnlineRegressor if kind == "numbers" else OnlineClassifier)(words).fit(given, y)
    several = 3 if kind == "classes" else 1
    assert model.coef_.shape == ((5,) if kind == "numbers" else (several, 5))
    assert model.intercept_.shape == (several,)
    raw = model.predict(given) if kind == "numbers" else model.decision_function(given)
    by_hand = X @ model.coef_.T + model.intercept_
    assert np.allclose(raw, by_hand if kind == "classes" else by_hand.reshape(-1), rtol=1e-5, atol=1e-5)
    assert np.abs(model.coef_).max() > 0.01


@pytest.mark.parametrize(
    ("model", "named", "sentence"),
    [
        (OnlineClassifier(), False, "`Auto` is not linear"),
        (OnlineClassifier("neighbours"), False, "`Neighbours` is not linear"),
        (OnlineClassifier(ADAGRAD), True, "there are more weights than columns; model_.coef"),
        (OnlineClassifier(AdaGrad(features=aw.Features(interactions=["a*b"]))), False, "there are more weights"),
    ],
)
def test_where_there_are_no_weights_by_column_it_says_why(model: Any, named: bool, sentence: str) -> None:
    X, y = rows("binary")
    model.fit(frame(X) if named else X, y)
    with pytest.raises(AttributeError) as error:
        _ = model.coef_
    assert sentence in str(error.value)
    assert not hasattr(model, "intercept_")
    assert hasattr(OnlineClassifier(ADAGRAD).fit(frame(X), y).fit(X, y), "coef_")


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_of_words_are_known_in_every_table(made: Callable[[Any], Any]) -> None:
    numbers = {"a": [0.5, 0.0] * 9, "b": [1, 2] * 9, "c": [True, False] * 9}
    assert OnlineClassifier(ADAGRAD).fit(made(numbers), [0, 1] * 9).coef_.shape == (1, 3)
    assert not hasattr(OnlineClassifier(ADAGRAD).fit(made({**numbers, "d": ["x", "y"] * 9}), [0, 1] * 9), "coef_")


def test_every_column_has_a_slot_of_its_own() -> None:
    columns = 1 << 20
    X = scipy.sparse.csr_matrix((np.ones(3), ([0, 1, 2], [5, 5 + (1 << 18), columns - 1])), shape=(3, columns))
    model = OnlineClassifier("gradient-descent", shuffle=False).fit(X, [0, 1, 1])
    assert model.model_.features.bits == 20
    assert model.coef_.shape == (1, columns)
    assert np.flatnonzero(model.coef_).tolist() == [5, 5 + (1 << 18), columns - 1]
    assert OnlineClassifier("gradient-descent").fit(X[:, : 1 << 18], [0, 1, 1]).model_.features.bits == 18
    assert OnlineClassifier("gradient-descent").fit(X[:, : (1 << 18) + 1], [0, 1, 1]).model_.features.bits == 19


def test_what_was_taught_by_names_takes_arrays() -> None:
    X, y = rows("binary")
    named = pd.DataFrame(X, columns=["b", "a", "3", "d", "x y"])
    exact = AdaGrad(features=aw.Features(names="exact", interactions=["b*a"]))
    for algorithm in ("auto", ADAGRAD, exact):
        model = OnlineClassifier(algorithm, shuffle=False).fit(named, y)
        assert model.feature_names_in_.tolist() == list(named.columns)
        for given in (X, scipy.sparse.csr_matrix(X)):
            with pytest.warns(UserWarning, match="X does not have valid feature names"):
                assert np.array_equal(model.decision_function(given), model.decision_function(named))
        half = OnlineClassifier(algorithm).partial_fit(named[:200], y[:200], classes=["no", "yes"])
        with pytest.warns(UserWarning, match="X does not have valid feature names"):
            half.partial_fit(X[200:], y[200:])
        assert same(state(half.model_), state(model.model_))
    assert model.model_.coef(["b", "b*a"]) == half.model_.coef(["b", "b*a"])
    unnamed = OnlineClassifier(ADAGRAD, shuffle=False).fit(X, y)
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        assert np.array_equal(unnamed.decision_function(named), unnamed.decision_function(X))


def test_columns_that_are_no_numbers_by_name_need_a_frame() -> None:
    X, y = rows("binary")
    named = pd.DataFrame(np.round(X), columns=list("abcde"))
    model = OnlineClassifier(AdaGrad(features=aw.Features(categorical=["a"]))).fit(named, y)
    assert model.model_.coef(["a=1"])["a=1"] != 0.0
    assert not hasattr(model, "coef_")
    with (
        pytest.raises(ValueError, match="give a data frame with these names"),
        pytest.warns(UserWarning, match="names"),
    ):
        model.predict(X)
    model = OnlineClassifier(AdaGrad(features=aw.Features(ignore=["a", "b"]))).fit(named, y)
    assert model.coef_[0, :2].tolist() == [0.0, 0.0]
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        assert np.array_equal(model.decision_function(named.to_numpy()), model.decision_function(named))


def test_the_learner_serves_dicts_and_knows_what_it_was_taught(tmp_path: Path) -> None:
    X, y = rows("binary")
    for algorithm in ("auto", ADAGRAD):
        model = OnlineClassifier(algorithm).fit(frame(X), y)
        aw.save(model.model_, tmp_path / "model.afterwit")
        loaded = aw.load(tmp_path / "model.afterwit")
        assert loaded.schema.columns == ("a", "b", "c", "d", "e", "city")
        dicts = [{k: v for k, v in row.items() if v == v} for row in frame(X).to_dict("records")]
        assert [aw.label(loaded, x) for x in dicts] == model.predict(frame(X)).tolist()


@pytest.mark.parametrize("kind", ["binary", "classes"])
def test_weights_of_classes_are_weights_of_rows(kind: str) -> None:
    X, y = rows(kind)
    own = np.linspace(0.0, 2.0, 400)
    given = {"yes": 3.0, "no": 0.5}
    for class_weight in (given, "balanced"):
        each = compute_class_weight(class_weight, classes=np.unique(y), y=y)[np.unique(y, return_inverse=True)[1]]
        one = OnlineClassifier(ADAGRAD, class_weight=class_weight, shuffle=False).fit(X, y, sample_weight=own)
        assert same(state(one.model_), state(clone(one).set_params(class_weight=None).fit(X, y, each * own).model_))
        assert not same(state(one.model_), state(clone(one).set_params(class_weight=None).fit(X, y, own).model_))
        if class_weight == given:
            part = clone(one).partial_fit(X, y, classes=np.unique(y), sample_weight=own)
            assert same(state(part.model_), state(one.model_))


def test_weights_are_weights_of_the_learner() -> None:
    X, y = rows("numbers")
    weight = np.linspace(0.0, 2.0, 400)
    face = OnlineRegressor(shuffle=False).fit(X, y, weight)
    other = aw.Auto("numbers")
    aw.learn(other, aw.read(X, y, weight))
    assert same(state(face.model_), state(other))
    order = np.random.RandomState(3).permutation(400)
    shuffled = OnlineRegressor(random_state=3).fit(X, y, weight)
    turned = OnlineRegressor(shuffle=False).fit(X[order], y[order], weight[order])
    assert same(state(shuffled.model_), state(turned.model_))


@pytest.mark.parametrize("given", [[3, 1, 2], [True, False], [1.0, 2.0, 7.0], ["b", "a"], [-1, 1], [0, 5]])
def test_classes_come_back_as_they_were(given: list[Any]) -> None:
    y = np.tile(given, 60)
    X = np.eye(len(given))[np.tile(np.arange(len(given)), 60)]
    model = OnlineClassifier(random_state=0).fit(X, y)
    assert model.classes_.dtype == y.dtype
    assert model.classes_.tolist() == sorted(given)
    assert model.predict(X).tolist() == y.tolist()
    if isinstance(given[0], str):
        assert OnlineClassifier(random_state=0).fit(X, y.astype(object)).predict(X).tolist() == y.tolist()


def test_read_only_memory(tmp_path: Path) -> None:
    X, y = rows("binary")
    for name, array in {"X": X, "X32": X.astype(np.float32), "w": np.ones(400)}.items():
        np.save(tmp_path / f"{name}.npy", array)
    weight = np.load(tmp_path / "w.npy", mmap_mode="r")
    for name in ("X", "X32"):
        mapped = np.load(tmp_path / f"{name}.npy", mmap_mode="r")
        model = OnlineClassifier(random_state=1).fit(mapped, y, weight)
        fit = OnlineClassifier(random_state=1).fit(np.array(mapped), y, weight)
        assert np.array_equal(model.decision_function(mapped), fit.decision_function(np.array(mapped)))
    sparse = scipy.sparse.csr_matrix(X)
    for part in (sparse.data, sparse.indices, sparse.indptr):
        part.flags.writeable = False
    assert OnlineClassifier(ADAGRAD).fit(sparse, y).score(sparse, y) > 0.5


TRUSTED = [
    "afterwit.linear.adagrad.AdaGrad", "afterwit.panel.auto.Auto", "afterwit.schema.Schema",
    "afterwit.sklearn.classifier.OnlineClassifier", "afterwit.sklearn.regressor.OnlineRegressor",
]  # fmt: skip


@pytest.mark.parametrize("algorithm", ["auto", ADAGRAD, AdaGrad(0.25)], ids=str)
@pytest.mark.parametrize("kind", ["binary", "classes", "numbers"])
def test_stored_and_copied(algorithm: Any, kind: str, tmp_path: Path) -> None:
    X, y = rows(kind)
    if kind == "numbers" and isinstance(algorithm, AdaGrad):
        algorithm = AdaGrad(0.25, loss="squared")
    model = (OnlineRegressor if kind == "numbers" else OnlineClassifier)(algorithm, random_state=0).fit(frame(X), y)
    joblib.dump(model, tmp_path / "model.joblib")
    skops.io.dump(model, tmp_path / "model.skops")
    unknown = skops.io.get_untrusted_types(file=tmp_path / "model.skops")
    assert set(unknown) <= {*TRUSTED, "afterwit.linear.one_vs_all.OneVsAll"}
    for loaded in (
        pickle.loads(pickle.dumps(model)),
        joblib.load(tmp_path / "model.joblib"),
        joblib.load(tmp_path / "model.joblib", mmap_mode="r"),
        skops.io.load(tmp_path / "model.skops", trusted=unknown),
    ):
        assert np.array_equal(loaded.predict(frame(X)), model.predict(frame(X)))
        assert np.array_equal(loaded.partial_fit(frame(X), y).predict(frame(X)), _more(model, X, y).predict(frame(X)))
    fresh = clone(model)
    assert not hasattr(fresh, "model_")
    assert same(state(fresh.fit(frame(X), y).model_), state(model.model_))


def _more(model: Any, X: Any, y: Any) -> Any:
    return pickle.loads(pickle.dumps(model)).partial_fit(frame(X), y)


def tumours() -> tuple[Any, Any]:
    return load_breast_cancer(return_X_y=True)  # type: ignore[no-any-return]


def test_in_pipelines_and_cross_validation_by_two_workers() -> None:
    X, y = tumours()
    pipeline = make_pipeline(StandardScaler(), OnlineClassifier(random_state=0))
    assert cross_val_score(pipeline, X, y, n_jobs=2, cv=3).min() > 0.93
    assert cross_val_score(OnlineClassifier(random_state=0), X, y, cv=3).min() > 0.9  # it needs no scaling


def test_in_searches() -> None:
    X, y = tumours()
    grid = {"algorithm": [ADAGRAD, "perceptron", AdaGrad(0.25)], "max_iter": np.arange(1, 3), "loss": [None]}
    search = GridSearchCV(OnlineClassifier(random_state=0), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.85
    assert search.best_params_["max_iter"] in (1, 2)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("algorithm", ["perceptron", "auto"])
def test_in_calibration(method: str, algorithm: str) -> None:
    X, y = tumours()
    model = make_pipeline(StandardScaler(), OnlineClassifier(algorithm, random_state=0))
    calibrated = CalibratedClassifierCV(model, method=method, cv=3).fit(X, y)
    assert calibrated.predict_proba(X).shape == (569, 2)
    assert calibrated.score(X, y) > 0.9


def test_in_stacks() -> None:
    X, y = tumours()
    stack = StackingClassifier([("online", OnlineClassifier(random_state=0))], OnlineClassifier(ADAGRAD), cv=3)
    assert stack.fit(X, y).score(X, y) > 0.9


def test_several_classes_and_numbers_in_scikit_learn() -> None:
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(OnlineClassifier(max_iter=3, random_state=0), X, y, cv=3).min() > 0.9
    assert OneVsRestClassifier(OnlineClassifier(random_state=0)).fit(X, y).score(X, y) > 0.8
    X, y = load_diabetes(return_X_y=True)
    assert cross_val_score(OnlineRegressor(random_state=0), X, y, cv=3).mean() > 0.4


def test_large_arrays_come_to_workers_as_read_only_maps() -> None:
    X, y = rows("binary", 40_000)
    assert X.nbytes > 1e6
    scores = cross_val_score(OnlineClassifier(ADAGRAD, random_state=0), X, y, n_jobs=2, cv=2)
    assert np.array_equal(scores, cross_val_score(OnlineClassifier(ADAGRAD, random_state=0), X, y, cv=2))


def test_frames_of_other_steps_keep_their_names() -> None:
    X, y = rows("binary")
    scaler = StandardScaler().set_output(transform="pandas")
    pipeline = make_pipeline(scaler, OnlineClassifier(ADAGRAD)).fit(frame(X).drop(columns="city"), y)
    assert pipeline[-1].feature_names_in_.tolist() == ["a", "b", "c", "d", "e"]
    encoded = make_column_transformer((OneHotEncoder(), ["city"]), remainder="passthrough", sparse_threshold=1.0)
    filled = frame(X).fillna(0.0)
    assert make_pipeline(encoded, OnlineClassifier(ADAGRAD, random_state=0)).fit(filled, y).score(filled, y) > 0.6
    assert OnlineClassifier(random_state=0).fit(frame(X), y).score(frame(X), y) > 0.85


def test_weights_are_routed() -> None:
    X, y = rows("binary")
    weight = np.linspace(0.0, 2.0, 400)
    with sklearn.config_context(enable_metadata_routing=True):
        model = OnlineClassifier(ADAGRAD, shuffle=False).set_fit_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model)
        pipeline.fit(X, y, sample_weight=weight)
    alone = clone(model).fit(pipeline[0].transform(X), y, weight)
    assert same(state(pipeline[1].model_), state(alone.model_))


def test_it_is_shown_as_an_estimator() -> None:
    model = OnlineClassifier(AdaGrad(0.25), max_iter=3)
    assert repr(model) == "OnlineClassifier(algorithm=AdaGrad(rate=0.25), max_iter=3)"
    assert "OnlineClassifier" in model._repr_html_()
    assert isinstance(model, BaseEstimator)


def test_a_learner_of_ones_own_has_the_face() -> None:
    X, y = rows("numbers")
    weight = np.linspace(0.0, 2.0, 400)
    for given in (X, scipy.sparse.csr_matrix(X), frame(X)):
        model = OnlineRegressor(Mean()).fit(given, y, weight)
        assert np.allclose(model.predict(given), np.average(y, weights=weight))


def test_a_sparse_frame_is_a_frame() -> None:
    X, y = rows("binary")
    dense = pd.DataFrame(X, columns=list("abcde"))
    sparse = dense.astype(pd.SparseDtype("float64", 0.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, other = (OnlineClassifier(ADAGRAD, shuffle=False).fit(each, y) for each in (dense, sparse))
        assert np.array_equal(one.decision_function(dense), other.decision_function(sparse))


def test_without_scikit_learn_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['sklearn'] = None\nimport afterwit.sklearn"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    sentence = "ImportError: afterwit.sklearn needs the package `scikit-learn`: pip install 'afterwit[sklearn]'"
    assert sentence in done.stderr
