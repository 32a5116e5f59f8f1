"""The players as a loop over rounds in NumPy, in place where that is faster."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import numpy.typing as npt

from benchmarks.sides.experts_rows import play

Array = npt.NDArray[np.float64]


def hedge(losses: Array) -> float:
    """EXP tuned for all rounds."""
    T, N = losses.shape
    eta, total = math.sqrt(2.0 * math.log(N) / T), 0.0
    L, w = np.zeros(N), np.empty(N)
    for l in losses:
        np.subtract(L, L.min(), out=w)
        w *= -eta
        np.exp(w, out=w)
        total += w.dot(l) / w.sum()
        L += l
    return total


def normal(losses: Array, ada: bool) -> float:
    """AdaNormalHedge, or NormalHedge.DT, where C is one number."""
    N = losses.shape[1]
    total, R = 0.0, np.zeros(N)
    C: Array | float = np.zeros(N) if ada else 0.0
    a, b = np.empty(N), np.empty(N)
    for l in losses:
        third = 3.0 * (C + 1.0)
        np.maximum(np.add(R, 1.0, out=a), 0.0, out=a)
        np.maximum(np.subtract(R, 1.0, out=b), 0.0, out=b)
        a *= a
        a /= third
        b *= b
        b /= third
        np.exp(a, out=a)
        np.exp(b, out=b)
        a -= b
        loss = a.dot(l) / a.sum()
        total += loss
        r = np.subtract(loss, l, out=b)
        R += r
        C += np.abs(r, out=r) if ada else 1.0
    return total


if __name__ == "__main__":
    play({"hedge": hedge, "ada-normal-hedge": partial(normal, ada=True), "normal-hedge-dt": partial(normal, ada=False)})
