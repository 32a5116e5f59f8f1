"""Coin betting, a purse for every feature."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit.learning import learn
from afterwit.linear import CoinBetting
from afterwit.registry.plain import same
from afterwit.streams import read
from tests import adversaries
from tests.adversaries import Rows
from tests.linear.broken import flipped, forgetful
from tests.linear.formulas import Array, derivative
from tests.linear.hindsight import comparators
from tests.linear.rules import NO_INTERCEPT, bits, million
from tests.linear.specimen import Specimen, Theorem
from tests.linear.theorems import FEATURES, ROUNDS, Make, Outcome, Play, Player, nearest, play, prefixes


def formula(
    X: Array, y: Array, h: Array, *, loss: str = "logistic", endowment: float = 1.0, normalized: bool = False
) -> tuple[Array, Array]:
    return (normalized_formula if normalized else plain_formula)(X, y, h, loss, endowment)


def plain_formula(X: Array, y: Array, h: Array, loss: str, endowment: float) -> tuple[Array, Array]:
    """COCOB with L_i = the largest |x_i| or |g_i| so far. Z, A and R are in units of L and of the endowment."""
    n = X.shape[1]
    p, Z, A, R, L = np.zeros(len(X)), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    for t in range(len(X)):
        i = np.flatnonzero(X[t])
        x, larger = X[t, i], np.maximum(L[i], np.abs(X[t, i]))
        z = Z[i] * (L[i] / larger)
        bet = np.tanh(z / (A[i] + 2.0)) * (1.0 + R[i])
        p[t] = endowment * float(bet @ (x / larger))
        slope = h[t] * float(derivative(loss, p[t], y[t]))
        if slope == 0.0:
            continue
        g = np.clip(slope * x / larger, -1.0, 1.0)  # a larger one than ever is cut
        A[i] += np.abs(g)
        R[i] -= g * bet
        L[i] = np.maximum(larger, np.abs(slope * x))
        Z[i] = (z - g) * (larger / L[i])
    return p, endowment * np.tanh(Z / (A + 2.0)) * (1.0 + R) / np.where(L > 0.0, L, 1.0)


def normalized_formula(X: Array, y: Array, h: Array, loss: str, endowment: float) -> tuple[Array, Array]:
    """As Vowpal Wabbit's --coin: a linear bet, an M for every feature, and all of it times W/N."""
    n = X.shape[1]
    p, Z, A, Re, s, M = np.zeros(len(X)), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    W = N = low = high = 0.0
    real = loss in ("squared", "absolute") or loss.startswith("quantile")
    for t in range(len(X)):
        i = np.flatnonzero(X[t])
        larger = np.maximum(s[i], np.abs(X[t, i]))
        x, z, a = X[t, i] / larger, Z[i] * (s[i] / larger), A[i] * (s[i] / larger)
        least = np.maximum(M[i], 1.0)
        total = (W / N if N > 0.0 else 0.0) * float((z * (endowment + Re[i]) / (least * (least + a))) @ x)
        p[t] = _prediction(loss, total, low, high)
        if h[t] == 0.0:
            continue
        low, high = min(low, y[t]), max(high, y[t])
        at = _prediction(loss, total, low, high)
        g = h[t] * float(derivative(loss, np.float64(at), y[t]))
        g = g / (2.0 * (high - low)) if loss == "squared" and high > low else g
        if g == 0.0:
            continue
        M[i] = np.maximum(least, abs(g))
        w = z * (endowment + Re[i]) / (M[i] * (M[i] + a))
        s[i], Z[i], A[i] = larger, z - g * x, a + np.abs(g * x)
        Re[i] = np.maximum(Re[i] - g * x * w, (2.0**-20 - 1.0) * endowment)
        W += h[t]
        N += h[t] * float(x @ x)
    least = np.maximum(M, 1.0)
    k = (W / N if N > 0.0 else 0.0) * (high - low if real else 1.0)
    return p, k * Z * (endowment + Re) / (least * (least + A)) / np.where(s > 0.0, s, 1.0)


def _prediction(loss: str, total: float, low: float, high: float) -> float:
    """Labels that are numbers: in units of their range with 0, and within it."""
    if loss == "logistic":
        return float(np.clip(total, -50.0, 50.0))
    return total if loss == "hinge" else float(np.clip((high - low) * total, low, high))


