"""Losses that come late."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from afterwit.experts import (
    AdaNormalHedge,
    Boa,
    Delayed,
    FixedShare,
    FollowTheLeadingHistory,
    Hedge,
    MLPol,
    NormalHedgeDT,
    Randomized,
)
from tests.experts.formulas import Array
from tests.experts.games import GAMES, confidences
from tests.experts.seen import MIXED, RANGE, losses_of
from tests.experts.specimen import NAMES, Formula, Make, Specimen, Theorem
from tests.experts.specimens.test_ada_normal_hedge import normal_hedge_of
from tests.experts.specimens.test_hedge import hedge
from tests.experts.theorems import competitors, hold, horizons

Weigh = Callable[..., Array]


def in_turns(losses: Array, weigh: Weigh, delay: int, I: Array | None = None) -> Array:
    """Every (delay + 1)-th of the rounds with somebody awake is a game of its own."""
    rated = np.where(np.isnan(losses), 0.0, 1.0) if I is None else I
    P, awake = np.zeros(losses.shape), np.flatnonzero(rated.any(axis=1))
    for first in range(delay + 1):
        own = awake[first :: delay + 1]
        if len(own):
            P[own] = weigh(losses[own], I=None if I is None else I[own])
    return P


def in_sum(losses: Array, make: Make, player: Callable[[int], Any], delay: int) -> float:
    """The regret to experts and mixtures of them is at most what `regret_bound` says, at all horizons."""
    nearest = 0.0
    for T in horizons(len(losses)):
        late = make(player=player(losses.shape[1]), delay=delay)
        loss = late.run(losses[:T]).loss
        R = (loss[:, None] - losses[:T]).sum(axis=0)
        nearest = hold(float(R.max()), late.regret_bound().value, T)
        for u, _ in [*competitors(R)][:: len(R)]:
            hold(float(u @ R), late.regret_bound(u).value, T)
    return nearest


SPECIMEN = Specimen(
    Delayed,
    settings=(
        {"player": Hedge(rate=0.3), "delay": 2},
        {"player": AdaNormalHedge(), "delay": 0},
        {"player": AdaNormalHedge(prior=[0.5, 0.0, 3.0, 1e-200]), "delay": 5},
        {"player": NormalHedgeDT(experts=NAMES), "delay": 1},
        {"player": MLPol(loss_range=None), "delay": 23},
        {"player": FixedShare(experts=40, loss_range=(-3.0, 2.0)), "delay": 3},
    ),
    formulas={
        "hedge": Formula(
            lambda l, I=None: in_turns(l, lambda l, I: hedge(l, 0.3, I), 2, I),
            {"player": Hedge(rate=0.3), "delay": 2},
        ),
        "ada-normal-hedge": Formula(
            lambda l, I=None: in_turns(l, partial(normal_hedge_of, 1), 6, I), {"player": AdaNormalHedge(), "delay": 6}
        ),
    },
    theorems={
        "hedge": Theorem(partial(in_sum, player=lambda N: Hedge(rate=0.1, experts=N), delay=3)),
        "ada-normal-hedge": Theorem(partial(in_sum, player=lambda N: AdaNormalHedge(experts=N), delay=7)),
    },
)


@pytest.mark.parametrize("delay", [1, 4])
@pytest.mark.parametrize("player", [AdaNormalHedge(), Hedge(rate=0.3), Boa()], ids=repr)
def test_what_is_late_is_not_looked_at(player: Any, delay: int) -> None:
    """Whatever the losses of the last `delay` rounds are, the next is played alike; that of the round before tells."""
    losses = GAMES["random"][:50]
    late = Delayed(player, delay)
    late.run(losses)
    for t in range(50):
        changed = losses.copy()
        changed[t] = 1.0 - changed[t]
        other = Delayed(player, delay)
        other.run(changed)
        assert np.array_equal(other.play(), late.play()) == ((50 - t) % (delay + 1) != 0)


def test_the_bound_is_the_sum_of_those_in_turn() -> None:
    late = Delayed(AdaNormalHedge(loss_range=RANGE), 2)
    low, high = RANGE
    l = low + (high - low) * losses_of(92)
    late.run(l)
    for competitor in (None, 2, MIXED):
        alone = []
        for first in range(3):
            player = AdaNormalHedge(loss_range=RANGE)
            player.run(l[first::3])
            alone.append(player.regret_bound(competitor).value)
        assert late.regret_bound(competitor).value == pytest.approx(sum(alone), rel=1e-12)
    assert "may be another" in str(late.regret_bound(0.5).reason)
    assert "asks for the range" in str(Delayed(Boa(2, None), 1).regret_bound().reason)


def test_experts_come_late_and_sleep() -> None:
    """By name; a round with nobody awake is none."""
    late, alone = Delayed(AdaNormalHedge(), 1), [AdaNormalHedge(), AdaNormalHedge()]
    rows = [{"a": 0.1, "b": 0.3}, {"a": 0.7}, {}, {"c": 0.2, "a": 0.4}, {"b": 0.9, "c": 0.5}, {"a": np.nan}]
    known: dict[str, float] = {}
    for t, row in enumerate([rows[0], rows[1], rows[3], rows[4]]):
        known |= row
        player = alone[t % 2]
        player.update({**dict.fromkeys(known, np.nan), **row})
    for row in rows:
        late.update(row)
    awake = {"a": 1.0, "b": 1.0, "c": 0.0}
    assert late.play(awake) == alone[0].play(awake)
    assert late.state()["turn"] == 0.0


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Delayed("hedge", 1), "player is a `str`"),
        (lambda: Delayed(Randomized(Hedge()), 1), "player is a `Randomized`, which holds another player"),
        (lambda: Delayed(FollowTheLeadingHistory(Hedge()), 1), "which holds another player; give that one"),
        (lambda: Delayed(Hedge(), -1), "delay is `-1`, expected a whole number from 0 to 10000"),
        (lambda: Delayed(Hedge(), 1.5), r"delay is `1\.5`, expected a whole number"),
        (lambda: Delayed(AdaNormalHedge(experts=["a"]), 1).forget("a"), "`Delayed` cannot forget `a`"),
        (lambda: Delayed(NormalHedgeDT(), 1).update([2.0]), r"losses\[0\] is `2`, expected a number from 0 to 1"),
    ],
)
def test_what_is_wrong_says_so(act: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        act()


def test_a_wrong_state_is_refused() -> None:
    player = Delayed(Hedge(rate=0.1), 2)
    player.run(losses_of(8), confidences(np.ones((8, 5))))
    good = player.state()
    for wrong, message in (
        ({"turn": 3.0}, "`turn` is not that of one of its players"),
        ({"experts": 2**50}, "has not one number per expert"),
        ({"turn": 0.5}, "the state's `turn` is `0.5`"),
        ({"players": good["players"][:2]}, "the state's `players` are 2, expected 3 to take turns"),
        ({"players": [{**good["players"][0], "losses": np.zeros(2)}] * 3}, "has not one number per expert"),
    ):
        with pytest.raises(ValueError, match=message):
            player.set_state({**good, **wrong})
        assert player.state()["turn"] == good["turn"]
