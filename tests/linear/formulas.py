"""The linear learners as their sources have them, one row after the other in float64; slow, and sharing nothing.

Each takes the rows of a dense array and returns the predictions made before each row and the final weights.
A row of importance h = 0 is no round. docs/sources.md has the sources, docs/errata.md the normalised AdaGrad.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tests.losses import specimen

Array = npt.NDArray[np.float64]


def value(loss: str, p: Array, y: Array) -> Array:
    """The loss of predicting p."""
    return specimen.value(loss, p, y)


def derivative(loss: str, p: Array, y: Array) -> Array:
    """Its derivative in p; 0 at a kink."""
    return specimen.derivative(loss, p, y)


def perceptron(X: Array, y: Array, h: Array) -> tuple[Array, Array]:
    """Sharan lecture 19, Algorithm 2; a zero margin is a mistake (errata 3)."""
    p, w = np.zeros(len(X)), np.zeros(X.shape[1])
    for t in range(len(X)):
        p[t] = w @ X[t]
        if y[t] * p[t] <= 0.0:
            w += h[t] * y[t] * X[t]
    return p, w


def gradient_descent(
    X: Array, y: Array, h: Array, loss: str, rate: float, radius: float = math.inf
) -> tuple[Array, Array]:
    """Cesa-Bianchi 2023, "Projected OGD"."""
    p, w, rounds = np.zeros(len(X)), np.zeros(X.shape[1]), 0
    for t in range(len(X)):
        p[t] = w @ X[t]
        if h[t] == 0.0:
            continue
        rounds += 1
        w = w - rate / math.sqrt(rounds) * h[t] * derivative(loss, p[t], y[t]) * X[t]
        w = w * min(1.0, radius / np.linalg.norm(w)) if w.any() else w
    return p, w


def pegasos(X: Array, y: Array, h: Array, loss: str, strength: float) -> tuple[Array, Array]:
    """Cesa-Bianchi 2023, "OGD with strongly convex losses", of h loss + (sigma/2)|w|^2."""
    p, w, rounds = np.zeros(len(X)), np.zeros(X.shape[1]), 0
    for t in range(len(X)):
        p[t] = w @ X[t]
        if h[t] == 0.0:
            continue
        rounds += 1
        gradient = h[t] * derivative(loss, p[t], y[t]) * X[t] + strength * w
        w = w - gradient / (strength * rounds)
    return p, w


def adagrad(X: Array, y: Array, h: Array, loss: str, rate: float) -> tuple[Array, Array]:
    """w_i -= rate g_i / sqrt(sum of all g_i^2 so far)."""
    p, w, squares = np.zeros(len(X)), np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t in range(len(X)):
        p[t] = w @ X[t]
        g = h[t] * derivative(loss, p[t], y[t]) * X[t]
        squares += g * g
        moved = g != 0.0
        w[moved] -= rate * g[moved] / np.sqrt(squares[moved])
    return p, w


def normalized_adagrad(X: Array, y: Array, h: Array, loss: str, rate: float) -> tuple[Array, Array]:
    """Errata 11. Squared loss clips to the range of 0 and the labels; a label widens it after its prediction."""
    n = X.shape[1]
    p, w, G, s = np.zeros(len(X)), np.zeros(n), np.zeros(n), np.zeros(n)
    W = N = low = high = 0.0
    clip = specimen.of(loss)[0].clip
    for t in range(len(X)):
        total = w @ X[t]
        p[t] = np.clip(total, *clip(low, high))
        if h[t] == 0.0:
            continue
        low, high = min(low, y[t]), max(high, y[t])
        at = float(np.clip(total, *clip(low, high)))
        g = float(derivative(loss, np.float64(at), y[t]))
        if g == 0.0:
            continue
        i = np.flatnonzero(X[t])
        x = X[t, i]
        G[i] += h[t] * g * g * x * x
        larger = np.maximum(s[i], np.abs(x))
        w[i] *= s[i] / larger
        s[i] = larger
        N += h[t] * float(((x / larger) ** 2).sum())
        W += h[t]
        rho = 1.0 / (larger * np.sqrt(G[i]))
        mu = math.sqrt(W / N) if N > 0.0 else 0.0
        a = mu * float((x * x * rho).sum())
        if a > 0.0:
            w[i] += mu * invariant_step(loss, at, y[t], rate * h[t], a) * x * rho
    return p, w


def invariant_step(loss: str, p: float, y: float, step: float, a: float) -> float:
    """The u of errata 11: p moves to p + a u, as by infinitely many gradient steps of total size `step`."""
    return specimen.invariant(loss, p, y, step, a)


def many_small_steps(loss: str, p: float, y: float, step: float, a: float, steps: int = 5000) -> float:
    """What `invariant_step` is the limit of."""
    q = p
    for _ in range(steps):
        q -= a * step / steps * float(derivative(loss, np.float64(q), np.float64(y)))
    return (q - p) / a


def sparse_rows(rounds: int, features: int, seed: int) -> tuple[Array, Array, Array]:
    """Random sparse rows of 32-bit values, labels that depend on them, weights from 0 to 4."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, features)) * (rng.random((rounds, features)) < 0.2)
    X = X.astype(np.float32).astype(np.float64)
    y = np.where(X @ rng.normal(size=features) + 0.5 * rng.normal(size=rounds) >= 0.0, 1.0, -1.0)
    return X, y, rng.choice([0.0, 0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 4.0], size=rounds)


def blocks(rounds: int, size: int) -> Iterator[slice]:
    """[0, size), [size, 2 size), ... up to `rounds`."""
    return (slice(first, min(first + size, rounds)) for first in range(0, rounds, size))
