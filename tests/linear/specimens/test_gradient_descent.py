"""Projected online gradient descent."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit import regret
from afterwit.learning import learn
from afterwit.linear import GradientDescent
from afterwit.streams import read
from tests import adversaries
from tests.adversaries import Rows
from tests.linear import formula_checks
from tests.linear.broken import flipped, forgetful, half
from tests.linear.formulas import Array, derivative, sparse_rows
from tests.linear.hindsight import comparators
from tests.linear.met import ROWS, Played, rows
from tests.linear.rules import NO_INTERCEPT, million
from tests.linear.specimen import Settings, Specimen, Theorem
from tests.linear.theorems import FEATURES, ROUNDS, Make, Outcome, Player, nearest, play, prefixes
from tests.losses.specimen import is_steep


def formula(
    X: Array, y: Array, h: Array, *, loss: str, rate: float, radius: float | None = None
) -> tuple[Array, Array]:
    """Cesa-Bianchi 2023, "Projected OGD"."""
    p, w, rounds = np.zeros(len(X)), np.zeros(X.shape[1]), 0
    for t in range(len(X)):
        p[t] = w @ X[t]
        if h[t] == 0.0:
            continue
        rounds += 1
        w = w - rate / math.sqrt(rounds) * h[t] * derivative(loss, p[t], y[t]) * X[t]
        w = w * min(1.0, radius / np.linalg.norm(w)) if radius is not None and w.any() else w
    return p, w


def formula_at(loss: str) -> list[Settings]:
    # Squared loss is steep: a large step would be chaotic (errata 12).
    rate = 1.0 / 64.0 if is_steep(loss) else 0.25
    return [{"loss": loss, "rate": rate, "radius": radius} for radius in (None, 0.75)]


def in_a_ball(
    rows: Rows, make: Make = GradientDescent, *, loss: str = "hinge", radius: float = 2.0, player: Player = play
) -> Outcome:
    """Cesa-Bianchi 2023, Eq. (7), with the largest gradient that this ball and these rows allow."""
    X = np.linalg.norm(rows.X, axis=1)
    # Squared loss: |2(p - y)| is largest at the edge of the ball. The others have slopes up to 1.
    slopes = 2.0 * (radius * X + np.abs(rows.y)) if loss == "squared" else np.ones(len(rows))
    G = float((X * slopes * (1.0 if rows.weight is None else rows.weight)).max())
    whole = player(make(rate=math.sqrt(2.0) * radius / G, radius=radius, loss=loss, features=FEATURES), rows)
    norms = np.linalg.norm(whole.W, axis=1)
    assert norms.max() <= radius * (1.0 + 1e-6), f"the ball |w| <= {radius} was left: |w| = {norms.max()}"
    for part in prefixes(whole):
        U = comparators(part.rows, loss, radius)
        rounds = int(np.count_nonzero(part.h))
        bound = np.full(len(U), regret.projected_gradient_descent(radius, G, rounds))
        outcome = nearest(part.losses(loss) - part.losses_of(U, loss), bound, rounds)
    return outcome


def there_and_back(rounds: int, slower: float = 1.0) -> Rows:
    """`hover_then_run` between the ends of the ball |w| <= 1, for steps sqrt(2)/sqrt(t) divided by `slower`.

    The ratio goes to 1 with T. Against a learner at half rate (`slower` = 2) it goes to 5/4: the bound is broken.
    """
    run = min(rounds // 2, round(slower * math.sqrt(2.0 * rounds)))
    return adversaries.hover_then_run(rounds, push=math.ceil(rounds**0.25), run=run, far=4.0, target=1.0)


def _separable() -> Rows:
    return adversaries.separable(2000)


SPECIMEN = Specimen(
    make=GradientDescent,
    settings=({}, {"radius": 0.5}, {"radius": 2.0}),
    typical={"descent": {"loss": "logistic"}, "ball": {"radius": 1.0, "loss": "squared", "rate": 0.1}},
    formula=formula,
    formula_at=formula_at,
    numbers=("rate", "radius"),
    extreme=tuple({"rate": 1e38, "radius": radius, "loss": "squared"} for radius in (1e-38, 1e38, None)),
    bounded={"radius": 2.0},
    theorems={
        "projected descent": Theorem(
            in_a_ball,
            bites={
                "sign": (flipped, _separable, {}),
                "memory": (forgetful, _separable, {}),
                # Half the rate has 5/4 of the bound, so that only a sequence made for it goes beyond.
                "rate": (half, lambda: there_and_back(100_000, slower=2.0), {"loss": "absolute", "radius": 1.0}),
            },
            tight={"there_and_back": (lambda: there_and_back(ROUNDS), {"loss": "absolute", "radius": 1.0})},
            losses=("squared", "logistic", "absolute", "quantile:0.9"),
            short=({"radius": 0.25}, {"radius": 4.0}),
            weights=(0.0, 0.25, 1.0, 1.0, 3.0),
        )
    },
)


def test_a_tight_sequence_with_weights() -> None:
    """Weights that double every gradient, at half the radius: the same weights times a half, the same ratio."""
    plain = there_and_back(10_000)
    half = Rows(plain.X, plain.y, plain.planted / 2.0, np.full(len(plain), 2.0))
    expected = in_a_ball(plain, loss="absolute", radius=1.0)
    found = in_a_ball(half, loss="absolute", radius=0.5)
    assert found.ratio == pytest.approx(expected.ratio, rel=1e-4)


@pytest.mark.parametrize("loss", formula_checks.LOSSES)
@pytest.mark.parametrize("radius", [1e-3, 1.0, 30.0])
def test_the_ball_is_never_left(loss: str, radius: float) -> None:
    X, y, h = sparse_rows(2000, 10, seed=1)
    model = GradientDescent(rate=2.0, radius=radius, loss=loss, features=formula_checks.FEATURES)
    touched = 0
    for t in range(len(X)):
        model.learn_one(X[t], y[t], h[t])
        norm = np.linalg.norm(list(model.coef().values())) if t % 5 == 0 else 0.0
        assert norm <= radius * (1.0 + 1e-6)
        touched += norm >= radius * (1.0 - 1e-6)
    assert touched > 10 or radius == 30.0  # otherwise this would show nothing


@pytest.mark.parametrize("rate", [1e12, 1e25, 1e38])
def test_a_ball_that_is_tiny_beside_the_steps(rate: float) -> None:
    """Every step leads far out and is projected back: the stored weights are rescaled, again and again."""
    X, y, h = sparse_rows(200, 6, seed=3)
    expected, _ = formula(X, y, h, loss="logistic", rate=rate, radius=1e-3)
    found = GradientDescent(rate=rate, radius=1e-3, features=NO_INTERCEPT).learn_many(X, y, h)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize(
    ("settings", "after"),
    [({"loss": "logistic"}, 0.5 * 0.5 * 4), ({"radius": 1.0, "loss": "squared", "rate": 0.1}, 0.1 * 2 * 4)],
)
def test_one_step_by_hand(settings: Settings, after: float) -> None:
    model = GradientDescent(**settings, features=NO_INTERCEPT)
    model.learn_one({"0": 2.0}, 1)
    assert model.predict_one({"0": 2.0}) == pytest.approx(after)


def test_a_million_rounds() -> None:
    """The sum of rate/sqrt(t) is rate (2 sqrt(T) + zeta(1/2)) + O(1/sqrt(T)), whatever the label that is far away."""
    far = 0.5 * (2 * math.sqrt(1e6) - 1.4603545)
    absolute = GradientDescent(loss="absolute", features=NO_INTERCEPT)
    assert million(absolute, np.full(1_000_000, 1e30)) == pytest.approx(far, rel=0.01)
    squared = GradientDescent(loss="squared", rate=0.1, features=NO_INTERCEPT)
    assert million(squared, np.full(1_000_000, 3.0)) == pytest.approx(3.0, rel=1e-5)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_bound(weighted: bool) -> None:
    X, y, h = rows()
    h = h if weighted else np.ones(ROWS)
    model = GradientDescent(rate=0.2, radius=1.5, loss="squared")
    found, met = learn(model, read(X, y, h)).hindsight(), Played(model, X, y, h)
    expected = (2.0 * 1.5**2 / 0.2 + met.G**2 * 0.2) * math.sqrt(met.T)
    assert found.bound.value == pytest.approx(expected, rel=1e-6)
    assert found.bound.measured == found.regret == pytest.approx(met.loss - found.best_loss, rel=1e-6)
