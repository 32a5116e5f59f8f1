"""Sequences that are hard for a learner: named, seeded, and for each theorem one on which it is nearly tight.

Values are those of 32-bit floats, which is what learners store, so that a learner and a comparator see the same rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Rows X, labels y, and the comparator `planted` in them. `weight` None is one each."""

    X: Array
    y: Array
    planted: Array
    weight: Array | None = None

    def __len__(self) -> int:
        return len(self.X)


def of_floats(X: Array, y: Array, planted: Array) -> Rows:
    return Rows(X.astype(np.float32).astype(np.float64), y, planted)


def _unit(rng: np.random.Generator, rounds: int, features: int) -> Array:
    X = rng.normal(size=(rounds, features))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def separable(rounds: int, seed: int = 1, margin: float = 0.125) -> Rows:
    """Random directions, moved away from a random hyperplane until it separates them with this margin."""
    rng = np.random.default_rng(seed)
    u = _unit(rng, 1, 6)[0]
    X = _unit(rng, rounds, 6)
    y = np.where(X @ u >= 0.0, 1.0, -1.0)
    short = np.maximum(0.0, 1.001 * margin - y * (X @ u))
    return of_floats(X + (y * short)[:, None] * u, y, u)


def noisy(rounds: int, seed: int = 2) -> Rows:
    """Separable but for one label in five, which is wrong."""
    rows = separable(rounds, seed)
    flips = np.random.default_rng(seed + 100).random(rounds) < 0.2
    return Rows(rows.X, np.where(flips, -rows.y, rows.y), rows.planted)


def alternating(rounds: int, seed: int = 3) -> Rows:
    """The same row, +1 and -1 in turn; a second feature is always right, but small."""
    y = np.where(np.arange(rounds) % 2 == 0, 1.0, -1.0)
    return of_floats(np.column_stack([np.ones(rounds), 0.125 * y]), y, np.array([0.0, 8.0]))


def switch(rounds: int, seed: int = 4) -> Rows:
    """Separable, and from the middle on all labels are the opposite."""
    rows = separable(rounds, seed)
    return Rows(rows.X, np.where(np.arange(rounds) < rounds // 2, rows.y, -rows.y), rows.planted)


def one_hot(rounds: int, seed: int = 5) -> Rows:
    """One feature of twelve per row, rare ones too; each has a sign of its own, one label in ten is wrong."""
    rng = np.random.default_rng(seed)
    often = 0.7 ** np.arange(12)
    i = rng.choice(12, size=rounds, p=often / often.sum())
    signs = np.where(rng.random(12) < 0.5, -1.0, 1.0)
    y = signs[i] * np.where(rng.random(rounds) < 0.1, -1.0, 1.0)
    return of_floats(np.eye(12)[i], y, signs)


def drifting(rounds: int, seed: int = 6) -> Rows:
    """The separating direction makes one turn."""
    X = _unit(np.random.default_rng(seed), rounds, 2)
    angle = 2.0 * np.pi * np.arange(rounds) / rounds
    y = np.where(X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle) >= 0.0, 1.0, -1.0)
    return of_floats(X, y, np.array([1.0, 0.0]))


def scaled(rounds: int, seed: int = 7) -> Rows:
    """Features of sizes from 1/1000 to 1000; only the small ones matter."""
    rng = np.random.default_rng(seed)
    sizes = 10.0 ** np.arange(-3, 4)
    u = np.where(sizes < 1.0, 1.0 / sizes, 0.0)
    X = rng.normal(size=(rounds, 7)) * sizes
    return of_floats(X, np.where(X @ u >= 0.0, 1.0, -1.0), u)


#: Name -> sequence of any length, for every learner.
EVERY: dict[str, Callable[[int], Rows]] = {
    f.__name__: f for f in (separable, noisy, alternating, switch, one_hot, drifting, scaled)
}


def contrarian(prediction: float) -> float:
    """The label of an adversary that sees the prediction first: the learner is always wrong."""
    return -1.0 if prediction > 0.0 else 1.0


# The tight sequences.


def hover_then_run(rounds: int, push: int, run: int, far: float, target: float) -> Rows:
    """One feature, x = 1, labels +-`far` that no prediction reaches: |p - y| has slope +1 or -1, chosen freely.

    First `push` slopes +1 that take w away from `target`, then slopes -1 and +1 in turn, where each pair costs one step
    length whatever u is, and at the end `run` slopes -1, a run from there to the target. Both halves of the bound of
    descent with steps eta/sqrt(t) are attained: the hovering costs G^2 eta sqrt(T), and the run costs
    |target - w|^2 sqrt(T)/(2 eta), if it is just long enough: |target - w| sqrt(T)/(eta G) rounds.
    """
    slopes = np.where(np.arange(rounds) % 2 == push % 2, -1.0, 1.0)
    slopes[:push] = 1.0
    slopes[rounds - run :] = -1.0
    return of_floats(np.ones((rounds, 1)), -far * slopes, np.array([target]))


# Games of experts: losses in [0, 1], rounds x experts. The best expert, or one of them, is the first.


def one_good(rounds: int, experts: int = 10) -> Array:
    """The first never loses, the others always."""
    losses = np.ones((rounds, experts))
    losses[:, 0] = 0.0
    return losses


def alternating_halves(rounds: int, experts: int = 10) -> Array:
    """Even and odd experts lose in turn; the first is spared once."""
    losses = ((np.arange(rounds)[:, None] + np.arange(experts)) % 2).astype(np.float64)
    losses[rounds // 2, 0] = 0.0
    return losses


def switch_at_half(rounds: int, experts: int = 10) -> Array:
    """The second expert is good up to the middle, the first from then on, and better; the others guess."""
    losses = np.random.default_rng(8).random((rounds, experts)) * 0.5 + 0.5
    losses[: rounds // 2, 1] = 0.3
    losses[rounds // 2 :, 0] = 0.0
    return losses


def small_gaps(rounds: int, experts: int = 10) -> Array:
    """Coins; each expert's coin is a little worse than the one's before it."""
    chances = 0.5 + 0.002 * np.arange(experts)
    return (np.random.default_rng(9).random((rounds, experts)) < chances).astype(np.float64)


def fair_coins(rounds: int, experts: int = 10) -> Array:
    """The lower bound: no player loses less than half on average, the best expert loses sqrt(T ln N/2) less."""
    return np.random.default_rng(10).integers(0, 2, (rounds, experts)).astype(np.float64)


def hover_then_leave(rounds: int, experts: int = 10, share: float = 0.5) -> Array:
    """Even and odd experts lose in turn, which costs every player that moves; then the first loses nothing any more."""
    losses = alternating_halves(rounds, experts)
    losses[int(rounds * (1.0 - share)) :] = 1.0
    losses[int(rounds * (1.0 - share)) :, 0] = 0.0
    return losses


#: Name -> game of any length, for every player.
GAMES: dict[str, Callable[..., Array]] = {
    f.__name__: f for f in (one_good, alternating_halves, switch_at_half, small_gaps, fair_coins, hover_then_leave)
}
