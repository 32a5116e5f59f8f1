"""Hindsight that calls itself exact is: against least squares and scikit-learn, on every kind of bad features."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression

from afterwit.learning import Hindsight, learn
from afterwit.linear import AdaGrad
from afterwit.streams import read
from tests.peers.data import stored

Array = np.ndarray[Any, np.dtype[np.float64]]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 6))
Y = X @ RNG.normal(size=6) + 0.3 * RNG.normal(size=200)
NARROW = RNG.normal(size=200)
#: Features and labels whose best loss is well defined, however they are scaled and related.
PLAIN: dict[str, tuple[Array, Array]] = {
    "plain": (X, Y),
    "any scale": (X * 10.0 ** np.array([-8, -5, -2, 2, 5, 8]), Y),
    "small labels": (X * 10.0 ** np.array([-8, -5, -2, 2, 5, 8]), 1e-6 * Y),
    "all small": (X * 1e-8, Y),
    "duplicated": (np.column_stack([X, X, 1024.0 * X]), Y),
    "collinear": (np.column_stack([np.round(64 * X), np.round(64 * X) @ np.arange(6.0)]), Y),
    "constant": (np.column_stack([X, np.full(200, 7.0), np.full(200, 1e5), np.zeros(200)]), Y),
    "indicators": (np.eye(5)[RNG.integers(0, 5, 200)], Y),
    "far from zero": (X[:, :2] + 100.0, 50.0 * Y),
    "a single row": (np.array([[3.0, 5.0, 1e6]]), np.array([2.0])),
    "fewer rows than features": (RNG.normal(size=(10, 40)) * 10.0 ** RNG.uniform(-8, 8, 40), RNG.normal(size=10)),
    "labels without noise": (X, X @ np.ones(6)),
}
#: Features of which some differ by little more than rounding, and this little explains the labels.
HOPELESS: dict[str, tuple[Array, Array]] = {
    "nearly collinear": (np.column_stack([X, X[:, 0] + 1e-5 * NARROW]), NARROW + 0.1 * RNG.normal(size=200)),
    "rounded otherwise": (np.column_stack([X, 1e4 * X]), Y),
    "very far from zero": (X + 1e5, Y),
}


@pytest.fixture(params=["newton", "l-bfgs"])
def solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Newton's method is for few features: without it, these are many."""
    if request.param == "l-bfgs":
        monkeypatch.setattr("afterwit.regret.linear.FEW", 0)
    return str(request.param)


def seen(X: Array) -> Array:
    """As a learner sees them."""
    return np.column_stack([X.astype(np.float32).astype(np.float64), np.ones(len(X))])


def least_squares(X: Array, y: Array) -> float:
    A = seen(X) / np.maximum(np.abs(seen(X)).max(axis=0), 1e-300)
    return min(float(((A @ np.linalg.lstsq(A, y, rcond=cut)[0] - y) ** 2).sum()) for cut in (None, 1e-15))


def hindsight(X: Array, y: Array, loss: str = "squared") -> Hindsight:
    return learn(AdaGrad(loss=loss), read(X, y)).hindsight()


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("name", PLAIN)
def test_it_is_least_squares(name: str) -> None:
    X, y = PLAIN[name]
    found = hindsight(X, y)
    assert found.exact
    assert found.best_loss == pytest.approx(least_squares(X, y), rel=1e-6, abs=1e-10 * float(y @ y))


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("name", HOPELESS)
def test_what_rounding_hides_is_not_called_exact(name: str) -> None:
    X, y = HOPELESS[name]
    found = hindsight(X, y)
    assert found.best_loss > least_squares(X, y) * (1.0 + 1e-6)
    assert not found.exact
    assert "(about)" in str(found)


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("name", ["plain", "any scale", "duplicated", "collinear", "constant"])
def test_it_is_logistic_regression_without_a_penalty(name: str) -> None:
    X, y = PLAIN[name]
    noisy = y / np.std(y) + np.random.default_rng(1).normal(size=len(y))
    check_logistic(X, np.where(noisy > 0.0, 1.0, -1.0))


def check_logistic(X: Array, y: Array) -> None:
    A = seen(X) / np.maximum(np.abs(seen(X)).max(axis=0), 1e-300)
    R = np.linalg.svd(A, full_matrices=False)
    A = R[0][:, R[1] > 1e-12 * R[1][0]] * np.sqrt(len(A))  # the same predictors, in directions that are alike
    peer = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=100_000, solver="newton-cg")
    least = float(np.logaddexp(0.0, -y * (A @ peer.fit(A, y).coef_[0])).sum())
    found = hindsight(X, y, "logistic")
    assert found.exact
    assert found.best_loss == pytest.approx(least, rel=1e-6)


def test_raw_features_that_some_line_separates_have_almost_no_loss() -> None:
    X, codes = load_breast_cancer(return_X_y=True)
    assert hindsight(X, 2.0 * codes - 1.0, "logistic").best_mean_loss < 1e-4
    check_logistic(X[:, :10], 2.0 * codes - 1.0)
    squared = hindsight(X, 2.0 * codes - 1.0)
    assert squared.exact
    assert squared.best_loss == pytest.approx(least_squares(X, 2.0 * codes - 1.0), rel=1e-6)


@pytest.mark.parametrize("name", ["elevators", "ailerons", "cpusmall", "housing", "abalone", "naval"])
def test_it_is_least_squares_on_real_data(name: str) -> None:
    """Their features go from ten-thousandths to millions, and some are sums of others."""
    rows = stored(name)
    found = learn(AdaGrad(loss="squared"), read(rows.X, rows.y)).hindsight()
    assert found.exact
    assert found.best_loss == pytest.approx(least_squares(rows.X.toarray(), rows.y), rel=1e-6)
