"""AdaGrad, plain and normalised."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit import regret
from afterwit.learning import learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry.plain import same
from afterwit.streams import read
from tests import adversaries
from tests.adversaries import Rows
from tests.linear import formula_checks
from tests.linear.broken import flipped, forgetful, half
from tests.linear.formulas import Array, derivative, invariant_step, sparse_rows
from tests.linear.hindsight import comparators
from tests.linear.met import ROWS, Played, rows
from tests.linear.rules import NO_INTERCEPT, bits, million
from tests.linear.specimen import Specimen, Theorem
from tests.linear.theorems import FEATURES, ROUNDS, Make, Outcome, Player, nearest, play, prefixes
from tests.losses import specimen as loss_specimen


def plain_formula(X: Array, y: Array, h: Array, loss: str, rate: float) -> tuple[Array, Array]:
    """w_i -= rate g_i / sqrt(sum of all g_i^2 so far)."""
    p, w, squares = np.zeros(len(X)), np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t in range(len(X)):
        p[t] = w @ X[t]
        g = h[t] * derivative(loss, p[t], y[t]) * X[t]
        squares += g * g
        moved = g != 0.0
        w[moved] -= rate * g[moved] / np.sqrt(squares[moved])
    return p, w


def normalized_formula(X: Array, y: Array, h: Array, loss: str, rate: float) -> tuple[Array, Array]:
    """Errata 11. Squared loss clips to the range of 0 and the labels; a label widens it after its prediction."""
    n = X.shape[1]
    p, w, G, s = np.zeros(len(X)), np.zeros(n), np.zeros(n), np.zeros(n)
    W = N = low = high = 0.0
    clip = loss_specimen.of(loss)[0].clip
    for t in range(len(X)):
        total = w @ X[t]
        p[t] = np.clip(total, *clip(low, high))
        if h[t] == 0.0:
            continue
        low, high = min(low, y[t]), max(high, y[t])
        at = float(np.clip(total, *clip(low, high)))
        g = float(derivative(loss, np.float64(at), y[t]))
        if g == 0.0:
            continue
        i = np.flatnonzero(X[t])
        x = X[t, i]
        G[i] += h[t] * g * g * x * x
        larger = np.maximum(s[i], np.abs(x))
        w[i] *= s[i] / larger
        s[i] = larger
        N += h[t] * float(((x / larger) ** 2).sum())
        W += h[t]
        rho = 1.0 / (larger * np.sqrt(G[i]))
        mu = math.sqrt(W / N) if N > 0.0 else 0.0
        a = mu * float((x * x * rho).sum())
        if a > 0.0:
            w[i] += mu * invariant_step(loss, at, y[t], rate * h[t], a) * x * rho
    return p, w


def formula(X: Array, y: Array, h: Array, *, loss: str, rate: float, normalized: bool = False) -> tuple[Array, Array]:
    return (normalized_formula if normalized else plain_formula)(X, y, h, loss, rate)


def a_rate_each(
    rows: Rows, make: Make = AdaGrad, *, loss: str = "hinge", rate: float = 0.5, player: Player = play
) -> Outcome:
    """Errata 10, with the distances and gradients that were met."""
    for part in prefixes(player(make(rate=rate, loss=loss, features=FEATURES), rows)):
        U = comparators(part.rows, loss)
        distances = np.maximum(part.W.max(axis=0) - U, U - part.W.min(axis=0)).max(axis=1)
        norms = np.linalg.norm(part.gradients(loss), axis=0)
        bounds = np.array([regret.adagrad(float(D), rate, norms) for D in distances])
        outcome = nearest(part.losses(loss) - part.losses_of(U, loss), bounds, len(part.p))
    return outcome


def hover_from_zero(rounds: int, rate: float, slower: float = 1.0) -> Rows:
    """`hover_then_run` from 0 to 8 `rate`: with |g| = 1 the steps of AdaGrad are rate/sqrt(t)."""
    run = min(rounds // 2, round(slower * 8.0 * math.sqrt(rounds)))
    return adversaries.hover_then_run(rounds, push=0, run=run, far=1e4 * rate, target=8.0 * rate)


def _separable() -> Rows:
    return adversaries.separable(2000)


SPECIMEN = Specimen(
    make=AdaGrad,
    settings=({}, {"normalized": True}),
    typical={
        "adagrad": {"loss": "logistic"},
        "quantile": {"loss": "quantile:0.3"},
        "normalized": {"normalized": True},
        "normalized-squared": {"normalized": True, "loss": "squared"},
        "normalized-hinge": {"normalized": True, "loss": "hinge"},
    },
    formula=formula,
    formula_at=lambda loss: [{"loss": loss, "rate": 0.25, "normalized": normalized} for normalized in (False, True)],
    numbers=("rate",),
    extreme=tuple(
        {"rate": rate, "normalized": normalized, "loss": loss}
        for rate in (1e-38, 1e38)
        for normalized in (True, False)
        for loss in ("squared", "logistic", "absolute")
    ),
    scale_free=({"normalized": True},),
    bounded={},
    theorems={
        "adagrad": Theorem(
            a_rate_each,
            bites={
                "sign": (flipped, _separable, {}),
                "memory": (forgetful, _separable, {}),
                "rate": (half, lambda: hover_from_zero(10_000, 0.5, slower=2.0), {"loss": "absolute", "rate": 0.5}),
            },
            tight={"hover_from_zero": (lambda: hover_from_zero(ROUNDS, 0.5), {"loss": "absolute", "rate": 0.5})},
            losses=("squared", "logistic", "absolute", "quantile:0.9"),
            short=({"rate": 0.05}, {"rate": 2.0}),
            weights=(0.0, 0.25, 1.0, 1.0, 3.0),
        )
    },
)


def test_one_step_by_hand() -> None:
    model = AdaGrad(features=NO_INTERCEPT)
    model.learn_one({"0": 2.0}, 1)
    assert model.predict_one({"0": 2.0}) == pytest.approx(0.5 * 2)


def test_a_million_rounds() -> None:
    """The sum of rate/sqrt(t) is rate (2 sqrt(T) + zeta(1/2)) + O(1/sqrt(T)), whatever the label that is far away."""
    far = 0.5 * (2 * math.sqrt(1e6) - 1.4603545)
    absolute = AdaGrad(loss="absolute", features=NO_INTERCEPT)
    assert million(absolute, np.full(1_000_000, 1e30)) == pytest.approx(far, rel=0.01)
    normalized = AdaGrad(normalized=True, loss="squared", features=NO_INTERCEPT)
    assert million(normalized, np.full(1_000_000, 3.0)) == pytest.approx(3.0, rel=1e-5)
    assert abs(million(AdaGrad(features=NO_INTERCEPT), np.tile([1.0, -1.0], 500_000))) < 1e-2


def test_plain_adagrad_is_not_invariant() -> None:
    """The control of the tests of invariance."""
    X, y, h = sparse_rows(200, 30, seed=2)
    plain = AdaGrad(features=formula_checks.FEATURES).learn_many(X, y, h)
    assert np.abs(AdaGrad(features=formula_checks.FEATURES).learn_many(1024.0 * X, y, h) - plain).max() > 1.0


@pytest.mark.parametrize("weight", [1.0, 1e-9, 1e-25])
@pytest.mark.parametrize("size", [1e-37, 1e-25, 1e-21, 1e-19, 1e-17, 1e-16, 1e-14, 1e14, 1e16, 1e19, 3e38])
def test_the_first_step_is_its_rate_whatever_the_size(size: float, weight: float) -> None:
    """w = rate g/sqrt(g^2), unless sqrt(g^2) is below the smallest normal float, which then stands for it."""
    x, tiny = float(np.float32(size)), float(np.finfo(np.float32).tiny)
    for loss, slope in (("logistic", 0.5), ("hinge", 1.0)):
        model, several = AdaGrad(loss=loss, features=NO_INTERCEPT), OneVsAll(AdaGrad(loss=loss, features=NO_INTERCEPT))
        model.learn_one({"0": x}, 1, weight)
        several.learn_one({"0": x}, "one", weight)
        expected = 0.5 * min(1.0, weight * slope * x / tiny)
        assert model.coef(["0"])["0"] == pytest.approx(expected, rel=1e-6, abs=0.0)
        assert several.coef(["0"])["0"]["one"] == pytest.approx(expected, rel=1e-6, abs=0.0)


@pytest.mark.parametrize("size", [1e-37, 1e-30, 1e-19, 1.0, 1e19, 1e30, 3e38])
@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_the_normalised_update_does_not_know_the_size(loss: str, size: float) -> None:
    """Two rows of any size are two rows of size 1; where a gradient or a scale leaves the floats, never above these."""
    predictions = []
    for x in (1.0, float(np.float32(size))):
        model = AdaGrad(normalized=True, loss=loss, features=NO_INTERCEPT)
        for y in (1.0, -1.0):
            model.learn_one({"0": x}, y)
        predictions.append(model.predict_one({"0": x}))
    if 1e-36 < size < 1e38:
        assert predictions[1] == pytest.approx(predictions[0], rel=1e-5)
    else:
        assert abs(predictions[1]) <= 2.0


def test_a_row_that_is_already_right_rescales_nothing() -> None:
    """An outlier whose logistic loss is nothing beside 1; one with a little loss is learned."""
    model = AdaGrad(normalized=True, features=NO_INTERCEPT)
    model.learn_one({"0": 1.0}, 1, 1e4)
    before = bits(model)
    assert model.predict_one({"0": 1.0}) > 2.0
    model.learn_one({"0": 100.0}, 1)
    assert same(bits(model), before)
    model.learn_one({"0": 1.5}, 1)
    assert not same(bits(model), before)


@pytest.mark.parametrize("normalized", [False, True])
def test_a_row_without_a_gradient_changes_nothing(normalized: bool) -> None:
    model = AdaGrad(normalized=normalized, loss="hinge", features=NO_INTERCEPT)
    for _ in range(5):
        model.learn_one({"0": 1.0}, 1)
    before = model.state()
    model.learn_one({"0": 9.0, "1": 1.0}, 1)
    assert same({**before, "key_bits": 1}, model.state())


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_the_weight_of_all_rows_may_be_infinitely_more_than_they_add(loss: str) -> None:
    model = AdaGrad(normalized=True, loss=loss, features=NO_INTERCEPT)
    model.learn_one({"0": 3e38}, 1, 5e-324)
    for _ in range(3):
        model.learn_one({"0": 1e-30}, -1, 3e38)
    assert model.predict_one({"0": 1e-30}) < 0.0


def test_margins_of_the_normalised_update_end_at_50() -> None:
    model = AdaGrad(normalized=True, features=NO_INTERCEPT)
    model.learn_one({"0": 1.0}, 1)
    assert (model.predict_one({"0": 1e6}), model.predict_one({"0": -1e6})) == (50.0, -50.0)


@pytest.mark.parametrize(("size", "weight"), [(1e-30, 1e36), (1e-18, 1e30), (1e30, 1e-36), (1e18, 1e-30)])
def test_the_scale_times_the_adaptive_word_may_leave_the_floats(size: float, weight: float) -> None:
    x = float(np.float32(size))
    X, y, h = np.array([[x], [x], [x]]), np.array([1.0, -1.0, 1.0]), np.array([weight, weight, 0.0])
    for loss in ("logistic", "squared"):
        expected, _ = normalized_formula(X, y, h, loss, 0.5)
        found = AdaGrad(normalized=True, loss=loss, features=NO_INTERCEPT).learn_many(X, y, h)
        assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_bound(weighted: bool) -> None:
    X, y, h = rows()
    h = h if weighted else np.ones(ROWS)
    model = AdaGrad(rate=0.3, loss="squared")
    bound, met = learn(model, read(X, y, h)).hindsight().bound, Played(model, X, y, h)
    D = float(np.abs(met.W - met.u).max())
    expected = (D**2 / (2.0 * 0.3) + 0.3) * float(np.sqrt((met.g**2).sum(axis=0)).sum())
    assert bound.value == pytest.approx(expected, rel=1e-6)


def test_the_distance_is_to_both_sides() -> None:
    """From 0 to a u below 0, and from weights that went too far to a u between."""
    X = np.tile([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], (20, 1))
    for y in (-5.0, 5.0):
        for rate in (0.1, 20.0):
            model = AdaGrad(rate=rate, loss="squared")
            labels, h = np.full(ROWS, y), np.ones(ROWS)
            met, bound = Played(model, X, labels, h), learn(model, read(X, labels)).hindsight().bound
            D = float(np.abs(met.W - met.u).max())
            expected = (D**2 / (2.0 * rate) + rate) * float(np.sqrt((met.g**2).sum(axis=0)).sum())
            assert bound.value == pytest.approx(expected, rel=1e-4)
