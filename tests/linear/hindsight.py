"""Comparators in hindsight: a grid, random ones, the planted one, and the best one that an optimiser finds.

Any point is a fair comparator, so nothing here has to be exact; the better it is, the harder the test.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from tests.adversaries import Rows
from tests.linear.formulas import Array, derivative, value


def comparators(rows: Rows, loss: str, radius: float | None = None, strength: float = 0.0) -> Array:
    """One comparator per row, in the ball where a radius is given; 0 is the first and the planted one the second."""
    n = rows.X.shape[1]
    size = float(np.linalg.norm(rows.planted)) if radius is None else radius
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(8, n))
    directions *= size / np.linalg.norm(directions, axis=1, keepdims=True)
    grid = size * np.vstack([np.eye(n), -np.eye(n)]) if n <= 16 else np.zeros((0, n))
    best = optimum(rows, loss, radius, strength)
    scaled = [f * u for u in (rows.planted, best) for f in (-1.0, 0.1, 0.5, 2.0, 10.0)]
    found = np.vstack([np.zeros(n), rows.planted, best, directions, 0.1 * directions, grid, *scaled])
    if radius is None:
        return found
    return found * np.minimum(1.0, radius / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-300))


def optimum(rows: Rows, loss: str, radius: float | None, strength: float) -> Array:
    """The minimiser of the weighted losses plus (strength/2)|u|^2 per row, by L-BFGS with rounded kinks.

    The ball is all of R^n under v -> radius v/sqrt(1 + |v|^2), without new local minima. Of many rows it takes a sample
    for a start.
    """
    h = np.ones(len(rows)) if rows.weight is None else rows.weight

    def objective(v: Array, X: Array, y: Array, h: Array) -> tuple[float, Array]:
        root = np.sqrt(1.0 + v @ v)
        u = v if radius is None else radius * v / root
        losses, slopes = rounded(loss, X @ u, y)
        gradient = X.T @ (h * slopes) / len(X) + strength * u
        if radius is not None:
            gradient = radius / root * (gradient - v * (v @ gradient) / root**2)
        return float(h @ losses) / len(X) + strength / 2.0 * float(u @ u), gradient

    v = np.zeros(rows.X.shape[1]) if radius is not None else 0.1 * rows.planted
    some = np.random.default_rng(0).choice(len(rows), size=min(len(rows), 8192), replace=False)
    for part, steps in ((some, 60), (slice(None), 10 if len(some) < len(rows) else 0)):
        part_of = (rows.X[part], rows.y[part], h[part])
        v = minimize(objective, v, part_of, "L-BFGS-B", jac=True, options={"maxiter": steps, "maxcor": 20}).x
    return v if radius is None else radius * v / np.sqrt(1.0 + v @ v)


def rounded(loss: str, p: Array, y: Array, width: float = 0.01) -> tuple[Array, Array]:
    """The loss and its derivative, with a kink spread over about `width`; the hinge is that of max(0, z)."""
    if loss == "hinge":
        z = (1.0 - y * p) / width
        return width * np.logaddexp(0.0, z), -y * expit(z)
    if loss == "absolute":
        root = np.sqrt((p - y) ** 2 + width**2)
        return root, (p - y) / root
    return value(loss, p, y), derivative(loss, p, y)
