"""`AdaGrad(normalized=True)` is Vowpal Wabbit's default update (errata 11): the same predictions on the same rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from afterwit import Features, OneVsAll
from afterwit.linear import AdaGrad
from tests.peers import vw
from tests.peers.data import GENERATED, Rows, classes, generated, stored

pytest.importorskip("vowpalwabbit", reason="vowpalwabbit is not installed, and it is what we compare with")

SIGNS = [
    "a9a", "adult", "australian", "covtype-20k", "diabetes", "heart", "higgs-11k", "ionosphere", "letter-am", "mnist49",
    "mushrooms", "phishing", "splice", "susy-30k",
]  # fmt: skip
NUMBERS = ["abalone", "housing"]
# Of the label range. It prints six decimals and adds in single precision, which makes about 1e-6.
CLOSE = 1e-5


def squared(rate: float = 0.5, intercept: bool = False) -> AdaGrad:
    return AdaGrad(rate, normalized=True, loss="squared", features=Features(intercept=intercept))


def logistic(intercept: bool = False) -> AdaGrad:
    return AdaGrad(normalized=True, features=Features(intercept=intercept))


def constant(intercept: bool) -> list[str]:
    return [] if intercept else ["--noconstant"]


def some_weights(rows: Rows) -> np.ndarray:
    return np.random.default_rng(7).integers(1, 25, len(rows.y)) / 8.0


def known_range(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest of 0 and the labels before each row."""
    before = np.concatenate([[0.0], y[:-1]])
    return np.minimum.accumulate(before), np.maximum.accumulate(before)


def difference(
    folder: Path, rows: Rows, rate: float = 0.5, intercept: bool = False, weight: np.ndarray | None = None
) -> float:
    """The largest difference between the predictions of both, relative to the range of the labels and 0.

    Vowpal Wabbit clips a prediction to a label range that already includes the label of that very row; we clip to the
    labels before it, and widen the range only for the gradient. So the weights are the same, and the predictions too
    except where a label widens the range. There its prediction is clipped once more, to the range without that label.
    """
    lowest, highest = known_range(rows.y)
    theirs = vw.predictions(folder, rows, *constant(intercept), weight=weight)
    clipped = np.clip(theirs, lowest, highest)
    widens = (rows.y < lowest) | (rows.y > highest)
    assert widens.sum() <= (2 if set(np.unique(rows.y)) <= {-1.0, 1.0} else 20)
    assert np.array_equal(clipped[~widens], theirs[~widens])
    ours = squared(rate, intercept).learn_many(rows.X, rows.y, weight)
    return float(np.abs(ours - clipped).max() / (max(rows.y.max(), 0.0) - min(rows.y.min(), 0.0)))


@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize("name", GENERATED)
def test_squared_loss_on_generated_rows(tmp_path, name, weighted):
    rows = generated(name)
    assert difference(tmp_path, rows, weight=some_weights(rows) if weighted else None) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize("name", SIGNS + NUMBERS)
def test_squared_loss_on_stored_rows(tmp_path, name, weighted):
    rows = stored(name).first(2000)
    assert difference(tmp_path, rows, weight=some_weights(rows) if weighted else None) < CLOSE


@pytest.mark.parametrize("name", GENERATED)
def test_its_constant_is_our_intercept(tmp_path, name):
    assert difference(tmp_path, generated(name), intercept=True) < CLOSE


@pytest.mark.parametrize("name", ["heart", *NUMBERS])
def test_its_constant_is_our_intercept_on_stored_rows(tmp_path, name):
    assert difference(tmp_path, stored(name), intercept=True) < CLOSE


@pytest.mark.parametrize("name", GENERATED)
def test_another_rate_is_noticed(tmp_path, name):
    assert difference(tmp_path, generated(name), rate=0.45) > 100 * CLOSE


def assert_as_good(folder: Path, rows: Rows, intercept: bool) -> None:
    """Log loss within 0.1 %, and errors within two standard errors of the rows on which the labels differ.

    It takes one step of an approximation where we solve for the invariant step, so single margins part a little.
    """
    X, y = rows
    theirs = vw.predictions(folder, rows, "--loss_function", "logistic", *constant(intercept))
    ours = logistic(intercept).learn_many(X, y)
    assert np.logaddexp(0.0, -y * ours).mean() == pytest.approx(np.logaddexp(0.0, -y * theirs).mean(), rel=1e-3)
    wrong, theirs_wrong = (ours >= 0.0) != (y > 0.0), (theirs >= 0.0) != (y > 0.0)
    assert abs(int(wrong.sum()) - int(theirs_wrong.sum())) <= 2.0 * np.sqrt((wrong != theirs_wrong).sum())


@pytest.mark.parametrize("intercept", [False, True], ids=["no-intercept", "intercept"])
@pytest.mark.parametrize("name", ["scales", "words"])
def test_logistic_loss_on_generated_rows(tmp_path, name, intercept):
    assert_as_good(tmp_path, generated(name), intercept)


@pytest.mark.slow
@pytest.mark.parametrize("name", SIGNS)
def test_logistic_loss_on_whole_stored_sets(tmp_path, name):
    assert_as_good(tmp_path, stored(name), intercept=True)


def errors(folder: Path, rows: Rows, count: int, model: AdaGrad) -> tuple[float, float]:
    """The error rates of one against all, ours and theirs."""
    many = OneVsAll(model, classes=range(1, count + 1))
    ours = np.array(many.classes)[many.learn_many(rows.X, rows.y).argmax(axis=1)]
    options = ["--oaa", str(count), "--loss_function", model.loss, *constant(model.features.intercept)]
    theirs = vw.predictions(folder, rows, *options)
    return float((ours != rows.y).mean()), float((theirs != rows.y).mean())


def test_one_against_all_learns_signs():
    rows = classes(5, rows=300)
    raw = OneVsAll(squared(), classes=range(1, 6)).learn_many(rows.X, rows.y)
    for k in range(5):
        assert np.array_equal(raw[:, k], squared().learn_many(rows.X, np.where(rows.y == k + 1, 1.0, -1.0)))


@pytest.mark.parametrize("model", [squared(), logistic()], ids=["squared", "logistic"])
def test_one_against_all_on_generated_rows(tmp_path, model):
    ours, theirs = errors(tmp_path, classes(5), 5, model)
    assert ours == pytest.approx(theirs, abs=0.002)


@pytest.mark.slow
@pytest.mark.parametrize("model", [squared(), logistic(intercept=True)], ids=["squared", "logistic"])
def test_one_against_all_on_letters(tmp_path, model):
    letters = stored("letter")
    pairs = np.array([errors(tmp_path, letters.shuffled(seed), 26, model) for seed in range(10)])
    differences = pairs[:, 0] - pairs[:, 1]
    assert abs(differences.mean()) <= 2.0 * differences.std(ddof=1) / np.sqrt(10)
    assert abs(differences.mean()) < 0.01 * pairs[:, 1].mean()
