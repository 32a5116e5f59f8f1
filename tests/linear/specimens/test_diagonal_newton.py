"""Newton's steps with a diagonal in place of the matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from afterwit.linear import DiagonalNewton
from tests.linear.formulas import Array
from tests.linear.rules import NO_INTERCEPT, million
from tests.linear.specimen import Specimen


def formula(
    X: Array, y: Array, h: Array, *, loss: str = "logistic", variance: float = 1.0, normalized: bool = False
) -> tuple[Array, Array]:
    """The diagonal Kalman filter; squared loss is half of its square here. Normalised, w and P are those of x/rms."""
    n = X.shape[1]
    p, w, P, rms, met = np.zeros(len(X)), np.zeros(n), np.full(n, variance), np.zeros(n), np.zeros(n)
    low = high = 0.0
    real = loss == "squared"
    for t in range(len(X)):
        i = np.flatnonzero(X[t])
        x = X[t, i]
        size = np.sqrt(rms[i] ** 2 + (x**2 - rms[i] ** 2) / (met[i] + 1.0)) if normalized else np.ones(len(i))
        x = np.clip(x / size, -20.0, 20.0) if normalized else x
        total = float(w[i] @ x)
        at = float(np.clip(total, -50.0, 50.0)) if normalized and not real else total
        p[t] = np.clip(total, low, high) if normalized and real else at
        if h[t] == 0.0:
            continue
        low, high = min(low, y[t]), max(high, y[t])
        g, c = (at - y[t], 1.0) if real else (-y[t] * expit(-y[t] * at), max(expit(at) * expit(-at), 1e-3))
        below = 1.0 + h[t] * c * float(P[i] @ (x * x))
        w[i] -= h[t] * g * P[i] * x / below
        P[i] -= h[t] * c * (P[i] * x) ** 2 / below
        if normalized:
            P[i] = np.minimum(variance, P[i] + 1e-4 * variance)
            rms[i], met[i] = size, met[i] + 1.0
    return p, w / np.where(rms > 0.0, rms, 1.0)


SPECIMEN = Specimen(
    make=DiagonalNewton,
    settings=({}, {"normalized": True}, {"variance": 0.1}),
    losses=("logistic", "squared"),
    typical={
        "newton": {},
        "newton-squared": {"loss": "squared"},
        "newton-normalized": {"normalized": True},
        "newton-normalized-squared": {"normalized": True, "loss": "squared"},
    },
    formula=formula,
    formula_at=lambda loss: [
        {"loss": loss, "variance": 0.25, "normalized": normalized} for normalized in (False, True)
    ],
    numbers=("variance",),
    extreme=tuple(
        {"variance": variance, "normalized": normalized, "loss": loss}
        for variance in (1e-38, 1e38)
        for normalized in (False, True)
        for loss in ("logistic", "squared")
    ),
    scale_free=({"normalized": True},),
    pace=("variance", 1.0),
)


def test_one_step_by_hand() -> None:
    """From x = 2, y = 1: P = 1, g = -1/2 and c = 1/4, or g = -1 and c = 1; normalised x = 1."""
    for loss, normalized, after in (
        ("logistic", False, 0.5 * 4 / (1 + 1)),
        ("logistic", True, 0.5 / (1 + 0.25)),
        ("squared", False, 4 / 5),
        ("squared", True, 1 / 2),
    ):
        model = DiagonalNewton(loss=loss, normalized=normalized, features=NO_INTERCEPT)
        model.learn_one({"0": 2.0}, 1)
        assert model.predict_one({"0": 2.0}) == pytest.approx(after, rel=1e-6)


def test_one_feature_is_least_squares() -> None:
    """With one feature the diagonal is the matrix: w minimises sum_t h_t (y_t - w x_t)^2 + w^2/variance."""
    rng = np.random.default_rng(1)
    X, h = rng.normal(size=(200, 1)), rng.choice([0.0, 0.5, 1.0, 3.0], 200)
    X = X.astype(np.float32).astype(np.float64)
    y = 3.0 * X[:, 0] + rng.normal(size=200)
    model = DiagonalNewton(variance=0.5, loss="squared", features=NO_INTERCEPT)
    model.learn_many(X, y, h)
    best = float((h * X[:, 0]) @ y) / (float(h @ X[:, 0] ** 2) + 2.0)
    assert model.coef(["0"])["0"] == pytest.approx(best, rel=1e-5)


def test_an_outlier_counts_twenty_times_the_usual_at_most() -> None:
    model = DiagonalNewton(normalized=True, features=NO_INTERCEPT)
    for k in range(1000):
        model.learn_one({"0": 1.0 if k % 2 else -1.0}, k % 2)
    usual = model.predict_one({"0": 1.0})
    assert usual > 0.5
    assert model.predict_one({"0": 1e30}) <= min(50.0, 20.0 * usual * (1.0 + 1e-5))


@pytest.mark.parametrize("loss", ["hinge", "absolute"])
def test_a_loss_without_a_curvature_is_refused(loss: str) -> None:
    with pytest.raises(ValueError, match="expected logistic or squared"):
        DiagonalNewton(loss=loss)


def test_a_million_rounds() -> None:
    model = DiagonalNewton(loss="squared", features=NO_INTERCEPT)
    assert million(model, np.full(1_000_000, 3.0)) == pytest.approx(3.0, rel=1e-3)
    assert abs(million(DiagonalNewton(features=NO_INTERCEPT), np.tile([1.0, -1.0], 500_000))) < 0.1


def test_there_is_no_bound() -> None:
    bound = DiagonalNewton().regret_bound(None)  # type: ignore[arg-type]
    assert bound.value is None
    assert "diagonal" in bound.source


def test_sure_and_wrong_it_makes_no_step_of_any_length() -> None:
    """The margin is 400 and wrong, where the curvature vanishes: the step is that of a curvature of 1/1000."""
    model = DiagonalNewton(features=NO_INTERCEPT)
    model.learn_one({"0": 1.0}, 1)
    model.learn_one({"0": 1000.0}, -1)
    assert -2.0 < model.predict_one({"0": 1.0}) < 0.0
