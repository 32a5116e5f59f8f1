"""The regrets by their definitions, every case tried, in exact fractions of what was given."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

Array = npt.NDArray[np.float64]
Game = tuple[Array, Array, Array | None]


@st.composite
def games(draw: st.DrawFn, rounds: int = 7, experts: int = 3) -> Game:
    """Losses, player and confidence: eighths, so that ties are common and sums exact; some NaN, some zero rounds."""
    T, N = draw(st.integers(0, rounds)), draw(st.integers(1, experts))
    eighths = st.integers(-2, 8).map(lambda k: k / 8)
    cell = st.one_of(eighths, st.just(np.nan)) if draw(st.booleans()) else eighths
    L = np.array(draw(st.lists(cell, min_size=T * N, max_size=T * N)), dtype=np.float64).reshape(T, N)
    p = np.array(draw(st.lists(eighths, min_size=T, max_size=T)), dtype=np.float64)
    if not draw(st.booleans()):
        return L, p, None
    I = draw(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=T * N, max_size=T * N))
    return L, p, np.array(I, dtype=np.float64).reshape(T, N)


def regrets(L: Array, p: Array, confidence: Array | None) -> Array:
    """r_{t,i}, cell by cell."""
    r = np.zeros(L.shape)
    for t, i in np.ndindex(*L.shape):
        if not np.isnan(L[t, i]):
            r[t, i] = (1.0 if confidence is None else confidence[t, i]) * (p[t] - L[t, i])
    return r


def worst_interval(r: Array, length: int) -> float:
    T, N = r.shape
    return max(sum(r[t, i] for t in range(s, s + length)) for s in range(T - length + 1) for i in range(N))


def best_partition(r: Array, K: int) -> float:
    """Over all i_1 .. i_K and 0 = t_0 < t_1 < ... < t_K = T, as Luo 2016, section 2.3.3 writes it."""
    T, N = r.shape
    best = -np.inf
    for cuts in combinations(range(1, T), K - 1):
        ends = [0, *cuts, T]
        for experts in product(range(N), repeat=K):
            best = max(best, sum(r[a:b, i].sum() for a, b, i in zip(ends, ends[1:], experts, strict=False)))
    return float(best)
