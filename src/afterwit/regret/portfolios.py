"""The best constantly rebalanced portfolio in hindsight."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from afterwit.regret.combinations import Combination
from afterwit.regret.rounds import Array, matrix
from afterwit.regret.simplex import nearest_mixture


def best_rebalanced(relatives: npt.ArrayLike) -> Combination:
    """The w on the simplex that minimises -sum_t ln(w . x_t): the best portfolio that is rebalanced to w every round.

    `relatives` has a row x_t per round: for each stock, the price at its end over the price at its beginning. By
    Newton's method, whose steps are least squares over the simplex: with a_t = x_t/(w . x_t) the quadratic model of the
    loss at w' is sum_t (a_t . w' - 2)^2/2 and a constant. At the end T (max_i mean_t a_{t,i} - 1), which is never less
    than what is missing to the least loss, is at most 1e-9 T; otherwise `exact` is False. Cost: O(T N^2) per step.

    >>> found = best_rebalanced([[1.0, 2.0], [1.0, 0.5]] * 10)  # cash, and a stock that doubles and halves
    >>> found.weights.round(6), round(float(np.exp(-found.loss)) / 1.125**10, 6)
    (array([0.5, 0.5]), 1.0)
    """
    X = matrix("relatives", relatives)
    bad = ~((X >= 0.0) & (np.inf > X))
    if bad.any():
        t, i = (int(k) for k in np.argwhere(bad)[0])
        raise ValueError(f"relatives[{t}, {i}] is `{X[t, i]:g}`, expected a finite number, 0 or more")
    if X.shape[1] == 0:
        raise ValueError("relatives has no columns, expected one or more (one per stock)")
    if (X.max(axis=1, initial=0.0) == 0.0).any():
        t = int(np.argmin(X.max(axis=1)))
        raise ValueError(f"relatives[{t}] is 0 for every stock, which ruins every portfolio; expected one above 0")
    w = np.full(X.shape[1], 1.0 / X.shape[1])
    gap = _gap(X, w)
    for _ in range(100):
        if gap <= 1e-9:
            break
        w, step = _step(X, w)
        gap = _gap(X, w)
        if step == 0.0:
            break
    return Combination(w, _loss(X, w), exact=gap <= 1e-9)


def _loss(X: Array, w: Array) -> float:
    with np.errstate(divide="ignore"):
        return float(-np.log(X @ w).sum())


def _gap(X: Array, w: Array) -> float:
    """max_i mean_t a_{t,i} - 1: per round, the loss is at most that far from the least one, by convexity."""
    return float((X / (X @ w)[:, None]).mean(axis=0).max() - 1.0) if len(X) else 0.0


def _step(X: Array, w: Array) -> tuple[Array, float]:
    """The next w, and how much of Newton's step it took; half of it and so on until the loss falls."""
    A = X / (X @ w)[:, None]
    direction = nearest_mixture(A - 2.0) - w
    here, slope, step = _loss(X, w), -float(A.sum(axis=0) @ direction), 1.0
    while step > 1e-12:
        there = w + step * direction
        if _loss(X, there) <= here + 1e-4 * step * slope:
            return there, step
        step /= 2.0
    return w, 0.0
