"""Passive-aggressive learning, plain and normalised."""

from __future__ import annotations

import numpy as np
import pytest

from afterwit import Features
from afterwit.learning import learn
from afterwit.linear import PassiveAggressive
from afterwit.registry.plain import same
from afterwit.streams import read
from tests import adversaries
from tests.adversaries import Rows
from tests.linear.broken import at_rate, flipped, forgetful
from tests.linear.formulas import Array, derivative, invariant_step
from tests.linear.hindsight import comparators
from tests.linear.rules import NO_INTERCEPT, bits, million
from tests.linear.specimen import Specimen, Theorem
from tests.linear.theorems import FEATURES, Make, Outcome, Player, nearest, play, prefixes

PACE = ("aggressiveness", 1.0)
LOSSES = ("hinge", "absolute", "quantile:0.3", "quantile:0.9")


def formula(
    X: Array, y: Array, h: Array, *, loss: str = "hinge", aggressiveness: float = 1.0, normalized: bool = False
) -> tuple[Array, Array]:
    """The step of PA-I is the invariant step of a loss with one kink. Normalised, w is that of x/s."""
    n = X.shape[1]
    p, w, s = np.zeros(len(X)), np.zeros(n), np.zeros(n)
    low = high = 0.0
    ranged = normalized and loss != "hinge"
    for t in range(len(X)):
        i = np.flatnonzero(X[t])
        larger = np.maximum(s[i], np.abs(X[t, i])) if normalized else np.ones(len(i))
        x = X[t, i] / larger
        at = float(w[i] @ x)
        p[t] = np.clip(at, low, high) if ranged else at
        if h[t] == 0.0:
            continue
        low, high = min(low, y[t]), max(high, y[t])
        most = aggressiveness * h[t] * (high - low if ranged else 1.0)
        square = float(x @ x)
        if square > 0.0 and derivative(loss, np.float64(at), y[t]) != 0.0:
            w[i] += invariant_step(loss, at, y[t], most, square) * x
            s[i] = larger
    return p, w / np.where(s > 0.0, s, 1.0)


def regret_to_any(
    rows: Rows, make: Make = PassiveAggressive, *, loss: str = "hinge", aggressiveness: float = 0.5,
    player: Player = play,
) -> Outcome:  # fmt: skip
    """|u|^2/(2 C) + C/2 sum_t |g_t|^2, with the gradients that were met (Kulis, Bartlett 2010)."""
    for part in prefixes(player(make(aggressiveness=aggressiveness, loss=loss, features=FEATURES), rows)):
        U = comparators(part.rows, loss)
        squares = float((part.gradients(loss) ** 2).sum())
        bounds = (U**2).sum(axis=1) / (2.0 * aggressiveness) + aggressiveness / 2.0 * squares
        outcome = nearest(part.losses(loss) - part.losses_of(U, loss), bounds, len(part.p))
    return outcome


def mistakes(
    rows: Rows, make: Make = PassiveAggressive, *, aggressiveness: float = 1.0, player: Player = play
) -> Outcome:
    """max(X^2, 1/C) (|u|^2 + 2 C H) mistakes, H the hinge loss of u (Crammer et al. 2006, Theorem 4)."""
    reach = float(np.linalg.norm(rows.X, axis=1).max())
    whole = player(make(aggressiveness=aggressiveness, features=FEATURES), rows, weights=False)
    for part in prefixes(whole):
        U = comparators(part.rows, "hinge")
        most = max(reach**2, 1.0 / aggressiveness)
        bounds = most * ((U**2).sum(axis=1) + 2.0 * aggressiveness * part.losses_of(U, "hinge"))
        wrong = np.full(len(U), float((part.rows.y * part.p <= 0.0).sum()))
        outcome = nearest(wrong, bounds, len(part.p))
    return outcome


def hover_and_run(rounds: int, aggressiveness: float, slower: float = 1.0) -> Rows:
    """`hover_then_run` from 0 to `rounds` steps away: half of the bound is the hovering, half the way to u.

    Every step is C long. With T/2 rounds of hovering and T/2 of running the regret to u = C T/2 is
    C T/4 + C T^2/8, the bound C T^2/8 + C T/2. A learner at half the rate is left behind by C T^2/16.
    """
    run = rounds // 2
    return adversaries.hover_then_run(
        rounds, push=0, run=run, far=10.0 * rounds * aggressiveness, target=run * aggressiveness / slower
    )


def _separable() -> Rows:
    return adversaries.separable(2000)


