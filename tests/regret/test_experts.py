"""Regret to the experts in order, and to any competitor, against their definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterwit import regret
from tests.regret import brute


@given(brute.games())
@settings(deadline=None)
def test_experts_in_order(game: brute.Game) -> None:
    L, p, confidence = game
    r = brute.regrets(*game)
    np.testing.assert_array_equal(regret.instantaneous(*game), r)
    found = regret.expert_regret(L, p, confidence)
    R = [sum(r[:, i]) for i in range(L.shape[1])]
    assert sorted(R, reverse=True) == found.regrets.tolist() == [R[i] for i in found.experts]
    assert found.regret == max(R)
    assert found.expert == R.index(max(R))
    if confidence is None and not np.isnan(L).any():
        np.testing.assert_array_equal(found.losses, np.sort(L.sum(axis=0)))
    above = [sum(max(-r[t, i], 0.0) for t in range(len(r))) for i in found.experts]
    np.testing.assert_allclose(found.excess, [np.mean(above[: k + 1]) for k in range(len(R))])


@pytest.mark.parametrize("N", [1, 2, 3, 7, 49, 100, 1000])
def test_every_eps_is_the_expert_of_its_exact_ceiling(N: int) -> None:
    found = regret.expert_regret(np.arange(N, dtype=np.float64)[None, :], [0.0])
    for k in range(1, N + 1):
        assert found.epsilon(k / N) == -(k - 1)
    for percent in range(1, 101):  # errata 37: 100 * 0.07 is 7.000000000000001 in floats
        assert found.epsilon(percent / 100) == 1 - math.ceil(Fraction(percent, 100) * N)
    assert found.epsilon(1e-12) == 0.0


@given(brute.games(), st.data())
@settings(deadline=None)
def test_any_competitor(game: brute.Game, data: st.DataObject) -> None:
    L, p, confidence = game
    T, N = L.shape
    r = brute.regrets(*game)
    quarters = st.integers(0, 5).map(lambda k: k / 4)
    moving = np.array(data.draw(st.lists(quarters, min_size=T * N, max_size=T * N)), dtype=np.float64).reshape(T, N)
    fixed = np.array(data.draw(st.lists(quarters, min_size=N, max_size=N)))
    for u, U in ((moving, moving), (fixed, np.tile(fixed, (T, 1)))):
        found = regret.competitor_regret(L, p, u, confidence)
        assert found.regret == sum(U[t, i] * r[t, i] for t, i in np.ndindex(T, N))
        before = np.vstack([np.zeros((1, N)), U[:-1]])[:T]
        assert found.variation == sum(max(U[t, i] - before[t, i], 0.0) for t, i in np.ndindex(T, N))
        assert found.norm == U.sum()
        assert found.excess == sum(U[t, i] * max(-r[t, i], 0.0) for t, i in np.ndindex(T, N))
        if confidence is None and not np.isnan(L).any():
            assert found.loss == (U * L).sum()


def test_the_variation_is_what_lemma_5_says_of_intervals() -> None:
    """One expert believed in on two separate intervals costs 2; T rounds of one distribution cost 1."""
    losses, player = np.zeros((6, 2)), np.zeros(6)
    u = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 0]])
    assert regret.competitor_regret(losses, player, u).variation == 3.0
    assert regret.competitor_regret(losses, player, np.full((6, 2), 0.5)).variation == 1.0


def test_a_partition_is_a_moving_competitor_and_the_best_expert_a_fixed_one() -> None:
    rng = np.random.default_rng(3)
    L, p = rng.random((300, 5)), rng.random(300)
    shifting, best = regret.shifting_regret(L, p, 6), regret.expert_regret(L, p)
    u = np.zeros(L.shape)
    for segment in shifting.partitions[5]:
        u[segment.first : segment.end, segment.expert] = 1.0
    moving = regret.competitor_regret(L, p, u)
    assert moving.regret == pytest.approx(shifting.regrets[5], rel=1e-12)
    assert moving.excess == pytest.approx(shifting.excess[5], rel=1e-12)
    assert moving.loss == pytest.approx(shifting.losses[5], rel=1e-12)
    assert moving.variation == 6.0
    fixed = regret.competitor_regret(L, p, np.eye(5)[best.expert])
    assert fixed.regret == pytest.approx(best.regret, rel=1e-12)
    assert fixed.excess == pytest.approx(best.excess[0], rel=1e-12)


def test_the_one_who_mirrors_the_player_is_not_the_excess_that_bounds() -> None:
    """Errata 36: an expert with the player's own losses has L~ = 0, the one that regret is measured to has not."""
    player = np.array([1.0, 0.0] * 50)
    losses = np.column_stack([player, np.full(100, 0.25)])
    found = regret.shifting_regret(losses, player, 1)
    assert found.regrets[0] == 25.0
    assert found.excess[0] == 12.5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regret.expert_regret([0.5], [0.5]), "losses has 1 dimensions, expected 2"),
        (lambda: regret.expert_regret(np.zeros((3, 0)), np.zeros(3)), "losses has no columns, expected one or more"),
        (lambda: regret.expert_regret([[0.5]], [0.5, 1.0]), "player has the shape \\(2,\\), expected \\(1,\\)"),
        (lambda: regret.expert_regret([[0.5]], [math.nan]), "player\\[0\\] is `nan`, expected a finite number"),
        (lambda: regret.expert_regret([[0.5, math.inf]], [1.0]), "losses\\[0, 1\\] is `inf`, expected a finite"),
        (lambda: regret.expert_regret([[0.5]], [1.0], [[1.5]]), "confidence\\[0, 0\\] is `1.5`, expected a number"),
        (lambda: regret.expert_regret([[0.5]], [1.0], [[math.nan]]), "confidence\\[0, 0\\] is `nan`"),
        (lambda: regret.expert_regret([[0.5]], [1.0], [[1.0, 1.0]]), "confidence has the shape"),
        (lambda: regret.expert_regret([[0.5]], [1.0]).epsilon(0.0), "eps is `0.0`, expected a number above 0"),
        (lambda: regret.competitor_regret([[0.5]], [1.0], [-0.5]), "u\\[0\\] is `-0.5`, expected a finite number, 0"),
        (lambda: regret.competitor_regret([[0.5]], [1.0], [1.0, 0.0]), "u has the shape \\(2,\\), expected \\(1,\\)"),
    ],
)
def test_a_wrong_argument_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
