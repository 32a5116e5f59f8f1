"""The same loops compiled by Numba: one pass for the weights and the loss, one for the update, no array is made."""

from __future__ import annotations

import math
from functools import partial

import numba
import numpy as np
import numpy.typing as npt

from benchmarks.sides.experts_rows import play

Array = npt.NDArray[np.float64]


@numba.njit(cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
def hedge(losses: Array) -> float:
    """EXP tuned for all rounds."""
    T, N = losses.shape
    eta, total, least = math.sqrt(2.0 * math.log(N) / T), 0.0, 0.0
    L = np.zeros(N)
    for t in range(T):
        l = losses[t]
        weight, loss, next_least = 0.0, 0.0, np.inf
        for i in range(N):
            w = math.exp(-eta * (L[i] - least))
            weight += w
            loss += w * l[i]
            L[i] += l[i]
            next_least = min(next_least, L[i])
        least = next_least
        total += loss / weight
    return total


@numba.njit(cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
def normal(losses: Array, ada: bool) -> float:
    """AdaNormalHedge, or NormalHedge.DT; no exponential where the weight is 0, one where R <= 1."""
    T, N = losses.shape
    total = 0.0
    R, C, w = np.zeros(N), np.zeros(N), np.zeros(N)
    for t in range(T):
        l = losses[t]
        weight, loss = 0.0, 0.0
        for i in range(N):
            w[i] = 0.0
            if R[i] > -1.0:
                third = 1.0 / (3.0 * (C[i] + 1.0))
                up, down = R[i] + 1.0, R[i] - 1.0
                w[i] = math.exp(up * up * third) - (math.exp(down * down * third) if down > 0.0 else 1.0)
                weight += w[i]
                loss += w[i] * l[i]
        loss /= weight
        total += loss
        for i in range(N):
            r = loss - l[i]
            R[i] += r
            C[i] += abs(r) if ada else 1.0
    return total


if __name__ == "__main__":
    play({"hedge": hedge, "ada-normal-hedge": partial(normal, ada=True), "normal-hedge-dt": partial(normal, ada=False)})
