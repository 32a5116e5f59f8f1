"""The best pruning: it is the best of all that there are."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest

from afterwit.regret import best_graph_pruning, best_pruning, tree_experts


def every_pruning(tails: list[int], heads: list[int]) -> list[list[int]]:
    """The edges that leave each set of inner nodes that has with a node all from which an edge leads there."""
    inner = sorted(set(tails) - {-1})
    sets = chain.from_iterable(combinations(inner, k) for k in range(len(inner) + 1))
    closed = [
        {-1, *each} for each in sets if all(u in {-1, *each} for u, v in zip(tails, heads, strict=True) if v in each)
    ]
    return [
        [e for e, (u, v) in enumerate(zip(tails, heads, strict=True)) if u in each and v not in each] for each in closed
    ]


def graph(rng: np.random.Generator, edges: int, *, shares: bool) -> tuple[list[int], list[int]]:
    tails, heads, room = [-1], [0], [2]
    while len(tails) < edges:
        u = int(rng.choice([i for i, left in enumerate(room) if left]))
        later = list(range(u + 1, len(room))) if shares else []
        new = not later or rng.random() < 0.5
        v = len(room) if new else int(rng.choice(later))
        if new:
            room.append(2)
        room[u] -= 1
        tails.append(u)
        heads.append(v)
    return tails, heads


@pytest.mark.parametrize("shares", [False, True], ids=["tree", "graph"])
def test_it_is_the_best_of_all(shares: bool) -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        tails, heads = graph(rng, 1 + seed % 14, shares=shares)
        losses = np.round(rng.gamma(0.5, 2.0, len(tails)), 1)  # with ties and zeros
        sums = [(losses[leaves].sum(), len(leaves)) for leaves in every_pruning(tails, heads)]
        found = best_graph_pruning(losses, tails, heads)
        assert found.loss == pytest.approx(min(sums)[0], abs=1e-12)
        assert found.loss == pytest.approx(losses[list(found.leaves)].sum(), abs=1e-12)
        assert list(found.leaves) in every_pruning(tails, heads)
        if not shares:
            tree = best_pruning(losses, [heads.index(u) if u >= 0 else -1 for u in tails])
            assert tree.loss == pytest.approx(min(sums)[0], abs=1e-12)
            least = [leaves for loss, leaves in sums if loss <= min(sums)[0] + 1e-12]
            assert len(tree.leaves) == min(least)


def test_a_long_chain() -> None:
    """Every step is a little better than all before it; no recursion."""
    n = 5000
    losses = np.arange(n, 0, -1.0)
    assert best_pruning(losses, np.arange(-1, n - 1)).leaves == (n - 1,)
    assert best_graph_pruning(losses, np.arange(-1, n - 1), np.arange(n)).leaves == (n - 1,)


def test_nothing_seen() -> None:
    assert best_pruning([], []).loss == best_graph_pruning([], [], []).loss == 0.0
    assert tree_experts([], ()) == 0.0
    assert tree_experts([3.0], (0,), unit=0.0, first=None, unlearned=0.0) == 0.0


def test_the_bound_is_the_one_over_subsets() -> None:
    """With a unit that was known from the beginning: m times the regret to the uniform mixture of the leaves."""
    from afterwit.regret import ada_normal_hedge_subset

    C, u = np.array([3.0, 0.0, 7.0, 2.0, 5.0]), np.array([0.0, 0.0, 0.5, 0.0, 0.5])
    assert tree_experts(C, (2, 4)) == pytest.approx(2.0 * ada_normal_hedge_subset(u, C))
    assert tree_experts(10.0 * C, (2, 4), unit=10.0) == pytest.approx(20.0 * ada_normal_hedge_subset(u, C))
    assert tree_experts(C, (2, 4), first=0.01) > tree_experts(C, (2, 4))
    assert tree_experts(C, (2, 4), unlearned=1.5) == tree_experts(C, (2, 4)) + 1.5


@pytest.mark.parametrize(
    ("call", "arguments", "words"),
    [
        (best_pruning, ([1.0, 2.0], [-1, 1]), "an earlier edge"),
        (best_pruning, ([1.0, 2.0], [0, 0]), "-1 for edge 0"),
        (best_pruning, ([1.0, 2.0], [-1]), "one for each edge"),
        (best_pruning, ([1.0, -2.0], [-1, 0]), "losses"),
        (best_graph_pruning, ([1.0, 2.0], [-1, 0], [1, 0]), "edge 0 must lead"),
        (best_graph_pruning, ([1.0, 2.0], [-1, 0.5], [0, 1]), "whole numbers"),
        (tree_experts, ([1.0, -2.0], (0,)), "C"),
    ],
)
def test_wrong_arguments(call: Any, arguments: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call(*arguments)
