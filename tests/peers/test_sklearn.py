"""The perceptron and plain gradient descent are scikit-learn's where the updates are mathematically the same."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.preprocessing import StandardScaler

from afterwit import Features
from afterwit.linear import GradientDescent, Perceptron

# Their weights are double, ours single; so a weight may be off by a few roundings of the largest.
CLOSE = 1e-5
ONE_PASS = {"max_iter": 1, "tol": None, "shuffle": False, "penalty": None}
INTERCEPT = pytest.mark.parametrize("intercept", [False, True], ids=["no-intercept", "intercept"])


def standardised(load):
    X, y = load(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def signs(name):
    """Rows and labels -1, +1: malignant or benign, even or odd digits."""
    X, y = standardised({"breast-cancer": load_breast_cancer, "digits": load_digits}[name])
    return X, np.where(y % 2 == 1, 1.0, -1.0)


def numbers():
    X, y = standardised(load_diabetes)
    return X, (y - y.mean()) / y.std()


def assert_same_weights(ours, theirs):
    """Feature by feature, and the intercept."""
    names = [str(i) for i in range(theirs.coef_.size)]
    weights = np.array(list(ours.coef(names).values()))
    expected = theirs.coef_.ravel()
    scale = np.abs(expected).max()
    np.testing.assert_allclose(weights, expected, rtol=0, atol=CLOSE * scale)
    constant = ours.predict_many(np.zeros((1, len(names))))[0]
    assert constant == pytest.approx(np.ravel(theirs.intercept_)[0], abs=CLOSE * scale)


def some_weights(y):
    return np.random.default_rng(3).integers(1, 17, len(y)) / 4.0


@INTERCEPT
@pytest.mark.parametrize("name", ["breast-cancer", "digits"])
def test_perceptron(name, intercept):
    X, y = signs(name)
    ours = Perceptron(features=Features(intercept=intercept))
    ours.learn_many(X, y)
    assert_same_weights(ours, TheirPerceptron(**ONE_PASS, fit_intercept=intercept).fit(X, y))


@INTERCEPT
@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
@pytest.mark.parametrize(("loss", "theirs"), [("logistic", "log_loss"), ("hinge", "hinge")])
@pytest.mark.parametrize("name", ["breast-cancer", "digits"])
def test_gradient_descent_on_signs(name, loss, theirs, weighted, intercept):
    X, y = signs(name)
    weight = some_weights(y) if weighted else None
    ours = GradientDescent(rate=0.1, loss=loss, features=Features(intercept=intercept))
    ours.learn_many(X, y, weight)
    steps = {"learning_rate": "invscaling", "eta0": 0.1, "power_t": 0.5}
    peer = SGDClassifier(loss=theirs, **steps, **ONE_PASS, fit_intercept=intercept)
    assert_same_weights(ours, peer.fit(X, y, sample_weight=weight))


@INTERCEPT
@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
def test_gradient_descent_on_numbers(weighted, intercept):
    X, y = numbers()
    weight = some_weights(y) if weighted else None
    # Their squared loss is half of ours, so their rate is twice ours.
    ours = GradientDescent(rate=0.01, loss="squared", features=Features(intercept=intercept))
    ours.learn_many(X, y, weight)
    steps = {"learning_rate": "invscaling", "eta0": 0.02, "power_t": 0.5}
    peer = SGDRegressor(loss="squared_error", **steps, **ONE_PASS, fit_intercept=intercept)
    assert_same_weights(ours, peer.fit(X, y, sample_weight=weight))


def test_predictions_before_each_row():
    X, y = signs("breast-cancer")
    ours = GradientDescent(rate=0.1, features=Features(intercept=False)).learn_many(X, y)
    steps = {"learning_rate": "invscaling", "eta0": 0.1, "power_t": 0.5}
    peer = SGDClassifier(loss="log_loss", **steps, penalty=None, fit_intercept=False)
    peer.partial_fit(X[:1], y[:1], classes=[-1.0, 1.0])
    for row in range(1, len(y)):
        assert ours[row] == pytest.approx(peer.decision_function(X[row : row + 1])[0], rel=CLOSE, abs=CLOSE)
        peer.partial_fit(X[row : row + 1], y[row : row + 1])
