"""Slopes of every kind, by name: rounds x coordinates, with ties, zeros, one coordinate alone, huge and tiny ones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
RNG = np.random.default_rng(7)
ROUNDS = 400


def _switching() -> Array:
    V = RNG.normal(size=(ROUNDS, 5))
    V[: ROUNDS // 2, 0] -= 1.0
    V[ROUNDS // 2 :, 0] += 2.0
    return V


GAMES: dict[str, Array] = {
    "random": RNG.normal(size=(ROUNDS, 10)),
    "signs": np.sign(RNG.normal(size=(ROUNDS, 17))),
    "ties": np.round(4.0 * RNG.random((ROUNDS, 6))) / 4.0,
    "pairs that are alike": np.repeat(RNG.random((ROUNDS, 4)), 2, axis=1),
    "one coordinate": RNG.normal(size=(ROUNDS, 1)),
    "one round": RNG.normal(size=(1, 4)),
    "no slope at all": np.zeros((ROUNDS, 3)),
    "all alike": np.ones((ROUNDS, 3)),
    "one is steep": np.column_stack([np.full(ROUNDS, -5.0), RNG.random((ROUNDS, 20))]),
    "switch at half": _switching(),
    "alternating": np.column_stack([(-1.0) ** np.arange(ROUNDS), -((-1.0) ** np.arange(ROUNDS))]),
    "huge": 1e12 * RNG.normal(size=(ROUNDS, 4)),
    "tiny": 1e-12 * RNG.normal(size=(ROUNDS, 4)),
    "100 coordinates": RNG.normal(size=(200, 100)) ** 3,
}