def right_hand_sides(part: Play, U: Array, loss: str, endowment: float) -> Array:
    """Of Orabona, Tommasi 2017, per feature with what was met; slopes, weights included, are at most 1.

    L_i may grow, if A_i is in units of the L_i of each round: what the proof wants of the purse, at least
    endowment exp(Z^2/(2(A + 1)))/sqrt(A + 1), then only becomes less.
    """
    slopes = np.abs(part.h * derivative(loss, part.p, part.rows.y))
    assert slopes.max(initial=0.0) <= 1.0
    x = np.abs(part.rows.X)
    scale = np.maximum.accumulate(x, axis=0)
    A = (slopes[:, None] * np.divide(x, scale, out=np.zeros_like(x), where=scale > 0.0)).sum(axis=0)
    bets = np.abs(U) * scale[-1]
    per_feature = endowment + bets * np.sqrt((1.0 + A) * np.log1p(((1.0 + A) * bets / endowment) ** 2))
    return np.asarray(per_feature[:, scale[-1] > 0.0].sum(axis=1))


def no_rate(
    rows: Rows, make: Make = CoinBetting, *, loss: str = "hinge", endowment: float = 1.0, player: Player = play
) -> Outcome:
    for part in prefixes(player(make(endowment=endowment, loss=loss, features=FEATURES), rows, weights=False)):
        U = comparators(part.rows, loss)
        bounds = right_hand_sides(part, U, loss, endowment)
        outcome = nearest(part.losses(loss) - part.losses_of(U, loss), bounds, len(part.p))
    return outcome


def hover_then_win(rounds: int) -> Rows:
    """Slopes -1 and +1 in turn, each pair of which costs the purse a little, and then -1 for 4 sqrt(T) rounds.

    At the end the purse has little more than the proof wants of it: the ratio is 0.86 for every T.
    """
    run = int(4.0 * math.sqrt(rounds))
    return adversaries.hover_then_run(rounds, push=0, run=run, far=1e3, target=2e4 / rounds)


def _separable() -> Rows:
    return adversaries.separable(2000)


SPECIMEN = Specimen(
    make=CoinBetting,
    settings=({}, {"normalized": True}, {"endowment": 16.0, "normalized": True}),
    typical={
        "coin": {},
        "coin-absolute": {"loss": "absolute"},
        "coin-normalized": {"normalized": True, "endowment": 16.0},
        "coin-normalized-squared": {"normalized": True, "endowment": 16.0, "loss": "squared"},
    },
    formula=formula,
    formula_at=lambda loss: [
        {"loss": loss, "endowment": 0.25, "normalized": normalized} for normalized in (False, True)
    ],
    numbers=("endowment",),
    extreme=tuple(
        {"endowment": endowment, "normalized": normalized, "loss": loss}
        for endowment in (1e-38, 1e38)
        for normalized in (False, True)
        for loss in ("logistic", "squared", "absolute")
    ),
    scale_free=({}, {"normalized": True, "endowment": 16.0}),
    damped=True,
    pace=("endowment", 1.0),
    theorems={
        "coin betting": Theorem(
            no_rate,
            bites={"sign": (flipped, _separable, {}), "memory": (forgetful, _separable, {})},
            tight={"hover_then_win": (lambda: hover_then_win(ROUNDS), {"loss": "absolute"})},
            losses=("logistic", "absolute", "quantile:0.9"),
            short=({"endowment": 0.1}, {"endowment": 10.0}),
            weights=(0.0, 0.25, 1.0, 1.0),
        )
    },
)


def test_one_step_by_hand() -> None:
    """From x = 2, y = 1: Z = A = 1/2 after it, or with hinge loss 1, and nothing was won."""
    for loss, Z in (("logistic", 0.5), ("hinge", 1.0)):
        for endowment in (1.0, 3.0):
            model = CoinBetting(endowment, loss=loss, features=NO_INTERCEPT)
            model.learn_one({"0": 2.0}, 1)
            assert model.predict_one({"0": 2.0}) == pytest.approx(endowment * math.tanh(Z / (Z + 2.0)), rel=1e-6)


