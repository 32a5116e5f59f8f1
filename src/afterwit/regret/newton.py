"""Newton's method for convex, smooth functions of few variables, in a ball around 0 or everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
#: u -> the value, the gradient, and the Hessian as blocks of the variables one after the other: blocks x size x size.
Curved = Callable[[Array], tuple[float, Array, Array]]


def newton(curved: Curved, u: Array, radius: float = math.inf) -> tuple[Array, bool]:
    """The u of least value among |u| <= radius, from a u in this ball; whether it was found.

    Each step goes towards the least of the quadratic model in the ball, halved until the value falls. What the model
    promises bounds what is left to gain once it is good; the end is where that is 1e-12 of the first value. Indifferent
    to the scale of the variables. Cost per step: one evaluation or a few, and O(size^3) for each block.

    >>> def curved(u):  # (u - 3)^4 + (u - 3)^2
    ...     z = u - 3
    ...     return float((z**4 + z**2).sum()), 4 * z**3 + 2 * z, (12 * z**2 + 2)[:, None, None]
    >>> newton(curved, np.zeros(1))[0].round(4), newton(curved, np.zeros(1), radius=1.0)[0].round(4)
    (array([3.]), array([1.]))
    """
    value, gradient, hessian = curved(u)
    enough = 1e-12 * value
    for _ in range(200):
        towards = _least_of_model(u, gradient, hessian, radius) - u
        promised = -float(gradient @ towards)
        if promised <= enough:
            return u, True
        part = 1.0
        while True:
            at = u + part * towards
            next_value, next_gradient, next_hessian = curved(at)
            if next_value <= value - 1e-4 * part * promised + 1e-15 * value:  # what rounding adds is no rise
                break
            part *= 0.5
            if part < 1e-9:
                return u, False
        u, value, gradient, hessian = at, next_value, next_gradient, next_hessian
    return u, False


def _least_of_model(u: Array, gradient: Array, hessian: Array, radius: float) -> Array:
    """The z that minimises g.(z - u) + (z - u).H(z - u)/2 among |z| <= radius: (H + m I) z = H u - g, m >= 0.

    Where m = 0 leads out of the ball, Newton steps in m for 1/|z| = 1/radius: that is concave in m, so that they come
    from one side (Moré, Sorensen 1983).
    """
    right = (hessian @ u.reshape(len(hessian), -1, 1))[..., 0].ravel() - gradient
    multiplier = 0.0
    z = _solved(hessian, multiplier, right)
    for _ in range(100):
        norm = float(np.linalg.norm(z))
        if norm <= radius * (1.0 + 1e-12):
            break
        slope = float(z @ _solved(hessian, multiplier, z))
        multiplier += norm**2 / slope * (norm / radius - 1.0)
        z = _solved(hessian, multiplier, right)
    return np.asarray(z * min(1.0, radius / max(float(np.linalg.norm(z)), 1e-300)))


def _solved(hessian: Array, multiplier: float, right: Array) -> Array:
    """(H + multiplier I) z = right, in units in which the diagonal is 1, and 1e-14 more lest H be singular."""
    blocks, size = hessian.shape[:2]
    shifted = hessian + multiplier * np.eye(size)
    units = 1.0 / np.sqrt(np.maximum(np.einsum("kii->ki", shifted), 1e-300))
    alike = shifted * units[:, :, None] * units[:, None, :] + 1e-14 * np.eye(size)
    z = np.linalg.solve(alike, (units * right.reshape(blocks, size))[..., None])[..., 0]
    return np.asarray((units * z).ravel())
