"""Labels and probabilities of one row and of many, from all that rows can be."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

import afterwit as aw
from afterwit._core import probabilities, probability
from afterwit.errors import DataError

X = np.random.default_rng(0).normal(size=(300, 4)).round(2)
WORDS = ["low" if x < 0 else "high" for x in X[:, 0]]
SEVERAL = ["abc"[min(2, int(abs(x) * 2))] for x in X[:, 0]]


def dicts() -> list[dict[str, float]]:
    return [{str(k): value for k, value in enumerate(x) if value} for x in X.tolist()]


def taught(labels: Any, model: Any = None) -> Any:
    model = model or aw.Auto()
    aw.learn(model, X, labels)
    return model


def saved(folder: Path) -> Path:
    (path := folder / "rows.svm").write_text(
        "".join("0 " + " ".join(f"{k}:{v}" for k, v in row.items()) + "\n" for row in dicts())
    )
    return path


FORMS: dict[str, Callable[[Path], Any]] = {
    "array": lambda _: X,
    "CSR": lambda _: csr_matrix(X),
    "list of dicts": lambda _: dicts(),
    "generator of dicts": lambda _: iter(dicts()),
    "frame": lambda _: pd.DataFrame(X, columns=list("0123")),
    "path": saved,
    "stream": lambda folder: aw.read(saved(folder)),
    "rows with labels": lambda _: [(row, 1) for row in dicts()],
}
MODELS = {
    "two": lambda: taught(WORDS),
    "two without names": lambda: taught([1 if word == "high" else -1 for word in WORDS]),
    "several": lambda: taught(SEVERAL),
    "one against all": lambda: taught(SEVERAL, aw.OneVsAll(aw.linear.AdaGrad())),
    "single": lambda: taught([word == "high" for word in WORDS], aw.linear.AdaGrad()),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", MODELS)
def test_many_rows_are_one_by_one(name: str, form: str, tmp_path: Path) -> None:
    model = MODELS[name]()
    labels = aw.label(model, FORMS[form](tmp_path))
    shares = aw.probability(model, FORMS[form](tmp_path))
    for row, label, share in zip(dicts(), labels.tolist(), shares.tolist(), strict=True):
        assert aw.label(model, row) == label
        one = aw.probability(model, row)
        assert (list(one.values()) if isinstance(one, dict) else one) == share
        assert one == aw.probability(model, np.array([row.get(str(k), 0.0) for k in range(4)]))


def test_probabilities_are_those_of_the_formula() -> None:
    for m in (*np.linspace(-40, 40, 81).tolist(), 0.0, -0.0, 745.0, -745.0, 1e300, -1e300):
        expected = 1 / (1 + math.exp(-m)) if m > -700 else 0.0
        assert probability(m) == pytest.approx(expected, rel=1e-14, abs=1e-300)
        assert probabilities(np.array([[m]]), False)[0, 0] == probability(m)
    raw = np.random.default_rng(1).normal(size=(50, 3)) * 5
    sigmoids = 1 / (1 + np.exp(-raw))
    assert probabilities(raw, True) == pytest.approx(sigmoids / sigmoids.sum(axis=1, keepdims=True), rel=1e-13)
    # Where every sigmoid is too small for a double, their shares are not; a class that nobody knew has none.
    assert probabilities(np.array([[-800.0, -800.0 + math.log(3.0)]]), True)[0] == pytest.approx([0.25, 0.75])
    assert probabilities(np.array([[-math.inf, 2.0]]), True)[0].tolist() == [0.0, 1.0]
    assert probabilities(np.zeros((0, 3)), True).shape == (0, 3)
    assert probabilities(np.zeros((2, 0)), True).shape == (2, 0)


def test_a_threshold() -> None:
    model = MODELS["two"]()
    shares = aw.probability(model, X)
    for threshold in (0.0, 0.2, 0.5, 0.9, 1.0, shares[3], np.nextafter(shares[3], 1.0)):
        labels = aw.label(model, X, threshold)
        assert ((labels == "low") == (shares >= threshold)).all()
        assert aw.label(model, dicts()[3], threshold) == labels[3]
    for wrong in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="expected a probability from 0 to 1"):
            aw.label(model, X, wrong)
    with pytest.raises(ValueError, match="which is for two labels; these are several classes"):
        aw.label(MODELS["several"](), X, 0.5)


def test_labels_are_what_was_taught() -> None:
    assert aw.label(taught([3 if word == "high" else 7 for word in WORDS]), X).dtype.kind == "i"
    assert set(aw.label(MODELS["two"](), X).tolist()) == {"low", "high"}
    mixed = aw.OneVsAll(aw.linear.AdaGrad())
    aw.learn(mixed, X, [1 if word == "high" else "one" for word in WORDS])
    assert set(aw.label(mixed, X).tolist()) == {1, "one"}


def test_no_rows() -> None:
    model = MODELS["several"]()
    assert aw.label(model, []).shape == (0,)
    assert aw.probability(model, np.zeros((0, 4))).shape == (0, 3)


class Own:
    """A learner of a user's: no batches, no loss."""

    def predict_one(self, x: Any) -> float:
        return float(x.get("0", 0.0))

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
        pass


