"""What the formulas of linear learners are made of, in float64, slow, sharing nothing with the core; and rows for them.

A formula, in `specimens/test_NAME.py`, is a learner as its source has it: it takes the rows of a dense array one after
the other, and returns the predictions made before each and the final weights. A row of importance h = 0 is no round.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tests.losses import specimen

Array = npt.NDArray[np.float64]


def value(loss: str, p: Array, y: Array) -> Array:
    """The loss of predicting p."""
    return specimen.value(loss, p, y)


def derivative(loss: str, p: Array, y: Array) -> Array:
    """Its derivative in p; 0 at a kink."""
    return specimen.derivative(loss, p, y)


def invariant_step(loss: str, p: float, y: float, step: float, a: float) -> float:
    """The u of errata 11: p moves to p + a u, as by infinitely many gradient steps of total size `step`."""
    return specimen.invariant(loss, p, y, step, a)


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
