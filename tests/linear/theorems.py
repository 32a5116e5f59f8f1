"""What the checks of theorems about linear learners share: a play, its losses, and how near it came to a bound.

The losses, gradients and weights come from what the learner returned, in float64. The learner keeps 32-bit floats: its
play is that of the exact algorithm up to relative errors of 6e-8 per round, which may add up to SLACK of a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from afterwit import Features
from tests.adversaries import Rows, contrarian
from tests.linear.formulas import Array, blocks, derivative, value

SLACK = 1e-5
ROUNDS = 100_000
FEATURES = Features(bits=11, intercept=False)

Make = Callable[..., Any]


class BoundBroken(AssertionError):
    """A theorem's inequality does not hold."""


@dataclass(frozen=True)
class Outcome:
    """The left and the right side of a theorem, for the comparator that comes nearest to breaking it."""

    measured: float
    bound: float

    @property
    def ratio(self) -> float:
        return self.measured / self.bound if self.bound else 0.0

    def checked(self, rounds: int) -> Outcome:
        if self.measured > self.bound * (1.0 + SLACK):
            raise BoundBroken(f"after {rounds} rounds: {self.measured:.6g} is more than the bound {self.bound:.6g}")
        return self


@dataclass(frozen=True)
class Play:
    """What a learner did: its predictions p and, where they were asked for, its weights W before each round."""

    rows: Rows
    p: Array
    W: Array

    def __post_init__(self) -> None:
        if self.W.size:  # what it says and what its weights say are the same
            np.testing.assert_allclose((self.W * self.rows.X).sum(axis=1), self.p, rtol=1e-6, atol=1e-6)

    @property
    def h(self) -> Array:
        return np.ones(len(self.p)) if self.rows.weight is None else self.rows.weight

    def until(self, rounds: int) -> Play:
        r = self.rows
        weight = None if r.weight is None else r.weight[:rounds]
        return Play(Rows(r.X[:rounds], r.y[:rounds], r.planted, weight), self.p[:rounds], self.W[:rounds])

    def losses(self, loss: str, strength: float = 0.0) -> float:
        penalty = strength / 2.0 * float((self.W**2).sum()) if strength else 0.0
        return float(self.h @ value(loss, self.p, self.rows.y)) + penalty

    def losses_of(self, U: Array, loss: str, strength: float = 0.0) -> Array:
        """The total loss of each comparator; a few rows at a time, for the memory."""
        total = np.zeros(len(U))
        for some in blocks(len(self.p), 4096):
            total += self.h[some] @ value(loss, self.rows.X[some] @ U.T, self.rows.y[some, None])
        return total + len(self.p) * strength / 2.0 * (U**2).sum(axis=1)

    def gradients(self, loss: str, strength: float = 0.0) -> Array:
        slopes = self.h * derivative(loss, self.p, self.rows.y)
        return slopes[:, None] * self.rows.X + (strength * self.W if strength else 0.0)


#: (learner, rows, weights=True)
Player = Callable[..., Play]


def play(learner: Any, rows: Rows, weights: bool = True) -> Play:
    """The learner over all rows, natively.

    Its weights before each round are its predictions for rows with one feature each; they have importance 0, so they
    teach it nothing.
    """
    n = rows.X.shape[1]
    if not weights:
        return Play(rows, learner.learn_many(rows.X, rows.y, rows.weight), np.zeros((0, n)))
    raw = asked(learner, rows)
    return Play(rows, raw[:, n], raw[:, :n])


def asked(learner: Any, rows: Rows) -> Array:
    """What the learner says before each round: its weights, one after the other, and its prediction."""
    n = rows.X.shape[1]
    raw = np.zeros((len(rows), n + 1))
    for some in blocks(len(rows), 4096):
        count = len(rows.X[some])
        X, h = np.zeros((count, n + 1, n)), np.zeros((count, n + 1))
        X[:, :n], X[:, n] = np.eye(n), rows.X[some]
        h[:, n] = 1.0 if rows.weight is None else rows.weight[some]
        y = np.repeat(rows.y[some], n + 1)
        raw[some] = learner.learn_many(X.reshape(-1, n), y, h.ravel()).reshape(count, n + 1)
    return raw


def play_against_contrarian(learner: Any, rows: Rows, weights: bool = True) -> Play:
    """The learner against an adversary that chooses each label when it has seen the prediction."""
    n = rows.X.shape[1]
    y, p, W = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros((len(rows) if weights else 0, n))
    for t, x in enumerate(rows.X):
        p[t] = learner.predict_one(x)
        if weights:
            W[t] = learner.predict_many(np.eye(n))
        y[t] = contrarian(p[t])
        learner.learn_one(x, y[t])
    return Play(Rows(rows.X, y, rows.planted), p, W)


def prefixes(whole: Play) -> Iterator[Play]:
    """The first 1, 10, 100, ... rounds and all: the theorems hold after every round."""
    yield from (whole.until(10**k) for k in range(7) if 10**k < len(whole.p))
    yield whole


def nearest(measured: Array, bounds: Array, rounds: int) -> Outcome:
    """The comparator that comes nearest to breaking the theorem, after the check that none does."""
    worst = int(np.argmax(measured - bounds * (1.0 + SLACK)))
    Outcome(float(measured[worst]), float(bounds[worst])).checked(rounds)
    closest = int(np.argmax(measured / np.maximum(bounds, 1e-300) if measured.max() > 0.0 else measured))
    return Outcome(float(measured[closest]), float(bounds[closest]))


@st.composite
def short(draw: st.DrawFn) -> Rows:
    """Up to 30 rows of two features, multiples of 1/4, with any comparator."""
    quarters = st.integers(-12, 12).map(lambda k: k / 4.0)
    row = st.tuples(quarters, quarters, st.sampled_from([-1.0, 1.0]), st.sampled_from([0.25, 1.0, 1.0, 2.0]))
    table = np.array(draw(st.lists(row, min_size=1, max_size=30)))
    table[0, 0] = 1.0  # some gradient is not zero
    planted = np.array(draw(st.tuples(quarters, quarters)))
    return Rows(table[:, :2].copy(), table[:, 2].copy(), planted, table[:, 3].copy())
