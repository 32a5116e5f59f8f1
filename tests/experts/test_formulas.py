"""Every rule is its formula, to 1e-10 over 2,000 rounds of every kind of game, and the check of that bites."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.experts.broken import BREAKS, unbroken
from tests.experts.formulas import Array, difference
from tests.experts.games import GAMES, RNG, confidences
from tests.experts.specimen import each, every, of_experts

RULES = each("formulas")
SLEEPERS = [rule for rule, (specimen, formula) in RULES.items() if specimen.cls.sleeps is True and formula.rated]
SLOW = {(rule, game) for rule, (_, formula) in RULES.items() for game in GAMES if game not in (formula.quick or GAMES)}


@pytest.mark.parametrize(
    ("rule", "game"),
    [
        pytest.param(rule, game, id=f"{rule}-{game}", marks=[pytest.mark.slow] if (rule, game) in SLOW else [])
        for rule in RULES
        for game in GAMES
    ],
)
def test_a_rule_is_its_formula(rule: str, game: str) -> None:
    check_formula(rule, game)


@cache
def expected(rule: str, game: str) -> Array:
    """What the formula plays."""
    _, formula = RULES[rule]
    return np.asarray(formula.weights(GAMES[game][: formula.rounds]))


def check_formula(rule: str, game: str, broken: Callable[[type[Any]], type[Any]] = lambda cls: cls) -> None:
    """Of the shipped class, or of a broken one."""
    specimen, formula = RULES[rule]
    losses = GAMES[game][: formula.rounds]
    player = of_experts(broken(specimen.cls), formula.given, losses.shape[1])
    off = difference(player, losses, expected(rule, game))
    assert off < 1e-10, f"the weights are off by {off}"


@pytest.mark.parametrize("how", BREAKS)
@pytest.mark.parametrize("rule", [rule for rule, (_, formula) in RULES.items() if formula.bites])
def test_a_formula_check_bites(rule: str, how: str) -> None:
    check_formula(rule, "switch at half", unbroken)
    if how not in RULES[rule][1].bites:
        check_formula(rule, "switch at half", BREAKS[how])
        return
    with pytest.raises(AssertionError, match="the weights are off by"):
        check_formula(rule, "switch at half", BREAKS[how])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("rule", SLEEPERS)
def test_confidences(rule: str, game: str) -> None:
    specimen, formula = RULES[rule]
    losses = GAMES[game]
    I = confidences(losses)
    I[:1] = 1.0
    assert difference(specimen.cls(**formula.given), losses, formula.weights(losses, I=I), I) < 1e-10
    asleep = losses.copy()
    asleep[I < 0.5] = np.nan
    assert difference(specimen.cls(**formula.given), asleep, formula.weights(asleep)) < 1e-10


@pytest.mark.parametrize("rule", SLEEPERS)
def test_a_nan_sleeps(rule: str) -> None:
    specimen, formula = RULES[rule]
    losses = GAMES["random"].copy()
    losses[RNG.random(losses.shape) < 0.3] = np.nan
    losses[100:110] = np.nan
    for I in (None, np.isfinite(losses).astype(float)):
        assert difference(specimen.cls(**formula.given), losses, formula.weights(losses), I) < 1e-10


@pytest.mark.parametrize("name", [name for name, specimen in every().items() if specimen.lost_at is not None])
def test_who_has_lost_has_exactly_no_weight(name: str) -> None:
    losses, at = GAMES["switch at half"], every()[name].lost_at
    history = every()[name].cls().run(losses, keep="weights")
    R = np.vstack([np.zeros(5), np.cumsum(history.loss[:, None] - losses, axis=0)[:-1]])
    lost = at - 1e-9 >= R
    assert lost[1:].any()
    assert not history.weights[lost].any()
    assert (history.weights[at + 1e-9 < R] > 0.0).all()
