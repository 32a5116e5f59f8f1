"""The players of 004 chapter 2, each in a few lines of NumPy: the weights of every round, from losses in [0, 1].

Where there are confidences I, p is proportional to q I w, and r = I (p.l - l); a round in which nobody is awake is none
(ERRATA E40).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Weigh = Callable[[int], Array]
Learn = Callable[[Array, Array], None]


def game(losses: Array, weigh: Weigh, learn: Learn, q: Array | None = None, I: Array | None = None) -> Array:
    """All rounds: `weigh(t)` gives w, `learn(r, l, I)` gets the regrets and losses."""
    T, N = losses.shape
    q = np.ones(N) if q is None else q
    P = np.zeros((T, N))
    for t in range(T):
        rated = np.where(np.isnan(losses[t]), 0.0, 1.0) if I is None else I[t]
        l = np.where(rated > 0.0, losses[t], 0.0)
        p = q * rated * weigh(t)
        if not p.any():
            p = q * rated
        if p.any():
            P[t] = p / p.sum()
            learn(rated * (P[t] @ l - l), l, rated)
    return P


def hedge(losses: Array, rate: float) -> Array:
    """EXP at any rate."""
    L = np.zeros(losses.shape[1])

    def learn(r: Array, l: Array, I: Array) -> None:
        L[:] += l

    return game(losses, lambda t: np.exp(-rate * (L - L.min())), learn)


def doubled_hedge(losses: Array, eps: float) -> Array:
    """EXP restarted in epochs of 2, 4, 8, ... rounds."""
    P, start, length = [], 0, 2
    while start < len(losses):
        P.append(hedge(losses[start : start + length], math.sqrt(2.0 * math.log(1.0 / eps) / length)))
        start, length = start + length, 2 * length
    return np.concatenate(P)


def normal_hedge_of(d: int, losses: Array, q: Array | None = None, I: Array | None = None) -> Array:
    """Algorithm 6 with C the sum of |r|^d; d = 1 is AdaNormalHedge, d = 0 NormalHedge.DT."""
    R, C = np.zeros(losses.shape[1]), np.zeros(losses.shape[1])

    def weigh(t: int) -> Array:
        # exp(a) - exp(b), written so that it neither overflows nor cancels (ERRATA E42).
        a, b = np.maximum(R + 1, 0) ** 2 / (3 * (C + 1)), np.maximum(R - 1, 0) ** 2 / (3 * (C + 1))
        return np.asarray(np.exp(b - b.max()) * np.expm1(a - b))

    def learn(r: Array, l: Array, I: Array) -> None:
        R[:] += r
        C[:] += np.abs(r) if d == 1 else I > 0.0

    return game(losses, weigh, learn, q, I)


def two_norm(losses: Array) -> Array:
    """Table 2.1, 2-norm."""
    s = np.zeros(losses.shape[1])

    def learn(r: Array, l: Array, I: Array) -> None:
        s[:] -= r

    return game(losses, lambda t: np.minimum(s - 1, 0) ** 2 - np.minimum(s + 1, 0) ** 2, learn)


def normal_hedge(losses: Array) -> Array:
    """Table 2.1, NormalHedge, with c by plain bisection (ERRATA E41)."""
    N = losses.shape[1]
    R = np.zeros(N)

    def weigh(t: int) -> Array:
        x = np.maximum(R, 0.0)
        if not x.any():
            return np.ones(N)
        low, high = (x**2).max() / (1.0 + math.log(N)), (x**2).max()
        x2 = x**2
        for _ in range(52):  # the two ends are less than a factor of 16 apart
            c = (low + high) / 2.0
            low, high = (c, high) if np.exp(x2 / c).sum() > N * math.e else (low, c)
        return np.asarray(x * np.exp(x2 / high))

    def learn(r: Array, l: Array, I: Array) -> None:
        R[:] += r

    return game(losses, weigh, learn)


def halving(losses: Array) -> Array:
    """The experts that have never erred."""
    right = np.vstack([np.ones(losses.shape[1]), np.cumprod(losses == 0.0, axis=0)[:-1]])
    return np.asarray(right / right.sum(axis=1, keepdims=True))