def test_a_users_own_learner() -> None:
    assert aw.predict(Own(), dicts()).tolist() == X[:, 0].tolist()
    assert aw.learn(Own(), dicts(), X[:, 0]).rmse == 0.0
    with pytest.raises(ValueError, match="predicts a number, not a label"):
        aw.label(Own(), dicts())


@pytest.mark.parametrize(
    ("act", "error", "sentence"),
    [
        (lambda: aw.compare([aw.Auto()], X, WORDS), TypeError, "models are a `list`, expected a dict that names them"),
        (lambda: aw.compare({"a": "adagrad"}, X, WORDS), TypeError, "the model is a `str`, expected a learner"),
        (lambda: aw.learn(aw.Auto, X, WORDS), TypeError, r"the model is the class `Auto`; make one: Auto\(\)"),
        (lambda: aw.learn("adagrad", X, WORDS), TypeError, "the model is a `str`, expected a learner"),
        (lambda: aw.OneVsAll("adagrad"), TypeError, "model is a `str`, expected a learner of two classes"),
        (lambda: aw.learn(aw.Auto(), X), DataError, "y is missing: learning needs one label per row"),
        (lambda: aw.learn(aw.Auto(), dicts()), DataError, r"is not a row; expected \(dict, label\)"),
        (lambda: aw.learn(aw.Auto(), {"x": 1.0}, [1]), DataError, "this is one row, expected many"),
        (lambda: aw.predict(aw.Auto(), X[0]), DataError, "this is one row, expected many"),
        (lambda: aw.learn(aw.Auto(), aw.read(X, WORDS), WORDS), DataError, "y goes with what is to be read"),
        (lambda: aw.learn(aw.Auto(), 3), DataError, "cannot read a `int`; expected a path"),
        (lambda: aw.predict(aw.Auto(), "nowhere.csv"), DataError, "nowhere.csv"),
    ],
)
def test_what_does_not_fit_is_a_sentence(act: Callable[[], Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        act()


def test_a_generator_is_read_once_and_says_so() -> None:
    stream = aw.read(zip(dicts(), WORDS, strict=True))
    assert aw.learn(aw.Auto(), stream).rows == 300
    with pytest.raises(DataError, match="a `zip` can be read only once, and it was; give a list"):
        aw.learn(aw.Auto(), stream)


def test_a_number_that_is_none_is_named() -> None:
    model = aw.linear.AdaGrad()
    for act in (
        lambda: model.learn_one({"price": math.nan}, 1),
        lambda: model.predict_one({"price": math.inf}),
        lambda: aw.learn(model, [({"price": math.nan}, 1)]),
        lambda: model.learn_many([{"price": math.nan}], [1]),
    ):
        with pytest.raises((ValueError, TypeError), match="`price`"):
            act()
