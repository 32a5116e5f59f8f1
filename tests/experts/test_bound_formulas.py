"""What `regret_bound` says is the right-hand side of the theorem, computed anew from the losses that were played: with
other ranges of losses, priors, confidences, competitors of every kind, and after experts were forgotten."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit.experts import AdaNormalHedge, Halving, Hedge, Mixture, NormalHedge
from tests.experts.games import confidences
from tests.experts.seen import COMPETITORS, MIXED, RANGE, Seen, losses_of, seen_by
from tests.experts.specimen import each
from tests.experts.specimens.test_ada_normal_hedge import theorem_6

BOUNDS = each("bounds")


@pytest.mark.parametrize("rounds", [6, 90])
@pytest.mark.parametrize("competitor", COMPETITORS)
@pytest.mark.parametrize("name", BOUNDS)
def test_it_is_the_formula(name: str, competitor: str, rounds: int) -> None:
    specimen, bound = BOUNDS[name]
    player = specimen.cls(**bound.given, loss_range=RANGE)
    seen = seen_by(player, rounds, COMPETITORS[competitor])
    assert player.regret_bound(COMPETITORS[competitor]).value == pytest.approx(8.0 * bound.value(seen), rel=1e-9)


@pytest.mark.parametrize("competitor", COMPETITORS)
@pytest.mark.parametrize("name", [name for name, (specimen, _) in BOUNDS.items() if specimen.cls.sleeps])
def test_with_confidences(name: str, competitor: str) -> None:
    specimen, bound = BOUNDS[name]
    player = specimen.cls(**bound.given, loss_range=RANGE)
    I = np.maximum(confidences(np.ones((90, 5))), np.eye(5)[2])  # somebody is always awake: every round counts
    seen = seen_by(player, 90, COMPETITORS[competitor], I)
    assert player.regret_bound(COMPETITORS[competitor]).value == pytest.approx(8.0 * bound.value(seen), rel=1e-9)


@pytest.mark.parametrize("name", [name for name, (specimen, _) in BOUNDS.items() if specimen.cls.grows])
def test_who_was_forgotten_stays_in_the_bound(name: str) -> None:
    """As if they slept: two are forgotten one after the other, and everybody else is awake in all rounds."""
    specimen, bound = BOUNDS[name]
    given = {
        key: dict(zip("abcde", value.tolist(), strict=True)) if key == "prior" else value
        for key, value in bound.given.items()
    }
    player = specimen.cls(**given, experts=list("abcde"), loss_range=RANGE)
    r, awake = np.zeros((60, 5)), np.ones((60, 5), dtype=bool)
    awake[20:, 1], awake[40:, 4] = False, False
    l = losses_of(60)
    for t in range(60):
        if t in (20, 40):
            player.forget("b" if t == 20 else "e")
        row = {name: -2.0 + 8.0 * l[t, i] for i, name in enumerate("abcde") if awake[t, i]}
        loss = player.run([row]).loss[0]
        r[t] = np.where(awake[t], (loss + 2.0) / 8.0 - l[t], 0.0)
    assert player.regret_bound("c").value == pytest.approx(8.0 * bound.value(Seen(r, awake, 2)), rel=1e-9)


@pytest.mark.parametrize("gradient", [True, False])
@pytest.mark.parametrize("loss", ["squared", "absolute", "quantile:0.2", "gain"])
def test_of_a_mixture(loss: str, gradient: bool) -> None:
    """E times the player's bound; E is the largest difference of two losses of a round that the range allows."""
    low, high = 0.5, 2.0
    rng = np.random.default_rng(1)
    F, y = rng.uniform(low, high, (60, 5)), rng.uniform(low, high, 60)
    slopes, values, E = {
        "squared": (lambda m: 2.0 * (m - y), lambda f: (f - y[:, None]) ** 2, 2.0 * 1.5**2 if gradient else 1.5**2),
        "absolute": (lambda m: np.sign(m - y), lambda f: np.abs(f - y[:, None]), 1.5),
        "quantile:0.2": (
            lambda m: np.where(m < y, -0.2, 0.8),
            lambda f: np.where(f < y[:, None], 0.2 * (y[:, None] - f), 0.8 * (f - y[:, None])),
            0.8 * 1.5,
        ),
        "gain": (lambda m: -1.0 / m, lambda f: -np.log(f), 3.0 if gradient else math.log(4.0)),
    }[loss]
    model = Mixture(AdaNormalHedge(), loss, gradient, (low, high))
    history = model.run(F, y)
    l = slopes(history.forecast)[:, None] * F if gradient else values(F)
    r = ((history.weights * l).sum(axis=1)[:, None] - l) / E
    seen = Seen(r, r == r, MIXED)
    assert model.regret_bound(MIXED).value == pytest.approx(E * theorem_6(seen, seen.C), rel=1e-9)


def test_without_a_theorem_there_is_a_reason() -> None:
    for player, competitor, words in (
        (NormalHedge(experts=2), None, "no constants"),
        (AdaNormalHedge(prior=[1.0, 0.0]), 1, "whose prior is 0"),
        (Hedge(eps=1.0, experts=2), None, "ask for competitor=1.0"),
    ):
        player.run([[0.0, 1.0]] * 3)
        assert player.regret_bound(competitor).value is None
        assert words in str(player.regret_bound(competitor).reason)
    assert Hedge(eps=1.0, experts=2).regret_bound(1.0).value == 0.0
    halving = Halving(experts=8)
    halving.update([1.0] * 5 + [0.0] * 3)
    assert halving.regret_bound().value == pytest.approx(math.log(8.0))
    assert halving.regret_bound(0.5).value is None


def test_a_fraction_is_so_many_of_the_best() -> None:
    """0.28 of 25 are seven, though 25 * 0.28 is a little above 7 in floats (errata 37)."""
    player = AdaNormalHedge(experts=25)
    history = player.run(losses_of(50, 25))
    assert 25 * 0.28 > 7.0
    for k in (1, 7, 8, 25):
        u = np.isin(np.arange(25), np.argsort(-history.regret)[:k]) / k
        assert player.regret_bound(k / 25).value == pytest.approx(player.regret_bound(u).value, rel=1e-12)
