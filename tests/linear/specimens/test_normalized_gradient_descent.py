"""Normalised gradient descent."""

from __future__ import annotations

import numpy as np
import pytest

from afterwit.linear import AdaGrad, NormalizedGradientDescent
from tests.linear.formulas import Array, derivative, invariant_step
from tests.linear.rules import NO_INTERCEPT, million
from tests.linear.specimen import Specimen
from tests.losses import specimen as loss_specimen


def formula(X: Array, y: Array, h: Array, *, loss: str, rate: float) -> tuple[Array, Array]:
    """Clipped as AdaGrad's normalised form is: to the range of 0 and the labels, which this row's widens afterwards."""
    n = X.shape[1]
    p, w, s = np.zeros(len(X)), np.zeros(n), np.zeros(n)
    W = N = low = high = 0.0
    clip = loss_specimen.of(loss)[0].clip
    for t in range(len(X)):
        total = w @ X[t]
        p[t] = np.clip(total, *clip(low, high))
        if h[t] == 0.0:
            continue
        low, high = min(low, y[t]), max(high, y[t])
        at = float(np.clip(total, *clip(low, high)))
        if float(derivative(loss, np.float64(at), y[t])) == 0.0:
            continue
        i = np.flatnonzero(X[t])
        x, larger = X[t, i], np.maximum(s[i], np.abs(X[t, i]))
        w[i] *= (s[i] / larger) ** 2
        s[i] = larger
        square = float(((x / larger) ** 2).sum())
        N, W = N + h[t] * square, W + h[t]
        if square > 0.0:
            w[i] += W / N * invariant_step(loss, at, y[t], rate * h[t], W / N * square) * x / larger**2
    return p, w


SPECIMEN = Specimen(
    make=NormalizedGradientDescent,
    settings=({},),
    typical={"normalized-gradient": {}, "normalized-gradient-squared": {"loss": "squared"}},
    formula=formula,
    formula_at=lambda loss: [{"loss": loss, "rate": rate} for rate in (0.1, 1.0)],
    numbers=("rate",),
    extreme=tuple(
        {"rate": rate, "loss": loss} for rate in (1e-38, 1e38) for loss in ("squared", "logistic", "absolute")
    ),
    scale_free=({},),
    damped=True,
)


def test_one_step_by_hand() -> None:
    """The first row has N = 1 and so the step of size rate at rate 1."""
    model = NormalizedGradientDescent(rate=0.25, features=NO_INTERCEPT)
    model.learn_one({"0": 8.0}, 1)
    assert model.predict_one({"0": 8.0}) == pytest.approx(invariant_step("logistic", 0.0, 1.0, 0.25, 1.0), rel=1e-6)


def test_a_million_rounds() -> None:
    squared = NormalizedGradientDescent(loss="squared", features=NO_INTERCEPT)
    assert million(squared, np.full(1_000_000, 3.0)) == pytest.approx(3.0, rel=1e-5)


def test_it_never_stops_learning() -> None:
    """After a change among noise it is at the new mean within a hundred rows; AdaGrad, made for one mean, is not."""
    noise = np.random.default_rng(0).normal(size=20_100)
    labels = noise + np.repeat([5.0, 0.0], [20_000, 100])
    for model, follows in ((NormalizedGradientDescent, True), (AdaGrad, False)):
        given = {} if follows else {"normalized": True, "rate": 0.1}
        learner = model(loss="squared", features=NO_INTERCEPT, **given)
        learner.learn_many(np.ones((20_100, 1)), labels)
        assert (learner.predict_one({"0": 1.0}) < 1.0) == follows
