"""What the checks of theorems about players share; each takes the class, so that a broken one can be fed to it.

A player knows its experts from the beginning. Regrets are computed from the losses that its `run` returned and from
those of the experts; SLACK is for rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from afterwit import regret
from tests.adversaries import Array
from tests.experts.games import confidences
from tests.experts.specimen import Make, Theorem

SLACK = 1e-9
SEGMENTS = 6


class BoundBroken(AssertionError):
    """A theorem's inequality does not hold."""


def hold(measured: float, bound: float, rounds: int) -> float:
    """How near it comes: measured over bound."""
    if measured > bound * (1.0 + SLACK) + SLACK:
        raise BoundBroken(f"after {rounds} rounds: {measured:.6g} is more than the bound {bound:.6g}")
    return measured / bound if bound > 0.0 else 0.0


def horizons(rounds: int) -> Iterator[int]:
    """1, 10, 100, ... rounds and all."""
    yield from (10**k for k in range(7) if 10**k < rounds)
    yield rounds


def eps_regrets(loss: Array, losses: Array, rounds: int) -> Array:
    """The regret to the best expert, to the second best, ..., in the first rounds."""
    return np.asarray(loss[:rounds].sum() - np.sort(losses[:rounds].sum(axis=0)))


def eps_regret(losses: Array, player: Any, bound: Callable[[int, float], float], at: Any = horizons) -> float:
    """A theorem about the eps-regret, for every eps = k/N and all horizons; the largest ratio at the last of them."""
    N = losses.shape[1]
    loss = player.run(losses).loss
    for rounds in at(len(losses)):
        measured = eps_regrets(loss, losses, rounds)
        ratios = [hold(float(measured[k]), bound(rounds, (k + 1) / N), rounds) for k in range(N)]
    return max(ratios)


def competitors(R: Array) -> Iterator[tuple[Array, bool]]:
    """Distributions u, and whether they are uniform over some experts: each expert, the k best, and some at random."""
    N, rng = len(R), np.random.default_rng(11)
    order = np.argsort(-R)
    for k in range(1, N + 1):
        u = np.zeros(N)
        u[order[:k]] = 1.0 / k
        yield u, True
        yield np.eye(N)[k - 1], True
    for _ in range(20):
        yield rng.dirichlet(np.full(N, 0.3)), False
    positive = np.maximum(R, 0.0)
    if positive.any():
        yield positive / positive.sum(), False


def second_order(bound: Callable[[Array, Array, int], float]) -> dict[str, Theorem]:
    """A bound by the squared regrets V of the experts and the rounds, with confidences too."""
    return {
        "": Theorem(partial(_second_order, bound=bound)),
        "rated": Theorem(lambda losses, make: _second_order(losses, make, bound, confidences(losses))),
    }


def _second_order(
    losses: Array, make: Make, bound: Callable[[Array, Array, int], float], I: Array | None = None
) -> float:
    """For each expert and for mixtures of them, at all horizons; the largest ratio."""
    loss = make(experts=losses.shape[1]).run(losses, I).loss
    r = (np.ones(losses.shape) if I is None else I) * (loss[:, None] - losses)
    nearest = 0.0
    for T in horizons(len(losses)):
        R, V = r[:T].sum(axis=0), (r[:T] ** 2).sum(axis=0)
        for u, _ in competitors(R):
            nearest = max(nearest, hold(float(u @ R), bound(u, V, T), T))
    return nearest


def intervals(losses: Array, loss: Array) -> Iterator[tuple[int, int, int, float]]:
    """Of every length that is a power of two, and of all rounds, the worst interval: first and last round, counted from
    1, expert and regret. Of a short game all intervals, each with its worst expert."""
    T = len(losses)
    if T > 150:
        lengths = sorted({*(2**k for k in range(T.bit_length())), T})
        found = regret.interval_regret(losses, loss, lengths=lengths)
        for length, worst, start, expert in zip(lengths, found.regrets, found.starts, found.experts, strict=True):
            yield int(start) + 1, int(start) + length, int(expert), float(worst)
        return
    sums = np.vstack([np.zeros(losses.shape[1]), np.cumsum(loss[:, None] - losses, axis=0)])
    for first in range(1, T + 1):
        for last in range(first, T + 1):
            R = sums[last] - sums[first - 1]
            yield first, last, int(np.argmax(R)), float(R.max())


def moving(losses: Array) -> Iterator[Array]:
    """Competitors u_t >= 0: random ones that jump now and then, also of any norm, and one that leaves."""
    T, N = losses.shape
    rng = np.random.default_rng(12)
    for some in (1, 3, 10):
        starts = np.sort(rng.integers(0, T, some))
        which = np.searchsorted(starts, np.arange(T), side="right")
        yield rng.dirichlet(np.full(N, 0.5), some + 1)[which]
        yield rng.exponential(size=(some + 1, N))[which]
    leaving = np.zeros((T, N))
    leaving[: T // 2, 0] = 3.0
    yield leaving
