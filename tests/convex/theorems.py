"""What the checks of theorems about points share; each takes the class, so that a broken one can be fed to it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.convex.formulas import Array
from tests.experts.theorems import BoundBroken, hold, horizons

__all__ = ["BoundBroken", "gradients", "hold", "horizons", "in_ball", "regret_of", "slopes"]

RADIUS = 1.5
#: (domain, slopes, curvature, best point) for a bound.
Bounded = Callable[[int], float]


def slopes(losses: Array) -> Array:
    """In the unit ball: the losses from -1 to 1, over the root of how many there are; |v| = 1 where all are 0 or 1."""
    return (2.0 * losses - 1.0) / math.sqrt(losses.shape[1])


def regret_of(player: Any, V: Array, c: float, bound: Bounded) -> float:
    """At all horizons the regret to the best point for them is at most bound(T); the largest ratio at the last."""
    loss = player.run(V, c).loss
    ratio = 0.0
    for T in horizons(len(V)):
        u = player.domain.best(V[:T].sum(axis=0), c * T)
        ratio = hold(float((loss[:T] - V[:T] @ u - 0.5 * c * u @ u).sum()), bound(T), T)
    return ratio


def in_ball(V: Array, radius: float = RADIUS) -> float:
    """The loss of the best point of a ball on linear losses."""
    return -radius * float(np.linalg.norm(V.sum(axis=0)))


def gradients(player: Any, slope: Callable[[Array, int], Array], rounds: int) -> Array:
    """Plays losses that are known by their gradients; the points that were played."""
    points = []
    for t in range(rounds):
        w = player.play()
        points.append(w)
        player.update(slope(w, t))
    return np.array(points)


def regression(losses: Array) -> tuple[Array, Array]:
    """Rows |x| <= 1 and labels |y| <= RADIUS, which one coordinate tells nearly."""
    X = slopes(losses)
    return X, np.clip(RADIUS * (0.9 * X[:, 0] * math.sqrt(X.shape[1]) + 0.1 * X[:, -1]), -RADIUS, RADIUS)
