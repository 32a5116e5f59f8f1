"""Points that are hard for a perceptron, and points with a known margin."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def alternating(n: int) -> tuple[Array, Array]:
    """Dataset (2) of Hanashiro, Abernethy 2020: r = sqrt(n), margin sqrt(3/(4^n - 1))."""
    X, i = np.zeros((n, n)), np.arange(1, n + 1)
    for k in i:
        X[k - 1, :k] = (-1.0) ** k
        X[k - 1, k - 1] = (-1.0) ** (k + 1)
    return X, (-1.0) ** (i + 1)


def with_margin(n: int, d: int, margin: float, seed: int = 0) -> tuple[Array, Array, Array]:
    """Points in the unit ball, their labels, and a w of length 1 whose margins are at least this."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    X = rng.normal(size=(n, d))
    X -= np.outer(X @ w, w)
    X /= 1.1 * np.linalg.norm(X, axis=1)[:, None]
    y = rng.choice([-1.0, 1.0], n)
    return X + np.outer(y * (margin + 0.01 * rng.random(n)), w), y, w
