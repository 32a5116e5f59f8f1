"""Newton's steps with the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from afterwit import Features
from afterwit.dense import OnlineNewton
from tests.dense.formulas import Labels, Newton
from tests.dense.specimen import Specimen
from tests.linear.formulas import Array


def formula(
    X: Array,
    y: Array,
    h: Array,
    *,
    loss: str = "logistic",
    penalty: float = 1.0,
    walk: float = 0.0,
    fading: bool = False,
) -> Array:
    n, real = X.shape[1] + 1, loss == "squared"
    newton, met, squares = Newton(n, penalty, walk, fading), np.zeros(n - 1), np.zeros(n - 1)
    raw, labels = np.zeros(len(X)), Labels()
    for r, x in enumerate(X):
        rms = np.sqrt((squares + x**2) / np.maximum(met + (x != 0.0), 1.0))
        z = np.append(1.0, np.clip(np.divide(x, rms, where=x != 0.0, out=np.zeros(n - 1)), -20.0, 20.0))
        m = float(newton.w @ z)
        raw[r] = labels.clip(labels.c + m) if real else np.clip(m, -50.0, 50.0)
        if h[r] == 0.0:
            continue
        if not real or len(labels.y):
            squares, met = squares + x**2, met + (x != 0.0)
            p = expit(raw[r])
            g, c = (labels.c + m - y[r], 1.0) if real else (p - (y[r] > 0.0), max(p * (1.0 - p), 0.001))
            newton.learn(z, h[r] * g, h[r] * c, np.append(True, met > 0.0))
        labels = labels.after(y[r], h[r])
    return raw


SPECIMEN = Specimen(
    make=OnlineNewton,
    settings=({}, {"penalty": 0.1, "walk": 1e-3}, {"fading": True}),
    formula=formula,
    formula_at=({}, {"penalty": 10.0}, {"walk": 1e-3}, {"fading": True}),
)


def test_squared_loss_is_least_squares() -> None:
    """Features of size 1 are not rescaled: w minimises sum_t h_t (w . z_t - y_t)^2 + penalty |w|^2 about the mean."""
    rng = np.random.default_rng(1)
    X, h = rng.choice([-1.0, 1.0], (300, 4)), rng.choice([0.5, 1.0, 3.0], 300)
    y = X @ [1.0, -2.0, 0.5, 0.0] + rng.normal(size=300)
    y[0] = 0.0
    model = OnlineNewton(penalty=2.0, loss="squared")
    means = np.array([np.average(y[:t], weights=h[:t]) for t in range(1, 300)])
    model.learn_many(X, y, h)
    Z = np.hstack([np.ones((299, 1)), X[1:]])
    best = np.linalg.solve((Z * h[1:, None]).T @ Z + 2.0 * np.eye(5), (Z * h[1:, None]).T @ (y[1:] - means))
    found = model.coef(["(intercept)", "0", "1", "2", "3"])
    np.testing.assert_allclose(list(found.values()), best, rtol=1e-9)
    assert model.coef() == {"(intercept)": found["(intercept)"], **{str(j): found[str(j)] for j in range(4)}}


def test_one_step_by_hand() -> None:
    """From z = (1, 1) and y = 1: k = z, g = -1/2, c = 1/4, den = 1 + 2/4: w = (1/3, 1/3), and 2/3 for x = 2."""
    model = OnlineNewton()
    model.learn_one({"a": 2.0}, 1)
    assert model.predict_one({"a": 2.0}) == pytest.approx(2 / 3)
    without = OnlineNewton(features=Features(intercept=False))
    without.learn_one({"a": 2.0}, 1)
    assert without.predict_one({"a": 2.0}) == pytest.approx(0.5 / 1.25)


def test_a_walk_goes_on_learning() -> None:
    """The sign of the only weight turns around after 5,000 rows."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(10_000, 1))
    y = np.where(X[:, 0] + rng.normal(size=10_000) > 0.0, 1.0, -1.0) * np.where(np.arange(10_000) < 5000, 1.0, -1.0)
    wrong = {walk: np.mean(OnlineNewton(walk=walk).learn_many(X, y)[5000:] * y[5000:] <= 0.0) for walk in (0.0, 1e-3)}
    assert wrong[1e-3] < 0.3 < 0.4 < wrong[0.0]


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_a_hundred_thousand_rounds(loss: str) -> None:
    rng = np.random.default_rng(6)
    X = np.hstack([rng.normal(size=(100_000, 3)), np.ones((100_000, 2))])  # two columns that are one
    y = X @ [1.0, 2.0, 3.0, 0.0, 0.0]
    y = y if loss == "squared" else np.where(y + rng.normal(size=100_000) > 0.0, 1.0, -1.0)
    for settings in SPECIMEN.settings:
        model = OnlineNewton(**settings, loss=loss)
        raw = model.learn_many(X, y)
        assert np.isfinite(raw).all()
        if loss == "squared":
            assert np.mean((raw[1000:] - y[1000:]) ** 2) < 0.01
        else:
            assert np.mean(raw[1000:] * y[1000:] <= 0.0) < 0.1


def test_there_is_no_bound() -> None:
    assert OnlineNewton().regret_bound(None).value is None  # type: ignore[arg-type]
