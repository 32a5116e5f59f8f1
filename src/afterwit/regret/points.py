"""Points in hindsight: the best one of a ball, and what was lost on average, as a function of the rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.numbers import real_array
from afterwit.regret.checked import positive

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BallPoint:
    """The best u of a ball, and its loss."""

    u: Array
    loss: float


def best_in_ball(linear: Any, radius: float, quadratic: Any = None) -> BallPoint:
    """The u with |u| <= radius that minimises b . u + u . A u/2, b = `linear`, A = `quadratic`, up to rounding.

    A is a number c, for c I, a symmetric matrix without a curvature below 0, or nothing, 0. For linear losses v_t . u
    b is the sum of the v_t; for squares (u . x_t - y_t)² it is -2 X'y and A is 2 X'X, but for a constant y'y. Of
    several such u it is the shortest. Cost: O(d³) for a matrix, else O(d).
    References: Cesa-Bianchi 2023, "Projected OGD" (u*_T); Moré, Sorensen 1983.

    >>> best_in_ball([3.0, 4.0], radius=2.0)
    BallPoint(u=array([-1.2, -1.6]), loss=-10.0)
    >>> best_in_ball([-1.0, 0.0], radius=2.0, quadratic=[[1.0, 0.0], [0.0, 0.0]])
    BallPoint(u=array([1., 0.]), loss=-0.5)
    """
    b, U = real_array("linear", linear), positive("radius", radius)
    if b.ndim != 1 or not np.isfinite(b).all():
        raise ValueError("linear must be a vector of finite numbers")
    A = np.asarray(0.0) if quadratic is None else real_array("quadratic", quadratic)
    if A.ndim not in (0, 2) or (A.ndim == 2 and A.shape != (len(b), len(b))) or not np.isfinite(A).all():
        raise ValueError(f"quadratic has the shape {A.shape}, expected a number or a finite matrix {len(b)} x {len(b)}")
    if A.ndim == 0:
        values, axes = np.full(len(b), float(A)), np.eye(0)
        g = b
    else:
        if not np.allclose(A, A.T, rtol=1e-9, atol=1e-9 * float(np.abs(A).max(initial=0.0))):
            raise ValueError("quadratic is not symmetric; give the sum of a matrix and its transpose, halved")
        values, axes = np.linalg.eigh(0.5 * (A + A.T))
        g = axes.T @ b
    largest = float(np.abs(values).max(initial=0.0))
    if (values < -1e-9 * largest).any() or (A.ndim == 0 and float(A) < 0.0):
        raise ValueError(f"quadratic has the curvature {values.min():g}, expected none below 0")
    values = np.where(values <= 1e-14 * len(b) * largest, 0.0, values)
    z = _along_axes(values, g, U)
    u = z if A.ndim == 0 else axes @ z
    return BallPoint(u, float(b @ u + 0.5 * (u @ (A @ u) if A.ndim == 2 else float(A) * (u @ u))))


def sequential_risk(loss: Any) -> Array:
    """The mean loss of the predictors so far: (1/T) sum_{t<=T} loss_t for T = 1, 2, ...

    Source: Cesa-Bianchi 2023, its first page.

    >>> sequential_risk([1.0, 0.0, 0.5])
    array([1. , 0.5, 0.5])
    """
    found = _losses("loss", loss)
    return np.cumsum(found) / np.arange(1, len(found) + 1)


def average_regret(loss: Any, competitor: Any) -> Array:
    """The sequential risk less that of a fixed competitor, whose losses in the same rounds are `competitor`.

    Source: Cesa-Bianchi 2023, its first page; there the competitor is the best for the T in question, so that for the
    regret in T rounds it is the one that is best after T, and the last entry is what is meant.

    >>> average_regret([1.0, 0.0, 0.5], [0.0, 0.5, 0.0])
    array([1.        , 0.25      , 0.33333333])
    """
    own, other = _losses("loss", loss), _losses("competitor", competitor)
    if own.shape != other.shape:
        raise ValueError(f"competitor has {len(other)} entries, expected {len(own)} (one per round)")
    return sequential_risk(own - other)


def _losses(name: str, values: Any) -> Array:
    found = real_array(name, values)
    if found.ndim != 1:
        raise ValueError(f"{name} has {found.ndim} dimensions, expected 1 (one loss per round)")
    if not np.isfinite(found).all():
        i = int(np.argmin(np.isfinite(found)))
        raise ValueError(f"{name}[{i}] is `{found[i]:g}`, expected a finite number")
    return found


def _along_axes(values: Array, g: Array, radius: float) -> Array:
    """z = -g/(values + m) for the least m >= 0 with |z| <= radius: Newton's steps for 1/|z| = 1/radius, from below."""
    size = float(np.abs(g).max(initial=0.0))
    # A part along a flat axis that is rounding of the others does not pull.
    g = np.where((values == 0.0) & (np.abs(g) <= 1e-14 * len(g) * size), 0.0, g)
    # |z| >= |z_i|: no m below this one reaches the ball.
    m = float(np.maximum(np.abs(g) / radius - values, 0.0).max(initial=0.0))
    for _ in range(200):
        under = np.where(g == 0.0, 1.0, values + m)
        z = -g / under
        norm = float(np.linalg.norm(z))
        if norm <= radius:
            return z
        step = (norm - radius) / radius * norm**2 / float(z @ (z / under))
        if step <= 1e-15 * m:
            break
        m += step
    return z * (radius / norm)
