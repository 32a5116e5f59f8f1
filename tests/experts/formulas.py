"""The players of Luo 2016, chapter 2, each in a few lines of NumPy: the weights of every round, from losses in [0, 1].

Where there are confidences I, p is proportional to q I w, and r = I (p.l - l); a round in which nobody is awake is none
(errata 22).
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
            # Not P[t] @ l: equal losses are to leave no residue, where a rule is indifferent to its size (errata 23).
            learn(rated * ((p * l).sum() / p.sum() - l), l, rated)
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
        # exp(a) - exp(b), written so that it neither overflows nor cancels (errata 25).
        a, b = np.maximum(R + 1, 0) ** 2 / (3 * (C + 1)), np.maximum(R - 1, 0) ** 2 / (3 * (C + 1))
        return np.asarray(np.exp(b - b.max()) * np.expm1(a - b))

    def learn(r: Array, l: Array, I: Array) -> None:
        R[:] += r
        C[:] += np.abs(r) if d == 1 else I > 0.0

    return game(losses, weigh, learn, q, I)


def survivors(t: int) -> list[int]:
    """S_t of errata 33: tau = r 2^k, r odd, is in it for t = tau, ..., tau + 2^(k+2)."""
    return [tau for tau in range(1, t + 1) if t <= tau + 4 * (tau & -tau)]


def normal_hedge_tv(losses: Array, exact: bool) -> Array:
    """Luo 2016, section 2.3.3, over all births or over those that survive."""
    N = losses.shape[1]
    R, C = np.zeros((len(losses) + 1, N)), np.zeros((len(losses) + 1, N))
    P = np.zeros(losses.shape)
    S: list[int] = []
    for t, l in enumerate(losses, start=1):
        S = [*(tau for tau in S if exact or t <= tau + 4 * (tau & -tau)), t]
        r, c = R[S], C[S]
        a, b = np.maximum(r + 1, 0) ** 2 / (3 * (c + 1)), np.maximum(r - 1, 0) ** 2 / (3 * (c + 1))
        p = (np.array(S, dtype=float)[:, None] ** -2 * np.exp(b) * np.expm1(a - b)).sum(axis=0)
        P[t - 1] = p / p.sum()
        gained = P[t - 1] @ l - l
        R[S] += gained
        C[S] += np.abs(gained)
    return P


def two_norm(losses: Array) -> Array:
    """Table 2.1, 2-norm."""
    s = np.zeros(losses.shape[1])

    def learn(r: Array, l: Array, I: Array) -> None:
        s[:] -= r

    return game(losses, lambda t: np.minimum(s - 1, 0) ** 2 - np.minimum(s + 1, 0) ** 2, learn)


def normal_hedge(losses: Array) -> Array:
    """Table 2.1, NormalHedge, with c by plain bisection (errata 23)."""
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


def adapt_ml_prod(losses: Array, I: Array | None = None) -> Array:
    """Errata 29, with the weights as they are printed."""
    K = losses.shape[1]
    logs, w, V = math.log(max(K, 2)), np.full(K, 1.0 / K), np.zeros(K)

    def eta() -> Array:
        return np.minimum(0.5, np.sqrt(logs / (1.0 + V)))

    def learn(r: Array, l: Array, I: Array) -> None:
        before = eta()
        V[:] += r**2
        w[:] = (w * (1.0 + before * r)) ** (eta() / before)

    return game(losses, lambda t: eta() * w, learn, I=I)


def boa(losses: Array, I: Array | None = None) -> Array:
    """Wintenberger 2017 with a rate per expert, for the range 1."""
    K = losses.shape[1]
    logs, M, V = math.log(max(K, 2)), np.zeros(K), np.zeros(K)

    def eta() -> Array:
        return np.minimum(0.5, np.sqrt(logs / np.maximum(V, 1e-300)))

    def learn(r: Array, l: Array, I: Array) -> None:
        M[:] += r - eta() * r**2
        V[:] += r**2

    return game(losses, lambda t: eta() * np.exp(eta() * M), learn, I=I)


def ml_pol(losses: Array, I: Array | None = None) -> Array:
    """Gaillard et al. 2014, ML-Poly."""
    R, V = np.zeros(losses.shape[1]), np.zeros(losses.shape[1])

    def learn(r: Array, l: Array, I: Array) -> None:
        R[:] += r
        V[:] += r**2

    return game(losses, lambda t: np.maximum(R, 0.0) / (1.0 + V), learn, I=I)


def fixed_share(losses: Array, rate: float | None = None, share: float = 0.0) -> Array:
    """Errata 30, at given rates or tuned as it goes."""
    N = losses.shape[1]
    p = np.full(N, 1.0 / N)
    P = np.zeros(losses.shape)
    for t, l in enumerate(losses, start=1):
        P[t - 1] = p
        eta = math.sqrt(math.log(N * (t + 1)) / (t + 1)) if rate is None else rate
        alpha = 1.0 / (t + 1) if rate is None else share
        v = p * np.exp(-eta * (l - l.min()))
        p = (1.0 - alpha) * v / v.sum() + alpha / N
    return P