def test_one_normalised_step_by_hand() -> None:
    model = CoinBetting(16.0, normalized=True, features=NO_INTERCEPT)
    model.learn_one({"0": 2.0}, 1)
    assert model.predict_one({"0": 2.0}) == pytest.approx(16.0 * 0.5 / (1.0 * (1.0 + 0.5)), rel=1e-6)


@pytest.mark.parametrize("normalized", [False, True])
def test_a_row_without_a_gradient_changes_nothing(normalized: bool) -> None:
    model = CoinBetting(normalized=normalized, loss="hinge", features=NO_INTERCEPT)
    for _ in range(30):
        model.learn_one({"0": 1.0}, 1)
    assert model.predict_one({"0": 1.0}) >= 1.0
    before = bits(model)
    model.learn_one({"0": 1.0}, 1)
    assert same(bits(model), before)


def test_a_steep_slope_is_cut_once() -> None:
    """The first slope, -200, counts as -1 and the second whole: L is 200 then, Z = 1/200 + 1, and a little was won."""
    model = CoinBetting(loss="squared", features=NO_INTERCEPT)
    for _ in range(2):
        model.learn_one({"0": 1.0}, 100.0)
    purse = 1.0 + math.tanh((1 / 200) / (1 + 2))
    assert model.predict_one({"0": 1.0}) == pytest.approx(purse * math.tanh((1 / 200 + 1) / (2 + 2)) / 200, rel=1e-4)


@pytest.mark.parametrize("size", [1e-37, 1e-30, 1e-19, 1.0, 1e19, 1e30, 3e38])
def test_it_does_not_know_the_size(size: float) -> None:
    predictions = []
    for x in (1.0, float(np.float32(size))):
        model = CoinBetting(features=NO_INTERCEPT)
        for y in (1.0, 1.0, -1.0):
            model.learn_one({"0": x}, y)
        predictions.append(model.predict_one({"0": x}))
    assert predictions[1] == pytest.approx(predictions[0], rel=1e-5)


def test_a_million_rounds() -> None:
    """A label that is never reached: all is won, and the purse stays a float."""
    assert math.isfinite(million(CoinBetting(loss="absolute", features=NO_INTERCEPT), np.full(1_000_000, 1e30)))
    turns = np.tile([1.0, -1.0], 500_000)
    assert abs(million(CoinBetting(features=NO_INTERCEPT), turns)) < 1e-2


def test_the_bound() -> None:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(60, 3)) * 64.0) / 64.0
    y = np.where(X[:, 0] + rng.normal(size=60) > 0.0, 1.0, -1.0)
    found = learn(CoinBetting(2.0), read(X, y)).hindsight()
    reach = found.norm * float(np.linalg.norm(np.column_stack([X, np.ones(60)]), axis=1).max())
    expected = 4 * 2.0 + 2.0 * reach * math.sqrt(61.0 * math.log1p((61.0 * reach / 2.0) ** 2))
    assert found.bound.value == pytest.approx(expected, rel=1e-6)
    assert found.bound.measured == found.regret <= expected
    for model, h in ((CoinBetting(), 2.0), (CoinBetting(normalized=True), 1.0)):
        assert learn(model, read(X, y, np.full(60, h))).hindsight(passes=3).bound.value is None


def test_a_purse_that_is_nearly_empty_fills_again() -> None:
    """A scale that grows with every label that flips costs the purse all but the least."""
    model = CoinBetting(normalized=True, features=NO_INTERCEPT)
    for t in range(50):
        model.learn_one({"0": 20.0**t if t < 25 else 20.0**25}, 1.0 if t % 2 else -1.0)
    for _ in range(5000):
        model.learn_one({"0": 20.0**25}, 1.0)
    assert model.predict_one({"0": 20.0**25}) > 0.1


def test_what_no_purse_holds_has_no_bound() -> None:
    X, y = np.ones((50, 1)), np.full(50, 1e12)
    assert learn(CoinBetting(1e-30, loss="absolute"), read(X, y)).hindsight().bound.value is None


def test_a_label_range_that_no_label_leads_to_is_refused() -> None:
    model = CoinBetting(normalized=True, loss="squared", features=NO_INTERCEPT)
    model.learn_one({"0": 1.0}, 1.0)
    state = model.state()
    state["totals"]["highest"] = np.array([1e308])
    with pytest.raises(ValueError, match="not such as learning leads to"):
        model.set_state(state)
