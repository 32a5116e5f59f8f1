"""The halving algorithm."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit import regret
from afterwit.experts import Halving
from tests.experts.broken import forgetful
from tests.experts.formulas import Array, difference
from tests.experts.specimen import NAMES, Make, Specimen
from tests.experts.theorems import BoundBroken, hold


def halving(losses: Array) -> Array:
    """The experts that have never erred."""
    right = np.vstack([np.ones(losses.shape[1]), np.cumprod(losses == 0.0, axis=0)[:-1]])
    return np.asarray(right / right.sum(axis=1, keepdims=True))


def mistakes(predictions: Array, answers: Array, make: Make = Halving) -> float:
    """Kashima lecture 11 with errata 14: the mistakes of the vote."""
    player = make(experts=predictions.shape[1])
    wrong = 0
    for said, answer in zip(predictions, answers, strict=True):
        wrong += player.vote(said) != answer
        player.run((said != answer).astype(float)[None])
    return hold(wrong, regret.halving(predictions.shape[1]), len(answers))


def adversary(N: int) -> tuple[Array, Array]:
    """All numbers below N bit by bit, the highest first; the answer is the bit that at most half of those left have."""
    left, rows, answers = np.arange(N), [], []
    for bit in reversed(range(max(1, N - 1).bit_length())):
        said = np.where(np.arange(N) >> bit & 1, 1.0, -1.0)
        answer = -1.0 if said[left].sum() >= 0.0 else 1.0
        if not (said[left] == answer).any():
            continue
        rows.append(said)
        answers.append(answer)
        left = left[said[left] == answer]
    return np.array(rows), np.array(answers)


#: Its formula and its theorem are for losses 0 and 1 alone, and so have tests of their own.
SPECIMEN = Specimen(Halving, settings=({}, {"experts": NAMES}))


def test_halving_is_its_formula() -> None:
    rng = np.random.default_rng(6)
    losses = (rng.random((40, 64)) < 0.1).astype(float)
    losses[:, 17] = 0.0
    assert difference(Halving(), losses, halving(losses)) < 1e-12


def test_halving_votes_and_says_when_nobody_is_left() -> None:
    player = Halving(experts=["a", "b", "c", "d"])
    assert player.vote({"a": 1, "b": 1, "c": -1, "d": -1}) == 1  # a tie
    player.update({"a": 1, "b": 0, "c": 0, "d": 0})
    assert player.vote({"a": 1, "b": 1, "c": -1, "d": -1}) == -1
    before = player.state()
    with pytest.raises(ValueError, match="every expert that had never erred errs, so that nobody is left"):
        player.update({"a": 0, "b": 1, "c": 1, "d": 1})
    with pytest.raises(ValueError, match=r"losses\[`b`\] is `0.5`, expected 0 or 1"):
        player.update({"a": 0, "b": 0.5, "c": 1, "d": 1})
    with pytest.raises(ValueError, match="expected -1 or"):
        player.vote({"a": 1, "b": 0, "c": 1, "d": 1})
    assert player.state()["errors"].tolist() == before["errors"].tolist()
    assert player.mistake_bound() == 2
    assert player.regret_bound("a").value is None
    assert player.regret_bound("b").value == pytest.approx(math.log(4))


@pytest.mark.parametrize("N", [1, 2, 3, 16, 17, 100, 1024])
def test_halving_attains_its_bound(N: int) -> None:
    predictions, answers = adversary(N)
    if N > 1:
        ratio = mistakes(predictions, answers)
        assert ratio == 1.0 or N & (N - 1)


def test_the_theorem_check_bites() -> None:
    game = adversary(1024)
    twice = tuple(np.concatenate([each, each]) for each in game)
    mistakes(*twice)
    with pytest.raises(BoundBroken):
        mistakes(*twice, forgetful(Halving))
