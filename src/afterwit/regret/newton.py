"""Newton's method for convex, smooth functions, in a ball around 0 or everywhere; without a Hessian, near the end."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
#: u -> the value, the gradient, the Hessian as blocks of the variables one after the other: blocks x size x size, and
#: how far the value is above the least one, at most.
Curved = Callable[[Array], tuple[float, Array, Array, float]]


def newton(curved: Curved, u: Array, radius: float = math.inf) -> tuple[Array, bool]:
    """The u of least value among |u| <= radius, from a u in this ball; whether it was found.

    Each step goes towards the least of the quadratic model in the ball, halved until the value falls. What the model
    promises is what is left to gain once it is good. The end is where that is 1e-12 of the value and the value at most
    1e-9 above the least, or rounding keeps it from coming nearer. Indifferent to the scale of the variables. Cost per
    step: one evaluation or a few, and O(size^3) for each block.

    >>> def curved(u):  # (u - 3)^4 + (u - 3)^2, whose curvature is 2 or more
    ...     z = u - 3
    ...     gradient = 4 * z**3 + 2 * z
    ...     return float((z**4 + z**2).sum()), gradient, (12 * z**2 + 2)[:, None, None], float(gradient @ gradient) / 4
    >>> newton(curved, np.zeros(1))[0].round(4), newton(curved, np.zeros(1), radius=1.0)[0].round(4)
    (array([3.]), array([1.]))
    """
    value, gradient, hessian, gap = curved(u)
    before = math.inf
    for _ in range(200):
        towards = _towards_least_of_model(u, gradient, hessian, radius)
        gain = -float(gradient @ towards)
        if gain <= 1e-12 * value and (gap <= 1e-9 * value or gap > 0.5 * before):
            return u, True
        part, before = 1.0, gap
        while True:
            at = u + part * towards
            next_value, next_gradient, next_hessian, gap = curved(at)
            if next_value <= value - 1e-4 * part * gain + 1e-12 * value:  # what rounding adds is no rise
                break
            part *= 0.5
            if part < 1e-9:
                return u, False
        u, value, gradient, hessian = at, next_value, next_gradient, next_hessian
    return u, False


def promised(u: Array, gradient: Array, hessian: Array, radius: float = math.inf) -> float:
    """How much less than at u the quadratic model is at its least in the ball.

    >>> promised(np.zeros(1), np.array([2.0]), np.array([[[4.0]]]))
    0.5
    """
    step = _towards_least_of_model(u, gradient, hessian, radius)
    bend = hessian @ step.reshape(len(hessian), -1, 1)
    return -float(gradient @ step) - 0.5 * float(step @ bend.ravel())


def stationary(slope: Callable[[Array], Array], v: Array) -> Array:
    """From a v near the least of a function to where its slope no longer halves: Newton's steps without a Hessian.

    Conjugate gradients solve for each step; the Hessian times p is a difference of slopes, of which one is an
    evaluation.

    >>> stationary(lambda v: np.array([[2.0, 1.0], [1.0, 3.0]]) @ (v - 1.0), np.array([0.99, 1.02])).round(9)
    array([1., 1.])
    """
    from scipy.sparse.linalg import LinearOperator, cg

    at = slope(v)
    while True:
        size = 1e-3 * (float(np.linalg.norm(v)) or 1.0)

        def times(p: Array, v: Array = v, at: Array = at, size: float = size) -> Array:
            part = size / max(float(np.linalg.norm(p)), 1e-300)
            return (slope(v + part * p) - at) / part

        step, _ = cg(LinearOperator((len(v), len(v)), times), -at, atol=0.0, maxiter=100)
        there = slope(v + step)
        if not float(np.linalg.norm(there)) < 0.5 * float(np.linalg.norm(at)):
            return v
        v, at = v + step, there


def _towards_least_of_model(u: Array, gradient: Array, hessian: Array, radius: float) -> Array:
    """From u to the z that minimises g.(z - u) + (z - u).H(z - u)/2 among |z| <= radius.

    (H + m I)(z - u) = -g - m u for an m >= 0. Where m = 0 leads out of the ball, Newton steps in m for
    1/|z| = 1/radius: that is concave in m, so that they come from one side (Moré, Sorensen 1983).
    """
    multiplier = 0.0
    for _ in range(100):
        # For the step and not for z, whose rounding would keep u from coming nearer.
        step = _solved(hessian, multiplier, -gradient - multiplier * u)
        z = u + step
        norm = float(np.linalg.norm(z))
        if norm <= radius * (1.0 + 1e-12):
            break
        slope = float(z @ _solved(hessian, multiplier, z))
        multiplier += norm**2 / slope * (norm / radius - 1.0)
    return step if norm <= radius else z * (radius / norm) - u


def _solved(hessian: Array, multiplier: float, right: Array) -> Array:
    """(H + multiplier I) z = right, in units in which the diagonal is 1, and 1e-14 more lest H be singular."""
    blocks, size = hessian.shape[:2]
    shifted = hessian + multiplier * np.eye(size)
    units = 1.0 / np.sqrt(np.maximum(np.einsum("kii->ki", shifted), 1e-300))
    alike = shifted * units[:, :, None] * units[:, None, :] + 1e-14 * np.eye(size)
    z = np.linalg.solve(alike, (units * right.reshape(blocks, size))[..., None])[..., 0]
    return np.asarray((units * z).ravel())
