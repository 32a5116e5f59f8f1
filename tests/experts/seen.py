"""Games for `regret_bound`, and what a formula must know of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.experts.formulas import Array

RANGE = (-2.0, 6.0)  # 8 wide
EPS = 0.3  # of five experts: the two best
MIXED = np.array([0.5, 0.1, 0.0, 0.15, 0.25])
PRIOR = np.array([3.0, 1.0, 0.5, 2.0, 1.0])
COMPETITORS = {"the best": None, "an expert": 2, "the best two": EPS, "a mixture": MIXED}


@dataclass(frozen=True)
class Seen:
    """The regrets of every round in units of the range, who was awake, and what is asked for."""

    r: Array
    awake: Array
    competitor: Any

    @property
    def T(self) -> int:
        return len(self.r)

    @property
    def N(self) -> int:
        return self.r.shape[1]

    @property
    def C(self) -> Array:
        return np.abs(self.r).sum(axis=0)

    @property
    def V(self) -> Array:
        return (self.r**2).sum(axis=0)

    @property
    def eps(self) -> float:
        return self.competitor if isinstance(self.competitor, float) else 1.0 / self.N

    @property
    def u(self) -> Array:
        if isinstance(self.competitor, np.ndarray):
            return self.competitor
        if isinstance(self.competitor, int):
            return np.eye(self.N)[self.competitor]
        count = math.ceil(self.N * self.eps - 1e-9)
        return np.isin(np.arange(self.N), np.argsort(-self.r.sum(axis=0))[:count]) / count


def losses_of(rounds: int, experts: int = 5, seed: int = 0) -> Array:
    """In [0, 1]; the second expert is good, the others take turns to be."""
    l = np.random.default_rng(seed).random((rounds, experts))
    l[:, 1] *= 0.6
    l[rounds // 2 :, 3] *= 0.3
    return l


def seen_by(player: Any, rounds: int, competitor: Any, I: Array | None = None) -> Seen:
    """Plays, in two runs."""
    low, high = player.loss_range
    l = low + (high - low) * losses_of(rounds)
    half = rounds // 2
    parts = [player.run(l[t], None if I is None else I[t]).loss for t in (slice(0, half), slice(half, None))]
    rated = np.ones(l.shape) if I is None else I
    r = rated * (np.concatenate(parts)[:, None] - l) / (high - low)
    return Seen(np.where(rated > 0.0, r, 0.0), rated > 0.0, competitor)
