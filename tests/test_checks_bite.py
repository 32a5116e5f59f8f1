"""The checks bite: each theorem check and each formula check refuses the shipped class with its sign flipped, without
its memory, or at another rate, and passes it as it is. The broken players are subclasses of the shipped ones.

Those of linear learners stand beside the checks, in tests/linear.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from afterwit.experts import (
    AdaNormalHedge,
    AdaNormalHedgeTV,
    AdaptMLProd,
    Boa,
    FixedShare,
    FollowTheLeadingHistory,
    Halving,
    Hedge,
    MLPol,
    NormalHedgeDT,
    Randomized,
    TwoNorm,
)
from tests import adversaries
from tests.experts import broken as broken_player
from tests.experts import second_order_theorems, tracking_theorems
from tests.experts import test_formulas as player_formulas
from tests.experts import test_leading_history as leading_history
from tests.experts import theorems as player_theorems

Break = Callable[[type[Any]], type[Any]]


ONE_GOOD = adversaries.one_good(2000)
PLAYERS: dict[str, tuple[Callable[..., float], type[Any]]] = {
    "exponential weights": (player_theorems.any_rate, Hedge),
    "exponential weights, tuned": (player_theorems.tuned, Hedge),
    "exponential weights, doubling": (player_theorems.doubling, Hedge),
    "two-norm": (player_theorems.two_norm, TwoNorm),
    "normal-hedge-dt": (player_theorems.normal_hedge_dt, NormalHedgeDT),
    "normal-hedge-dt, any u": (partial(player_theorems.any_competitor, d=0), NormalHedgeDT),
    "ada-normal-hedge": (player_theorems.any_competitor, AdaNormalHedge),
    "ada-normal-hedge, rated": (
        partial(player_theorems.any_competitor, I=np.tile([1.0, 0.5], (2000, 5))),
        AdaNormalHedge,
    ),
    "adapt-ml-prod": (second_order_theorems.adapt_ml_prod, AdaptMLProd),
    "boa": (second_order_theorems.boa, Boa),
    "ml-pol": (second_order_theorems.ml_pol, MLPol),
    "fixed-share": (tracking_theorems.fixed_share, FixedShare),
    "fixed-share, tuned": (tracking_theorems.fixed_share_tuned, FixedShare),
    "ada-normal-hedge-tv": (tracking_theorems.ada_normal_hedge_tv, AdaNormalHedgeTV),
    "randomized": (lambda losses, make: player_theorems.randomized(losses[:300], make, seeds=5), Randomized),
    "leading history": (
        lambda losses, make: tracking_theorems.leading_history(losses[:600], make, exact=True),
        FollowTheLeadingHistory,
    ),
}


@pytest.mark.parametrize("broken", [broken_player.flipped, broken_player.forgetful], ids=["sign", "memory"])
@pytest.mark.parametrize("name", PLAYERS)
def test_a_theorem_check_of_players_bites(name: str, broken: Break) -> None:
    check, shipped = PLAYERS[name]
    check(ONE_GOOD, shipped)
    check(ONE_GOOD, broken_player.unbroken(shipped))
    with pytest.raises(player_theorems.BoundBroken):
        check(ONE_GOOD, broken(shipped))


@pytest.mark.parametrize("name", ["exponential weights", "exponential weights, tuned", "fixed-share"])
def test_a_theorem_check_of_players_sees_half_the_rate(name: str) -> None:
    """The theorems about players without a rate are not tight enough to see it; their formulas do, below."""
    check, shipped = PLAYERS[name]
    with pytest.raises(player_theorems.BoundBroken):
        check(ONE_GOOD, broken_player.half(shipped))


def test_the_theorem_check_of_halving_bites() -> None:
    game = player_theorems.halving_adversary(1024)
    twice = tuple(np.concatenate([each, each]) for each in game)
    player_theorems.halving(*twice)
    with pytest.raises(player_theorems.BoundBroken):
        player_theorems.halving(*twice, broken_player.forgetful(Halving))


BREAKS = {"sign": broken_player.flipped, "memory": broken_player.forgetful, "rate": broken_player.half}


@pytest.mark.parametrize("how", BREAKS)
@pytest.mark.parametrize("rule", player_formulas.RULES)
def test_a_formula_check_of_players_bites(rule: str, how: str) -> None:
    player_formulas.check_formula(rule, "switch at half", broken_player.unbroken)
    if how == "rate" and rule in ("NormalHedge", "Hedge, huge rate"):  # indifferent to the scale of all losses
        player_formulas.check_formula(rule, "switch at half", broken_player.half)
        return
    with pytest.raises(AssertionError, match="the weights are off by"):
        player_formulas.check_formula(rule, "switch at half", BREAKS[how])


@pytest.mark.parametrize("how", BREAKS)
@pytest.mark.parametrize("name", leading_history.SETTINGS)
def test_a_formula_check_of_the_leading_history_bites(name: str, how: str) -> None:
    leading_history.check_formula(name, "switch at half", True, broken_player.unbroken)
    with pytest.raises(AssertionError, match="the weights are off by"):
        leading_history.check_formula(name, "switch at half", True, BREAKS[how])
