"""Adaptive regularisation of weights, with a diagonal in place of the matrix."""

from __future__ import annotations

import numpy as np
import pytest

from afterwit.linear import Arow
from afterwit.registry.plain import same
from tests.linear.formulas import Array
from tests.linear.rules import NO_INTERCEPT, bits, million
from tests.linear.specimen import Specimen


def formula(
    X: Array, y: Array, h: Array, *, loss: str = "hinge", noise: float = 1.0, normalized: bool = False
) -> tuple[Array, Array]:
    """A row of weight h has the noise r/h. Normalised, w and S are those of x/s."""
    n = X.shape[1]
    p, w, S, s = np.zeros(len(X)), np.zeros(n), np.ones(n), np.zeros(n)
    low = high = 0.0
    real = loss == "squared"
    for t in range(len(X)):
        i = np.flatnonzero(X[t])
        larger = np.maximum(s[i], np.abs(X[t, i])) if normalized else np.ones(len(i))
        x = X[t, i] / larger
        at = float(w[i] @ x)
        p[t] = np.clip(at, low, high) if normalized and real else at
        if h[t] == 0.0:
            continue
        low, high = min(low, y[t]), max(high, y[t])
        error = y[t] - at if real else y[t] * max(0.0, 1.0 - y[t] * at)
        if error == 0.0:
            continue
        beta = h[t] / (h[t] * float(S[i] @ (x * x)) + noise)
        w[i] += beta * error * S[i] * x
        S[i] -= beta * (S[i] * x) ** 2
        s[i] = larger
    return p, w / np.where(s > 0.0, s, 1.0)


SPECIMEN = Specimen(
    make=Arow,
    settings=({}, {"normalized": True}, {"noise": 0.1}),
    losses=("hinge", "squared"),
    typical={
        "arow": {},
        "arow-squared": {"loss": "squared"},
        "arow-normalized": {"normalized": True},
        "arow-normalized-squared": {"normalized": True, "loss": "squared"},
    },
    formula=formula,
    formula_at=lambda loss: [{"loss": loss, "noise": 0.25, "normalized": normalized} for normalized in (False, True)],
    numbers=("noise",),
    extreme=tuple(
        {"noise": noise, "normalized": normalized, "loss": loss}
        for noise in (1e-38, 1e38)
        for normalized in (False, True)
        for loss in ("hinge", "squared")
    ),
    scale_free=({"normalized": True},),
    pace=("noise", -1.0),
)


def test_one_step_by_hand() -> None:
    """From x = 2, y = 1: S = 1, beta = 1/(4 + 1); normalised x = 1 and beta = 1/2."""
    for loss in ("hinge", "squared"):
        for normalized, after in ((False, 4 / 5), (True, 1 / 2)):
            model = Arow(normalized=normalized, loss=loss, features=NO_INTERCEPT)
            model.learn_one({"0": 2.0}, 1)
            assert model.predict_one({"0": 2.0}) == pytest.approx(after, rel=1e-6)


def test_one_feature_is_least_squares() -> None:
    """With one feature the diagonal is the matrix: w minimises sum_t h_t (y_t - w x_t)^2 + r w^2."""
    rng = np.random.default_rng(1)
    X, h = rng.normal(size=(200, 1)), rng.choice([0.0, 0.5, 1.0, 3.0], 200)
    X = X.astype(np.float32).astype(np.float64)
    y = 3.0 * X[:, 0] + rng.normal(size=200)
    model = Arow(noise=2.0, loss="squared", features=NO_INTERCEPT)
    model.learn_many(X, y, h)
    best = float((h * X[:, 0]) @ y) / (float(h @ X[:, 0] ** 2) + 2.0)
    assert model.coef(["0"])["0"] == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize("normalized", [False, True])
def test_a_row_with_its_margin_changes_nothing(normalized: bool) -> None:
    model = Arow(noise=1e-3, normalized=normalized, features=NO_INTERCEPT)
    for _ in range(20):
        model.learn_one({"0": 1.0}, 1)
        model.learn_one({"0": 1.25}, 1)
    before = bits(model)
    model.learn_one({"0": 9.0 if not normalized else 1.25, "1": 1e-3}, 1)
    assert same({**bits(model), "key_bits": 1}, {**before, "key_bits": 1})


@pytest.mark.parametrize("loss", ["logistic", "absolute"])
def test_another_loss_is_refused(loss: str) -> None:
    with pytest.raises(ValueError, match="expected hinge or squared"):
        Arow(loss=loss)


def test_a_million_rounds() -> None:
    """The variance is r/(T + r), and w the mean label of T rows and r more of label 0."""
    model = Arow(loss="squared", features=NO_INTERCEPT)
    assert million(model, np.full(1_000_000, 3.0)) == pytest.approx(3.0, rel=1e-3)
    assert abs(million(Arow(features=NO_INTERCEPT), np.tile([1.0, -1.0], 500_000))) < 1e-2


def test_there_is_no_bound() -> None:
    bound = Arow().regret_bound(None)  # type: ignore[arg-type]
    assert bound.value is None
    assert "matrix" in bound.source