SPECIMEN = Specimen(
    make=PassiveAggressive,
    settings=({}, {"normalized": True}, {"aggressiveness": 0.1}),
    losses=LOSSES,
    typical={
        "passive-aggressive": {},
        "passive-aggressive-absolute": {"loss": "absolute", "aggressiveness": 0.1},
        "passive-aggressive-normalized": {"normalized": True, "aggressiveness": 0.1},
        "passive-aggressive-normalized-absolute": {"normalized": True, "aggressiveness": 0.1, "loss": "absolute"},
    },
    formula=formula,
    formula_at=lambda loss: [
        {"loss": loss, "aggressiveness": 0.25, "normalized": normalized} for normalized in (False, True)
    ],
    numbers=("aggressiveness",),
    extreme=tuple(
        {"aggressiveness": C, "normalized": normalized, "loss": loss}
        for C in (1e-38, 1e38)
        for normalized in (False, True)
        for loss in ("hinge", "absolute")
    ),
    scale_free=({"normalized": True, "aggressiveness": 0.1},),
    bounded={},
    pace=PACE,
    theorems={
        "passive-aggressive": Theorem(
            regret_to_any,
            bites={
                "sign": (flipped, _separable, {}),
                "memory": (forgetful, _separable, {}),
                "rate": (
                    lambda make: at_rate(0.5, make, PACE),
                    lambda: hover_and_run(1000, 0.5),
                    {"loss": "absolute", "aggressiveness": 0.5},
                ),
            },
            tight={
                "hover_and_run": (
                    lambda: hover_and_run(1000, 0.5),
                    {"loss": "absolute", "aggressiveness": 0.5},
                )
            },
            losses=("absolute", "quantile:0.9"),
            short=({"aggressiveness": 0.05}, {"aggressiveness": 2.0}),
            weights=(0.0, 0.25, 1.0, 1.0, 3.0),
        ),
        "passive-aggressive mistakes": Theorem(
            mistakes,
            bites={"sign": (flipped, _separable, {}), "memory": (forgetful, _separable, {})},
            tight={"orthogonal": (lambda: orthogonal(1000), {})},
            short=({"aggressiveness": 0.05}, {"aggressiveness": 2.0}),
        ),
    },
)


def orthogonal(rounds: int) -> Rows:
    """A new feature every round: T mistakes, and u = (1, ..., 1) allows |u|^2 = T."""
    return adversaries.of_floats(np.eye(rounds), np.ones(rounds), np.ones(rounds))


def test_one_step_by_hand() -> None:
    """From x = 2, y = 1: as far as the margin 1, or as C allows."""
    for settings, after in (
        ({}, 1.0),
        ({"aggressiveness": 0.1}, 0.1 * 4),
        ({"aggressiveness": 0.1, "normalized": True}, 0.1),
        ({"aggressiveness": 0.1, "loss": "absolute"}, 0.1 * 4),
    ):
        model = PassiveAggressive(**settings, features=NO_INTERCEPT)
        model.learn_one({"0": 2.0}, 1)
        assert model.predict_one({"0": 2.0}) == pytest.approx(after, rel=1e-6)


def test_a_weight_multiplies_the_aggressiveness() -> None:
    for h in (0.25, 3.0):
        one, other = PassiveAggressive(0.1, features=NO_INTERCEPT), PassiveAggressive(0.1 * h, features=NO_INTERCEPT)
        one.learn_one({"0": 1.0}, 1, h)
        other.learn_one({"0": 1.0}, 1)
        assert one.predict_one({"0": 1.0}) == pytest.approx(other.predict_one({"0": 1.0}), rel=1e-6)


@pytest.mark.parametrize("normalized", [False, True])
def test_a_row_with_its_margin_changes_nothing(normalized: bool) -> None:
    model = PassiveAggressive(normalized=normalized, features=NO_INTERCEPT)
    model.learn_one({"0": 1.0}, 1)
    assert model.predict_one({"0": 1.0}) == 1.0
    before = bits(model)
    model.learn_one({"0": 9.0}, 1)
    assert same(bits(model), before)


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_a_loss_without_a_kink_is_refused(loss: str) -> None:
    with pytest.raises(ValueError, match="expected hinge, absolute or quantile"):
        PassiveAggressive(loss=loss)


def test_a_million_rounds() -> None:
    assert million(PassiveAggressive(features=NO_INTERCEPT), np.ones(1_000_000)) == pytest.approx(1.0, rel=1e-6)
    turns = np.tile([1.0, -1.0], 500_000)
    assert abs(million(PassiveAggressive(features=NO_INTERCEPT), turns)) <= 1.0
    absolute = PassiveAggressive(0.1, loss="absolute", features=NO_INTERCEPT)
    assert million(absolute, np.full(1_000_000, 3.0)) == pytest.approx(3.0, rel=1e-6)


def test_the_bound() -> None:
    """Its right-hand side, from what the report shows and gradients computed anew."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(60, 3)) * 64.0) / 64.0
    y, h = np.where(X[:, 0] + rng.normal(size=60) > 0.0, 1.0, -1.0), rng.choice([0.0, 0.5, 1.0, 3.0], 60)
    model = PassiveAggressive(0.3)
    found = learn(model, read(X, y, h)).hindsight()
    p = PassiveAggressive(0.3).learn_many(X, y, h)
    g = (h * derivative("hinge", p, y))[:, None] * np.column_stack([X, np.ones(60)])
    expected = found.norm**2 / (2.0 * 0.3) + 0.3 / 2.0 * float((g**2).sum())
    assert found.bound.value == pytest.approx(expected, rel=1e-6)
    assert found.bound.measured == found.regret


def test_a_name_that_was_never_met_adds_nothing() -> None:
    """Its value is 0 in a slot that was never touched: 0 in units of no size."""
    model = PassiveAggressive(normalized=True, features=Features(names="exact", intercept=False))
    model.learn_one({"a": 1.0}, 1)
    assert model.predict_one({"unknown": 1.0}) == 0.0
