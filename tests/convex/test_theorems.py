"""The theorems hold with their constants, and their checks bite.

`python -m tests.convex.test_theorems` prints how near each comes.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests import adversaries
from tests.convex.broken import BREAKS, unbroken
from tests.convex.specimen import each
from tests.convex.theorems import BoundBroken

EVERY = each("theorems")
LONG = [name for name, (_, theorem) in EVERY.items() if theorem.long]
BITES = [(name, how) for name, (_, theorem) in EVERY.items() for how in theorem.bites]


@pytest.mark.parametrize("game", adversaries.GAMES)
@pytest.mark.parametrize("name", EVERY)
def test_a_theorem_holds(name: str, game: str) -> None:
    specimen, theorem = EVERY[name]
    theorem.check(adversaries.GAMES[game](theorem.rounds), specimen.cls)


@pytest.mark.slow
@pytest.mark.parametrize("game", adversaries.GAMES)
@pytest.mark.parametrize("name", LONG)
def test_a_theorem_holds_for_long(name: str, game: str) -> None:
    specimen, theorem = EVERY[name]
    theorem.check(adversaries.GAMES[game](100_000), specimen.cls)


@pytest.mark.parametrize("name", EVERY)
@given(losses=st.data())
@settings(max_examples=25, deadline=None)
def test_a_theorem_holds_on_any_sequence(name: str, losses: st.DataObject) -> None:
    specimen, theorem = EVERY[name]
    shape = losses.draw(st.tuples(st.integers(1, 60), st.integers(2, 9)))
    some = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0.0, 1.0)
    theorem.check(losses.draw(arrays(np.float64, shape, elements=some)), specimen.cls)


@pytest.mark.parametrize(("name", "how"), BITES)
def test_a_theorem_check_bites(name: str, how: str) -> None:
    """Few theorems are tight enough to see half the rate; the formulas see all."""
    specimen, theorem = EVERY[name]
    game = adversaries.hover_then_leave if how == "rate" else adversaries.one_good
    losses = game(theorem.rounds)
    theorem.check(losses, specimen.cls)
    theorem.check(losses, unbroken(specimen.cls))
    with pytest.raises(BoundBroken):
        theorem.check(losses, BREAKS[how](specimen.cls))


if __name__ == "__main__":
    for name, (specimen, theorem) in EVERY.items():
        rounds = 100_000 if theorem.long else theorem.rounds
        ratios = {game: theorem.check(make(rounds), specimen.cls) for game, make in adversaries.GAMES.items()}
        print(f"{name:60}", "  ".join(f"{game} {ratio:.2f}" for game, ratio in ratios.items()))
