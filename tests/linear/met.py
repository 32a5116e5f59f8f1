"""What a learner met and did on a few rows of squared loss, computed anew for its bound.

Its weights are asked for before each row, and the best u has a closed form.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from afterwit.registry import fresh

Array = np.ndarray[Any, np.dtype[np.float64]]
ROWS = 60


def rows(seed: int = 0) -> tuple[Array, Array, Array]:
    """Values that a float holds, of sizes so different that no coordinate stands for another, and weights up to 3."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(ROWS, 3)) * 64.0) / 64.0 * [1.0, 4.0, 0.25]
    return X, X @ [1.0, -0.5, 2.0] + 3.0 + rng.normal(size=ROWS), rng.choice([0.0, 0.5, 1.0, 3.0], ROWS)


class Played:
    """What a copy of the learner did: its weights W before and after every round, its gradients g, its losses."""

    def __init__(self, model: Any, X: Array, y: Array, h: Array) -> None:
        self.A, model = np.column_stack([X, np.ones(len(X))]), fresh(model)
        W, p = [np.zeros(4)], []
        for x, label, weight in zip(X, y, h, strict=True):
            p.append(model.predict_one(x))
            model.learn_one(x, label, weight)
            W.append(np.array(list(model.coef(["0", "1", "2", "(intercept)"]).values())))
        self.W, self.g = np.array(W), (h * 2.0 * (np.array(p) - y))[:, None] * self.A
        self.loss, self.T = float(h @ (np.array(p) - y) ** 2), np.count_nonzero(h)
        self.G = float(np.linalg.norm(self.g, axis=1).max())
        A = np.sqrt(h)[:, None] * self.A
        sizes = np.linalg.norm(A, axis=0)  # of equals, the u that hindsight takes is the smallest in these units
        self.u = np.linalg.lstsq(A / sizes, np.sqrt(h) * y)[0] / sizes
