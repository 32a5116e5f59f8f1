"""Points of convex domains in NumPy: slow projections, descent and leaders as they are printed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Project = Callable[[Array], Array]


def everywhere(w: Array) -> Array:
    """All of R^d."""
    return w


def ball(radius: float) -> Project:
    return lambda w: w if math.hypot(*w) <= radius else w * (radius / math.hypot(*w))


def box(low: float, high: float) -> Project:
    return lambda w: np.clip(w, low, high)


def simplex(w: Array) -> Array:
    """With a sort: theta by the largest k for which w_(k) is still above it."""
    down = np.sort(w)[::-1]
    theta = (np.cumsum(down) - 1.0) / np.arange(1, len(w) + 1)
    return np.maximum(w - theta[np.flatnonzero(down > theta).max()], 0.0)


def greedy(V: Array, project: Project, step: Callable[[int], float], c: float = 0.0) -> Array:
    """w_{t+1} = Pi(w_t - eta_t g_t)."""
    w, played = project(np.zeros(V.shape[1])), np.zeros(V.shape)
    for t, v in enumerate(V, start=1):
        played[t - 1] = w
        w = project(w - step(t) * (v + c * w))
    return played


def lazy(V: Array, project: Project, rate: Callable[[int], float], c: float = 0.0, optimistic: bool = False) -> Array:
    """w_t = Pi(-eta_t (sum of g_s - c w_s, s < t)/(1 + eta_t c (t - 1))), and one more g_{t-1} of who hopes."""
    G, played = np.zeros(V.shape), np.zeros(V.shape)
    for t in range(1, len(V) + 1):
        L = (G[: t - 1] - c * played[: t - 1]).sum(axis=0) + (G[t - 2] if optimistic and t > 1 else 0.0)
        played[t - 1] = project(-rate(t) * L / (1.0 + rate(t) * c * (t - 1)))
        G[t - 1] = V[t - 1] + c * played[t - 1]
    return played


def leader(V: Array, project: Project, c: float) -> Array:
    """The least of the sum of (c/2) |w - z|^2, z = -v/c: their mean, in the domain."""
    means = np.cumsum(-V / c, axis=0) / np.arange(1, len(V) + 1)[:, None]
    return np.array([project(z) for z in np.vstack([np.zeros(V.shape[1]), means])[:-1]])


def exponential(V: Array, rate: Callable[[int], float], optimistic: bool = False) -> Array:
    """w_t proportional to exp(-eta_t L_{t-1})."""
    played, L = np.zeros(V.shape), np.zeros(V.shape[1])
    for t, v in enumerate(V, start=1):
        S = L + (V[t - 2] if optimistic and t > 1 else 0.0)
        w = np.exp(-rate(t) * (S - S.min()))
        played[t - 1] = w / w.sum()
        L = L + v
    return played
