"""The best fixed linear predictor in hindsight, by SciPy's L-BFGS over a loss that somebody else sums up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from afterwit.regret.simplex import scipy_optimize

Array = npt.NDArray[np.float64]
#: (u, width) -> the loss of u, its loss with kinks rounded to that width, and the gradient of the latter.
TotalLoss = Callable[[Array, float], tuple[float, float, Array]]

#: The penalty of u is PENALTY/2 |u|^2 for each row: it makes the best u unique, and finite where rows are separable.
PENALTY = 1e-8


@dataclass(frozen=True)
class LinearPredictor:
    """The best u that was found and its loss, without the penalty; `converged` where the optimiser was content."""

    u: Array
    loss: float
    converged: bool
    evaluations: int


class _Enough(Exception):
    """As many evaluations as were allowed."""


def best_linear_predictor(
    total: TotalLoss, squares: Array, rows: int, *, kinked: bool, radius: float | None = None, evaluations: int = 500
) -> LinearPredictor:
    """The u that minimises total loss + rows PENALTY/2 |u|^2, in the ball |u| <= radius where there is one.

    `squares` has sum_t h_t x_{t,i}^2 for each feature: the search is over u_i in units of the root of its mean, so that
    a feature on another scale needs no other number of steps. The ball is all v under u = radius v/sqrt(1 + |v|^2).
    With `kinked` losses the kinks are rounded, narrower and narrower. Of all u that were tried the one of least true
    loss and penalty is returned: its loss is never below the least one, and near it.

    >>> def total(u, width):  # (u - 3)^2, twice
    ...     return 2 * float((u - 3) @ (u - 3)), 2 * float((u - 3) @ (u - 3)), 4 * (u - 3)
    >>> best_linear_predictor(total, np.array([2.0]), 2, kinked=False).u.round(6)
    array([3.])
    """
    if evaluations < 1:
        raise ValueError(f"evaluations is {evaluations}, expected 1 or more")
    minimize = scipy_optimize().minimize
    search = _Search(total, np.sqrt(np.maximum(squares, 1e-300) / max(rows, 1)), rows, radius, evaluations)
    v = np.zeros(len(squares))
    search.scale = search.evaluated(v, 0.0)[0] or 1.0
    converged = True
    try:
        for narrow in (1.0, 0.1, 0.01, 0.001) if kinked else (0.0,):
            if search.loss == 0.0 or len(v) == 0:
                break
            result = minimize(search, v, (narrow * search.loss / rows,), "L-BFGS-B", jac=True, options=search.options)
            v, converged = result.x, result.status == 0
        norm = float(np.linalg.norm(search.u))
        if radius is not None and norm > 0.9 * radius:  # the edge of the ball is at infinity
            search.evaluated(search.u * (radius / norm), 0.0)
    except _Enough:
        converged = False
    return LinearPredictor(search.u, search.loss, converged, search.count)


class _Search:
    """The objective in scaled variables, as a part of the loss of u = 0; remembers the best u."""

    def __init__(self, total: TotalLoss, roots: Array, rows: int, radius: float | None, evaluations: int) -> None:
        self.total, self.roots, self.rows, self.radius, self.most = total, roots, rows, radius, evaluations
        self.scale, self.count = 1.0, 0
        self.u, self.loss, self.least = np.zeros(len(roots)), np.inf, np.inf
        self.options = {"maxiter": evaluations, "maxfun": evaluations, "maxcor": 20, "ftol": 1e-14, "gtol": 1e-9}

    def __call__(self, v: Array, width: float) -> tuple[float, Array]:
        w = v / self.roots
        stretch = 1.0 if self.radius is None else self.radius / float(np.sqrt(1.0 + w @ w))
        u = stretch * w
        _, value, gradient = self.evaluated(u, width)
        penalty = PENALTY * self.rows
        gradient = gradient + penalty * u
        if self.radius is not None:
            gradient = stretch * (gradient - u * (float(u @ gradient) / self.radius**2))
        return (value + 0.5 * penalty * float(u @ u)) / self.scale, gradient / self.roots / self.scale

    def evaluated(self, u: Array, width: float) -> tuple[float, float, Array]:
        if self.count >= self.most:
            raise _Enough
        self.count += 1
        true, value, gradient = self.total(u, width)
        penalized = true + 0.5 * PENALTY * self.rows * float(u @ u)
        if penalized < self.least:
            self.u, self.loss, self.least = u.copy(), true, penalized
        return true, value, gradient
