"""Games in NumPy, for the formulas of players: the weights of every round, from losses in [0, 1].

Where there are confidences I, p is proportional to q I w, and r = I (p.l - l); a round in which nobody is awake is none
(errata 22).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Weigh = Callable[[int], Array]
Learn = Callable[[Array, Array, Array], None]


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


def difference(player: Any, losses: Array, P: Array, confidence: Array | None = None) -> float:
    """How far the weights are from the formula's, after a look at what no play may be."""
    history = player.run(losses, confidence, keep="weights")
    awake = np.isfinite(losses).any(axis=1) if confidence is None else P.any(axis=1)
    assert (history.weights >= 0.0).all()
    np.testing.assert_allclose(history.weights.sum(axis=1), awake.astype(float), rtol=0.0, atol=1e-12)
    l = np.where(np.isnan(losses), 0.0, losses)
    np.testing.assert_allclose(history.loss, (history.weights * l).sum(axis=1), rtol=0.0, atol=1e-12)
    rated = np.where(np.isnan(losses), 0.0, 1.0) if confidence is None else confidence * awake[:, None]
    np.testing.assert_allclose(history.total, (rated * l).sum(axis=0), rtol=1e-10, atol=1e-10)
    r = rated * (history.loss[:, None] - l)
    np.testing.assert_allclose(history.regret, r.sum(axis=0), rtol=1e-10, atol=1e-10)
    return float(np.abs(history.weights - P).max())
