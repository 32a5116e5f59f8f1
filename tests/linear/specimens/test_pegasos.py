"""Gradient descent on a strongly convex objective."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit import regret
from afterwit.learning import learn
from afterwit.linear import Pegasos
from afterwit.streams import read
from tests import adversaries
from tests.adversaries import Rows, of_floats
from tests.linear.broken import at_rate, flipped, forgetful
from tests.linear.formulas import Array, derivative
from tests.linear.hindsight import comparators
from tests.linear.met import ROWS, Played, rows
from tests.linear.rules import NO_INTERCEPT, million
from tests.linear.specimen import Specimen, Theorem
from tests.linear.theorems import FEATURES, ROUNDS, Make, Outcome, Player, nearest, play, prefixes
from tests.losses.specimen import is_steep

PACE = ("strength", -1.0)


def formula(X: Array, y: Array, h: Array, *, loss: str, strength: float) -> tuple[Array, Array]:
    """Cesa-Bianchi 2023, "OGD with strongly convex losses", of h loss + (sigma/2)|w|^2."""
    p, w, rounds = np.zeros(len(X)), np.zeros(X.shape[1]), 0
    for t in range(len(X)):
        p[t] = w @ X[t]
        if h[t] == 0.0:
            continue
        rounds += 1
        gradient = h[t] * derivative(loss, p[t], y[t]) * X[t] + strength * w
        w = w - gradient / (strength * rounds)
    return p, w


def strongly_convex(
    rows: Rows, make: Make = Pegasos, *, loss: str = "hinge", strength: float = 0.01, player: Player = play
) -> Outcome:
    """Cesa-Bianchi 2023, with the harmonic number of errata 1 and the largest gradient met. No weight may be 0."""
    for part in prefixes(player(make(strength=strength, loss=loss, features=FEATURES), rows)):
        U = comparators(part.rows, loss, strength=strength)
        G = float(np.linalg.norm(part.gradients(loss, strength), axis=1).max())
        bound = np.full(len(U), regret.strongly_convex_gradient_descent(G, strength, len(part.p)))
        outcome = nearest(part.losses(loss, strength) - part.losses_of(U, loss, strength), bound, len(part.p))
    return outcome


def steady_gradients(rounds: int, strength: float) -> Rows:
    """One feature, label +1, hinge loss and penalty: every gradient has the same size, so the bound is attained.

    In the linear part of the hinge loss, w_{t+1} = mean(x_1 .. x_t)/strength: it plays the best u so far, whose regret
    is exactly sum_t |g_t|^2/(2 strength t) with g_t = mean(x_1 .. x_{t-1}) - x_t. The means a_t = sum_{i<=t} s_i/i with
    s_i = +1, -1, +1, ... come from x_t = a_{t-1} + s_t, and then g_t = -s_t. All is scaled so that no margin reaches 1.
    """
    s = np.where(np.arange(rounds) % 2 == 0, 1.0, -1.0)
    means = np.cumsum(s / np.arange(1, rounds + 1))
    X = math.sqrt(strength) / 2.0 * (np.append(0.0, means[:-1]) + s)
    return of_floats(X[:, None], np.ones(rounds), np.array([means[-1] / (2.0 * math.sqrt(strength))]))


def _separable() -> Rows:
    return adversaries.separable(2000)


SPECIMEN = Specimen(
    make=Pegasos,
    settings=({}, {"strength": 0.1}),
    typical={"pegasos": {"strength": 0.01}},
    formula=formula,
    formula_at=lambda loss: [{"loss": loss, "strength": 10.0 if is_steep(loss) else 0.25}],
    numbers=("strength",),
    extreme=tuple({"strength": s, "loss": loss} for s in (1e-38, 1e38) for loss in ("squared", "hinge")),
    bounded={},
    pace=PACE,
    theorems={
        "strongly convex": Theorem(
            strongly_convex,
            bites={
                "sign": (flipped, _separable, {}),
                "memory": (forgetful, _separable, {}),
                "rate": (lambda make: at_rate(0.5, make, PACE), _separable, {"strength": 0.1}),
            },
            tight={"steady_gradients": (lambda: steady_gradients(ROUNDS, 0.01), {"strength": 0.01})},
            losses=("squared", "logistic", "absolute", "quantile:0.9"),
            short=({"strength": 0.1}, {"strength": 4.0}),
            weights=(0.25, 1.0, 1.0, 3.0),
        )
    },
)


def test_one_step_by_hand() -> None:
    model = Pegasos(strength=0.01, features=NO_INTERCEPT)
    model.learn_one({"0": 2.0}, 1)
    assert model.predict_one({"0": 2.0}) == pytest.approx(4 / 0.01)


def test_a_million_rounds() -> None:
    """v grows by 1 while v/(strength t) < 1, so w ends within one step 1/(strength T) of 1."""
    model = Pegasos(strength=0.01, features=NO_INTERCEPT)
    assert million(model, np.ones(1_000_000)) == pytest.approx(1.0, abs=2e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_bound(weighted: bool) -> None:
    X, y, h = rows()
    h = h if weighted else np.ones(ROWS)
    model = Pegasos(strength=50.0, loss="squared")
    bound, met = learn(model, read(X, y, h)).hindsight().bound, Played(model, X, y, h)
    harmonic = sum(1.0 / t for t in range(1, met.T + 1))
    expected = (2.0 * met.G) ** 2 / (2.0 * 50.0) * harmonic + met.T * 50.0 / 2.0 * float(met.u @ met.u)
    assert bound.value == pytest.approx(expected, rel=1e-6)
