"""The worst interval of every length and the best partition of every size, against all of them."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from afterwit import regret
from tests.regret import brute


@given(brute.games(rounds=9))
@settings(deadline=None)
def test_the_worst_interval_of_every_length(game: brute.Game) -> None:
    r = brute.regrets(*game)
    found = regret.interval_regret(*game)
    assert found.lengths.tolist() == list(range(1, len(r) + 1))
    for n, worst, s, i in zip(found.lengths, found.regrets, found.starts, found.experts, strict=True):
        assert worst == brute.worst_interval(r, n) == r[s : s + n, i].sum()
    if len(r):
        assert found.regrets[-1] == regret.expert_regret(*game).regret
        assert regret.interval_regret(*game, lengths=[len(r), 1]).regrets.tolist() == found.regrets[[-1, 0]].tolist()


@pytest.mark.parametrize(("T", "N"), [(5000, 1), (700, 7), (40, 300)])
def test_the_worst_interval_of_many_rounds(T: int, N: int) -> None:
    """Beyond one block of the sweep; sixteenths, so that the sums are exact and ties are met."""
    rng = np.random.default_rng(T)
    L, p = rng.integers(0, 17, (T, N)) / 16, rng.integers(0, 17, T) / 16
    S = np.vstack([np.zeros((1, N)), np.cumsum(p[:, None] - L, axis=0)])
    lengths = sorted({1, 2, 3, T // 3, T // 2, T - 1, T})
    found = regret.interval_regret(L, p, lengths=lengths)
    for n, worst, s, i in zip(lengths, found.regrets, found.starts, found.experts, strict=True):
        differences = S[n:] - S[:-n]
        assert worst == differences.max()
        assert (s, i) == np.unravel_index(np.argmax(differences), differences.shape)  # the first of equals


@given(brute.games(rounds=6))
@settings(max_examples=60, deadline=None)
def test_the_best_partition_of_every_size(game: brute.Game) -> None:
    L, p, confidence = game
    r = brute.regrets(*game)
    T = len(L)
    found = regret.shifting_regret(L, p, 4, confidence)
    assert len(found.regrets) == len(found.losses) == len(found.partitions) == max(1, min(4, T))
    for K, (best, partition) in enumerate(zip(found.regrets, found.partitions, strict=True), 1):
        assert best == (brute.best_partition(r, min(K, T)) if T else 0.0)
        assert best == sum(r[s.first : s.end, s.expert].sum() for s in partition)
        assert [t for s in partition for t in range(s.first, s.end)] == list(range(T))
        assert all(s.first < s.end for s in partition)
        assert all(a.expert != b.expert for a, b in itertools.pairwise(partition))
        assert len(partition) <= min(K, T)
        above = sum(np.maximum(-r[s.first : s.end, s.expert], 0.0).sum() for s in partition)
        assert found.excess[K - 1] == above
    np.testing.assert_array_equal(found.losses, p.sum() - found.regrets)
    assert found.regrets[0] == regret.expert_regret(*game).regret


def test_of_equal_experts_it_is_the_first() -> None:
    losses = np.array([[0.5, 0.25, 0.25, 0.25]] * 3 + [[0.0, 0.75, 0.0, 0.0]] * 3)
    partitions = regret.shifting_regret(losses, np.full(6, 0.5), 2).partitions
    assert [[segment.expert for segment in each] for each in partitions] == [[2], [1, 0]]
    assert regret.shifting_regret(np.zeros((4, 3)), np.zeros(4), 1).partitions[0][0].expert == 0


def test_planted_shifts_are_found() -> None:
    rng = np.random.default_rng(0)
    leaders = np.repeat([3, 0, 5, 2], [400, 100, 300, 200])
    L = rng.random((1000, 6)) * 0.5 + 0.5
    L[np.arange(1000), leaders] -= 0.5
    found = regret.shifting_regret(L, np.full(1000, 0.6), 4)
    assert [(s.first, s.end, s.expert) for s in found.partitions[3]] == [
        (0, 400, 3),
        (400, 500, 0),
        (500, 800, 5),
        (800, 1000, 2),
    ]
    assert found.losses[3] == pytest.approx(L[np.arange(1000), leaders].sum(), rel=1e-12)


def test_of_equals_it_is_the_smallest_expert_and_then_no_shift() -> None:
    L = np.tile([[0.5, 0.25, 0.25, 0.25]], (6, 1))
    L[3:] = [0.0, 0.25, 0.0, 0.0]
    found = regret.shifting_regret(L, np.full(6, 0.5), 4)
    ways = [[(s.first, s.end, s.expert) for s in each] for each in found.partitions]
    assert ways == [[(0, 6, 2)], *[[(0, 3, 1), (3, 6, 0)]] * 3]


@pytest.mark.slow
def test_a_million_rounds() -> None:
    """Linear in rounds: a million by ten experts take seconds where Python would take minutes."""
    rng = np.random.default_rng(1)
    L, p = rng.random((1_000_000, 10)), rng.random(1_000_000)
    began = time.process_time()
    intervals = regret.interval_regret(L, p, lengths=[2**k for k in range(20)])
    shifting = regret.shifting_regret(L, p, 10)
    assert time.process_time() - began < 30.0
    assert (np.diff(shifting.regrets) >= 0.0).all()
    for s in shifting.partitions[9]:
        assert (p[s.first : s.end] - L[s.first : s.end, s.expert]).sum() <= intervals.regrets.max() + 1e-6 * len(p)
    best = regret.expert_regret(L, p)
    assert shifting.regrets[0] == pytest.approx(best.regret, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regret.interval_regret([[0.5]], [1.0], lengths=[2]), "a length is `2`, expected 1 to 1"),
        (lambda: regret.interval_regret([[0.5]], [1.0], lengths=[0]), "a length is `0`, expected 1 to 1"),
        (lambda: regret.interval_regret([[0.5]], [1.0], lengths=[0.5]), "lengths is `\\[0.5\\]`, expected whole"),
        (lambda: regret.shifting_regret([[0.5]], [1.0], 0), "segments is `0`, expected a whole number, 1 or more"),
        (lambda: regret.shifting_regret([[0.5]], [1.0], 1.5), "segments is `1.5`, expected a whole number"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_argument_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
