"""The potentials satisfy what Algorithm 3 asks for, and the players are what comes out of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit.experts import AdaNormalHedge, Hedge, NormalHedgeDT, TwoNorm
from afterwit.potentials import Exponential, Normal, SquaredNegativePart

POTENTIALS = [Exponential(0.05), Exponential(1.5), SquaredNegativePart(), Normal()]
S = np.linspace(-12.0, 12.0, 2401)


@pytest.mark.parametrize("potential", POTENTIALS, ids=repr)
@pytest.mark.parametrize("t", [1, 2, 3, 10, 60, 500])
def test_what_algorithm_3_asks_for(potential: Any, t: int) -> None:
    s = np.array([0.0]) if t == 1 and isinstance(potential, Normal) else S  # errata 19
    after = potential.value(s - 1.0, t) + potential.value(s + 1.0, t)
    before = 2.0 * potential.value(s, t - 1)
    assert (after <= before + 1e-9 * np.abs(before)).all()
    half = (potential.value(s - 1.0, t) - potential.value(s + 1.0, t)) / 2.0
    np.testing.assert_allclose(potential.weight(s, t), half, rtol=1e-6, atol=1e-9 * max(1.0, float(np.abs(half).max())))
    value = potential.value(S, t)
    assert (np.diff(value) <= 1e-12 * np.abs(value[1:])).all()
    assert (np.diff(value, 2) >= -1e-9 * np.abs(value[2:])).all()


def test_lemma_2_fails_in_the_first_round_away_from_0() -> None:
    s = np.array([-3.0])
    assert Normal().value(s - 1, 1) + Normal().value(s + 1, 1) > 2.0 * Normal().value(s, 0)


@pytest.mark.parametrize(
    ("player", "potential"),
    [(Hedge(rate=0.3), Exponential(0.3)), (TwoNorm(), SquaredNegativePart()), (NormalHedgeDT(), Normal())],
    ids=["EXP", "2-norm", "NormalHedge.DT"],
)
def test_players_come_out_of_algorithm_3(player: Any, potential: Any) -> None:
    losses = np.random.default_rng(0).random((300, 6))
    P = player.run(losses, keep="weights").weights
    s, sum_of_potentials = np.zeros(6), math.inf
    for t, l in enumerate(losses, start=1):
        w = potential.weight(s, t)
        np.testing.assert_allclose(P[t - 1], w / w.sum(), rtol=0.0, atol=1e-12)
        s += l - (w / w.sum()) @ l
        now = float(potential.value(s, t).sum())
        assert now <= sum_of_potentials + 1e-9
        sum_of_potentials = now


def test_ada_normal_hedge_has_a_time_for_every_expert() -> None:
    losses = np.random.default_rng(1).random((300, 6))
    player = AdaNormalHedge()
    player.run(losses)
    w = Normal().weight(-player.state()["R"], player.state()["C"] + 1.0)
    np.testing.assert_allclose(player.play(), w / w.sum(), rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan, 1e4])
def test_a_wrong_rate(rate: float) -> None:
    with pytest.raises(ValueError, match=r"rate is `.*`, expected a number above 0"):
        Exponential(rate)
