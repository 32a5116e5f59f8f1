"""Every rule is its formula, to 1e-9 of the size of its points in every kind of game, and the check of that bites."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.convex.broken import BREAKS, unbroken
from tests.convex.formulas import Array
from tests.convex.games import GAMES
from tests.convex.specimen import each

RULES = each("formulas")


@cache
def expected(rule: str, game: str) -> Array:
    """What the formula plays."""
    _, formula = RULES[rule]
    return np.asarray(formula.points(GAMES[game], formula.curvature))


def check_formula(rule: str, game: str, broken: Callable[[type[Any]], type[Any]] = lambda cls: cls) -> None:
    """Of the shipped class, or of a broken one."""
    specimen, formula = RULES[rule]
    V, c, P = GAMES[game], formula.curvature, expected(rule, game)
    player = broken(specimen.cls)(**formula.given(V.shape[1]))
    history = player.run(V, c, keep="points")
    loss = (history.points * V).sum(axis=1) + 0.5 * c * (history.points**2).sum(axis=1)
    np.testing.assert_allclose(history.loss, loss, rtol=1e-9, atol=1e-9 * np.abs(V).max())
    off = np.abs(history.points - P).max() / max(1.0, np.abs(P).max())
    assert off < 1e-9, f"the points are off by {off}"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_its_formula(rule: str, game: str) -> None:
    check_formula(rule, game)


@pytest.mark.parametrize("how", BREAKS)
@pytest.mark.parametrize("rule", [rule for rule, (_, formula) in RULES.items() if formula.bites])
def test_a_formula_check_bites(rule: str, how: str) -> None:
    check_formula(rule, "switch at half", unbroken)
    if how not in RULES[rule][1].bites:
        check_formula(rule, "switch at half", BREAKS[how])
        return
    with pytest.raises(AssertionError, match="the points are off by"):
        check_formula(rule, "switch at half", BREAKS[how])
