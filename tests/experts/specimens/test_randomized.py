"""Draws: by the inverse of the distribution function, keyed by seed and round, told to those that are to know."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from afterwit import registry
from afterwit.experts import (
    AdaNormalHedge,
    FollowTheLeadingHistory,
    Halving,
    Hedge,
    MLPol,
    NormalHedge,
    NormalHedgeDT,
    Randomized,
    TwoNorm,
)
from afterwit.registry import state
from afterwit.registry.plain import same
from tests import adversaries
from tests.experts.formulas import Array
from tests.experts.games import GAMES, confidences
from tests.experts.seen import RANGE, Seen, seen_by
from tests.experts.specimen import NAMES, Formula, Make, Specimen, Theorem, of_experts
from tests.experts.specimens.test_hedge import doubling, exponential
from tests.experts.specimens.test_ml_pol import bound as ml_pol
from tests.experts.specimens.test_normal_hedge_dt import corollary_2
from tests.experts.theorems import BoundBroken

SEED, MASK = 42, 2**64 - 1
Weigh = Callable[[Array, Array, int], Array]


def scrambled(key: int) -> int:
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    key = (key ^ (key >> 27)) * 0x94D049BB133111EB & MASK
    return key ^ (key >> 31)


def uniform(seed: int, t: int) -> float:
    golden = 0x9E3779B97F4A7C15
    return (scrambled(scrambled(seed + golden & MASK) + (t + 1) * golden & MASK) >> 11) / 2.0**53


def two_norm(s: Array, L: Array, t: int) -> Array:
    return np.minimum(s - 1, 0) ** 2 - np.minimum(s + 1, 0) ** 2


def normal_hedge_dt(s: Array, L: Array, t: int) -> Array:
    return np.exp(np.minimum(s - 1, 0) ** 2 / (3 * t)) - np.exp(np.minimum(s + 1, 0) ** 2 / (3 * t))


def hedge(s: Array, L: Array, t: int) -> Array:
    return np.exp(-0.3 * (L - L.min()))


def told(losses: Array, weigh: Weigh) -> Array:
    """Algorithm 3 with z = l - l_drawn: the drawn experts, as rows with one 1 (errata 27, 28)."""
    N = losses.shape[1]
    s, L, P = np.zeros(N), np.zeros(N), np.zeros(losses.shape)
    for t, l in enumerate(losses):
        w = weigh(s, L, t + 1)
        p = w / w.sum() if w.any() else np.full(N, 1.0 / N)
        i = min(int(np.searchsorted(np.cumsum(p), uniform(SEED, t), side="right")), N - 1)
        P[t, i] = 1.0
        s += l - l[i]
        L += l
    return P


def mostly(
    losses: Array,
    make: Make = Randomized,
    player: Callable[[int, int], Any] = lambda T, N: Hedge(horizon=T, eps=0.1 / N, experts=N),
) -> float:
    """Luo 2016, section 2.1.5 with errata 27: a share delta of the seeds may have more regret to the best than it says.

    The count of those is binomial at worst: more than six deviations above its mean is no chance.
    """
    delta, seeds = 0.1, 20 if len(losses) <= 2000 else 5
    regrets, bounds = [], []
    for seed in range(seeds):
        drawn = make(player=player(*losses.shape), seed=seed, delta=delta)
        regrets.append(float(drawn.run(losses).loss.sum() - losses.sum(axis=0).min()))
        bounds.append(drawn.regret_bound().value)
    broken = sum(bound < R for R, bound in zip(regrets, bounds, strict=True))
    if broken > seeds * delta + 6.0 * math.sqrt(seeds * delta):
        raise BoundBroken(f"{broken} of {seeds} draws have more than the bound {max(bounds):.6g}")
    return max(regrets) / max(bounds)


RULES: dict[str, tuple[Any, Weigh]] = {
    "TwoNorm": (TwoNorm(), two_norm),
    "NormalHedgeDT": (NormalHedgeDT(), normal_hedge_dt),
    "Hedge": (Hedge(rate=0.3), hedge),
}
PLAYERS: dict[str, Callable[[int, int], Any]] = {
    "hedge": lambda T, N: Hedge(horizon=T, eps=0.1 / N, experts=N),
    "hedge, doubling": lambda T, N: Hedge(experts=N),
    "two-norm": lambda T, N: TwoNorm(experts=N),
    "normal-hedge-dt": lambda T, N: NormalHedgeDT(experts=N),
    "ada-normal-hedge": lambda T, N: AdaNormalHedge(experts=N),
    "ml-pol": lambda T, N: MLPol(experts=N),
}

SPECIMEN = Specimen(
    Randomized,
    settings=(
        {"player": Hedge(rate=0.3), "seed": 1},
        {"player": NormalHedgeDT(experts=NAMES), "seed": 2**64 - 1, "delta": 0.5},
        {"player": TwoNorm(experts=40, loss_range=(-3.0, 2.0))},
        {"player": AdaNormalHedge(prior=[0.5, 0.0, 3.0, 1e-200])},
        {"player": FollowTheLeadingHistory(MLPol(), rate=0.5)},
        {"player": Halving(experts=1)},
    ),
    formulas={
        name: Formula(partial(told, weigh=weigh), {"player": player, "seed": SEED})
        for name, (player, weigh) in RULES.items()
    },
    theorems={
        name: Theorem(partial(mostly, player=player), ("sign", "memory") if name == "hedge" else ("sign",), rounds=1000)
        for name, player in PLAYERS.items()
    },
)


@pytest.mark.parametrize("rule", RULES)
def test_its_loss_is_that_of_who_is_drawn(rule: str) -> None:
    for losses in GAMES.values():
        player = of_experts(Randomized, {"player": RULES[rule][0], "seed": SEED}, losses.shape[1])
        history = player.run(losses, keep="weights")
        np.testing.assert_array_equal(history.loss, (history.weights * losses).sum(axis=1))


@pytest.mark.parametrize("rule", RULES)
def test_what_was_drawn_is_told_in_the_units_of_the_player(rule: str) -> None:
    """Another range of losses is a change of units: the same are drawn."""
    player, _ = RULES[rule]
    losses = GAMES["switch at half"]
    for low, high in ((0.0, 4.0), (-2.0, 6.0)):
        other = type(player)(**{**registry.settings(player), "experts": losses.shape[1], "loss_range": (low, high)})
        drawn = Randomized(other, seed=SEED).run(low + (high - low) * losses, keep="weights")
        alone = of_experts(Randomized, {"player": player, "seed": SEED}, losses.shape[1]).run(losses, keep="weights")
        assert np.array_equal(drawn.weights, alone.weights)
        np.testing.assert_allclose(drawn.loss, low + (high - low) * alone.loss, rtol=1e-12)


@pytest.mark.parametrize("game", ["random", "switch at half", "ties"])
def test_another_player_learns_as_ever(game: str) -> None:
    """Who is drawn is drawn from the weights that the player has alone, sleepers and confidences too."""
    losses = GAMES[game]
    I = confidences(losses)
    alone = MLPol().run(losses, I, keep="weights").weights
    drawn = Randomized(MLPol(), seed=SEED).run(losses, I, keep="weights")
    awake = alone.any(axis=1)
    assert np.array_equal(drawn.weights.any(axis=1), awake)
    assert (alone[drawn.weights == 1.0] > 0.0).all()
    for t, (p, one) in enumerate(zip(alone[awake], drawn.weights[awake], strict=True)):
        assert one[min(int(np.searchsorted(np.cumsum(p), uniform(SEED, t), side="right")), len(p) - 1)] == 1.0


def test_draws_have_the_frequencies_of_the_weights() -> None:
    player = Randomized(Hedge(rate=1.0, experts=4), seed=5)
    player.update([0.0, 0.3, 0.6, 1.0])
    p, T = player.weights(), 100_000
    counts = player.run(np.full((T, 4), 0.5), keep="weights").weights.sum(axis=0)
    assert player.weights() == pytest.approx(p)
    assert ((counts - T * p) ** 2 / (T * p)).sum() < 25.0  # chi squared with 3 degrees: a chance of about 1e-5
    first = [Randomized(Hedge(experts=2), seed=seed).draw() for seed in range(400)]
    assert 140 < sum(first) < 260  # six deviations


def test_a_draw_is_pure_and_by_name() -> None:
    player = Randomized(AdaNormalHedge(), seed=3)
    player.update({"a": 0.2, "b": 0.4})
    before = state(player)
    assert {player.draw() for _ in range(5)} == {player.draw()}
    assert same(before, state(player))
    assert player.play()[player.draw()] == 1.0
    assert player.draw({"b": 1.0}) == "b"
    assert player.draw({"a": 0.0}) is None
    assert sum(player.weights().values()) == pytest.approx(1.0)
    player.update({"new": 0.1})
    assert player.draw({"new": 1.0}) == "new"
    assert Randomized(TwoNorm(experts=3)).draw() in (0, 1, 2)


def test_who_always_draws_the_worst_is_found_out() -> None:

    class Unlucky(Randomized):
        def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> Any:
            history = super().run(losses, confidence, keep)
            return type(history)(losses.max(axis=1), history.total, history.regret)

    with pytest.raises(BoundBroken):
        mostly(adversaries.fair_coins(2000), Unlucky)


def test_its_bounds() -> None:
    losses = adversaries.fair_coins(400)
    delta, T, N = 0.05, 400, 10
    tuned = Randomized(Hedge(horizon=T, eps=delta / N, experts=N), delta=delta)
    tuned.run(losses)
    assert tuned.regret_bound().value == pytest.approx(np.sqrt(2.0 * T * np.log(N / delta)))
    plain = Randomized(AdaNormalHedge(experts=N), delta=delta)
    plain.run(losses)
    own = plain._view().regret_bound(3).value
    assert plain.regret_bound(3).value == pytest.approx(own + np.sqrt(T * np.log(1.0 / delta)))
    plain.update(losses[0], np.r_[0.0, np.ones(9)])
    own = plain._view().regret_bound(3).value
    assert plain.regret_bound(3).value == pytest.approx(own + np.sqrt((T + 1) * np.log(N / delta)))
    asleep = Randomized(NormalHedgeDT(experts=2))
    asleep.update([0.5, np.nan])
    assert asleep.regret_bound().reason is not None
    assert "a uniform prior" in str(Randomized(NormalHedgeDT(prior=[1.0, 2.0])).regret_bound().reason)
    assert Randomized(NormalHedge(experts=2)).regret_bound().value is None


def test_who_comes_late_has_slept() -> None:
    player, told = Randomized(AdaNormalHedge(), delta=0.05), Randomized(NormalHedgeDT())
    for each in (player, told):
        each.run([{"a": 0.0}] * 9)
    assert told.regret_bound("a").value > 0.0
    for each in (player, told):
        each.run([{"a": 0.0, "late": 1.0}] * 7)
    own = player._view().regret_bound("late").value
    assert player.regret_bound("late").value == pytest.approx(own + np.sqrt(16 * np.log(2 / 0.05)))
    assert "experts that never sleep" in str(told.regret_bound("late").reason)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Randomized("hedge"), "player is a `str`"),
        (lambda: Randomized(Randomized(Hedge())), "player is a `Randomized`, expected another player"),
        (lambda: Randomized(Hedge(), seed=-1), "seed is `-1`"),
        (lambda: Randomized(Hedge(), seed=1.5), r"seed is `1\.5`"),
        (lambda: Randomized(Hedge(), delta=1.0), r"delta is `1\.0`"),
        (lambda: Randomized(Hedge()).draw(), "the experts are not known"),
        (
            lambda: Randomized(TwoNorm(experts=2)).update([0.5, np.nan]),
            "`Randomized` has no form for experts that sleep",
        ),
        (lambda: Randomized(Hedge(experts=2)).update([0.5, 2.0]), r"losses\[1\] is `2`, expected a number from 0 to 1"),
        (lambda: Randomized(AdaNormalHedge(experts=["a"])).forget("a"), "cannot forget `a`"),
        (lambda: Randomized(Halving(experts=1)).update([1.0]), "nobody is left"),
        (lambda: Randomized(FollowTheLeadingHistory(Hedge(experts=2))).update([0.5]), "losses has 1 entries"),
    ],
)
def test_what_is_wrong_says_so(act: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        act()


def test_a_wrong_state_is_refused() -> None:
    player = Randomized(TwoNorm(experts=2))
    player.update([0.0, 1.0])
    before = state(player)
    for wrong in ({"draws": -1.0}, {"draws": np.nan}, {"slept": 2.0}):
        with pytest.raises(ValueError, match="is no number of rounds"):
            player.set_state({**player.state(), **wrong})
        assert same(before, state(player))


DELTA = 0.02


def drawn_at(s: Seen, eta: float) -> float:
    """As one that is told what was drawn, or by its own bound."""
    told = exponential(Seen(s.r, s.awake, DELTA / 5), eta)
    return min(told, exponential(s, eta) + math.sqrt(s.T * math.log(1.0 / DELTA)))


DRAWN: dict[str, tuple[Callable[[], Any], Callable[[Seen], float]]] = {
    "TwoNorm": (lambda: TwoNorm(loss_range=RANGE), lambda s: math.sqrt(s.T * 5 / DELTA)),
    "NormalHedgeDT": (
        lambda: NormalHedgeDT(loss_range=RANGE),
        lambda s: corollary_2(Seen(s.r, s.awake, DELTA / 5)),
    ),
    "Hedge, rate": (lambda: Hedge(rate=0.2, loss_range=RANGE), lambda s: drawn_at(s, 0.2)),
    "Hedge, fast": (lambda: Hedge(rate=2.0, loss_range=RANGE), lambda s: drawn_at(s, 2.0)),
    "Hedge, horizon": (
        lambda: Hedge(horizon=90, eps=DELTA / 5, loss_range=RANGE),
        lambda s: drawn_at(s, math.sqrt(2.0 * math.log(5 / DELTA) / 90)),
    ),
    "Hedge, doubling": (
        lambda: Hedge(loss_range=RANGE),
        lambda s: doubling(s, 0.2) + math.sqrt(s.T * math.log(1.0 / DELTA)),
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_of_draws(name: str) -> None:
    make, formula = DRAWN[name]
    player = Randomized(make(), delta=DELTA)
    seen = seen_by(player, 90, None)
    assert player.regret_bound().value == pytest.approx(8.0 * formula(seen), rel=1e-9)


@pytest.mark.parametrize("asleep", [False, True])
def test_of_draws_from_who_learns_as_ever(asleep: bool) -> None:
    """Its own bound is by its expected losses; where somebody slept, delta is shared among the experts."""
    I = np.maximum(confidences(np.ones((90, 5))), np.eye(5)[2]) if asleep else None
    player = Randomized(MLPol(loss_range=RANGE), delta=DELTA)
    seen_by(player, 90, 1, I)
    own = ml_pol(seen_by(MLPol(loss_range=RANGE), 90, 1, I))
    more = math.sqrt(90 * math.log((5 if asleep else 1) / DELTA))
    assert player.regret_bound(1).value == pytest.approx(8.0 * (own + more), rel=1e-9)
