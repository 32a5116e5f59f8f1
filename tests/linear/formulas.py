"""What the formulas of linear learners are made of, in float64, slow, sharing nothing with the core; and rows for them.

A formula, in `specimens/test_NAME.py`, is a learner as its source has it: it takes the rows of a dense array one after
the other, and returns the predictions made before each and the final weights. A row of importance h = 0 is no round.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.special import wrightomega

Array = npt.NDArray[np.float64]


def value(loss: str, p: Array, y: Array) -> Array:
    """The loss of predicting p."""
    if loss == "squared":
        return (p - y) ** 2
    if loss == "logistic":
        return np.logaddexp(0.0, -y * p)
    if loss == "hinge":
        return np.maximum(0.0, 1.0 - y * p)
    tau, size = _level(loss)
    return size * np.maximum(tau * (y - p), (1.0 - tau) * (p - y))


def derivative(loss: str, p: Array, y: Array) -> Array:
    """Its derivative in p; 0 at a kink."""
    if loss == "squared":
        return 2.0 * (p - y)
    if loss == "logistic":
        return -y * np.exp(-np.logaddexp(0.0, y * p))
    if loss == "hinge":
        return np.where(y * p < 1.0, -y, 0.0)
    tau, size = _level(loss)
    return size * ((1.0 - tau) * (p > y) - tau * (p < y))


def _level(loss: str) -> tuple[float, float]:
    """Absolute loss is twice the quantile loss of level 1/2."""
    return (0.5, 2.0) if loss == "absolute" else (float(loss.removeprefix("quantile:")), 1.0)


def invariant_step(loss: str, p: float, y: float, step: float, a: float) -> float:
    """The u of ERRATA B45: p moves to p + a u, as by infinitely many gradient steps of total size `step`."""
    if loss == "squared":
        return (y - p) * (1.0 - math.exp(-2.0 * step * a)) / a
    if loss == "logistic":
        if step * a < 1e-6:
            return step * y / (1.0 + math.exp(y * p))
        # omega + ln omega = z is Wright's omega function of z
        return (y * math.log(wrightomega(step * a + y * p + math.exp(y * p)).real) - p) / a
    if loss == "hinge":
        return y * min(step, (1.0 - y * p) / a)
    slope = float(derivative(loss, np.float64(p), np.float64(y)))
    return math.copysign(min(abs(slope) * step, abs(y - p) / a), y - p)


def many_small_steps(loss: str, p: float, y: float, step: float, a: float, steps: int = 5000) -> float:
    """What `invariant_step` is the limit of."""
    q = p
    for _ in range(steps):
        q -= a * step / steps * float(derivative(loss, np.float64(q), np.float64(y)))
    return (q - p) / a


def sparse_rows(rounds: int, features: int, seed: int) -> tuple[Array, Array, Array]:
    """Random sparse rows of 32-bit values, labels that depend on them, weights from 0 to 4."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, features)) * (rng.random((rounds, features)) < 0.2)
    X = X.astype(np.float32).astype(np.float64)
    y = np.where(X @ rng.normal(size=features) + 0.5 * rng.normal(size=rounds) >= 0.0, 1.0, -1.0)
    return X, y, rng.choice([0.0, 0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 4.0], size=rounds)


def blocks(rounds: int, size: int) -> Iterator[slice]:
    """[0, size), [size, 2 size), ... up to `rounds`."""
    return (slice(first, min(first + size, rounds)) for first in range(0, rounds, size))
