"""Checks of the theorems about linear learners; each takes the class, so that a broken one can be fed to it.

The losses, gradients and weights come from what the learner returned, in float64. The learner keeps 32-bit floats: its
play is that of the exact algorithm up to relative errors of 6e-8 per round, which may add up to SLACK of a bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from afterwit import Features, regret
from afterwit.linear import AdaGrad, GradientDescent, Pegasos, Perceptron
from tests.adversaries import Rows, contrarian
from tests.linear.formulas import Array, blocks, derivative, value
from tests.linear.hindsight import comparators

SLACK = 1e-5
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


def play(learner: Any, rows: Rows, weights: bool = True) -> Play:
    """The learner over all rows, natively.

    Its weights before each round are its predictions for rows with one feature each; they have importance 0, so they
    teach it nothing.
    """
    n = rows.X.shape[1]
    if not weights:
        return Play(rows, learner.learn_many(rows.X, rows.y, rows.weight), np.zeros((0, n)))
    raw = np.zeros((len(rows), n + 1))
    for some in blocks(len(rows), 4096):
        count = len(rows.X[some])
        X, h = np.zeros((count, n + 1, n)), np.zeros((count, n + 1))
        X[:, :n], X[:, n] = np.eye(n), rows.X[some]
        h[:, n] = 1.0 if rows.weight is None else rows.weight[some]
        y = np.repeat(rows.y[some], n + 1)
        raw[some] = learner.learn_many(X.reshape(-1, n), y, h.ravel()).reshape(count, n + 1)
    return Play(rows, raw[:, n], raw[:, :n])


def play_against_contrarian(learner: Any, rows: Rows) -> Play:
    """The learner against an adversary that chooses each label when it has seen the prediction."""
    y, p, W = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros(rows.X.shape)
    eye = np.eye(rows.X.shape[1])
    for t, x in enumerate(rows.X):
        W[t], p[t] = learner.predict_many(eye), learner.predict_one(x)
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


def projected_descent(
    rows: Rows, make: Make = GradientDescent, *, loss: str = "hinge", radius: float = 2.0, player: Any = play
) -> Outcome:
    """Cesa-Bianchi 2023, Eq. (7), with the largest gradient that this ball and these rows allow."""
    X = np.linalg.norm(rows.X, axis=1)
    # Squared loss: |2(p - y)| is largest at the edge of the ball. The others have slopes up to 1.
    slopes = 2.0 * (radius * X + np.abs(rows.y)) if loss == "squared" else np.ones(len(rows))
    G = float((X * slopes * (1.0 if rows.weight is None else rows.weight)).max())
    whole = player(make(rate=math.sqrt(2.0) * radius / G, radius=radius, loss=loss, features=FEATURES), rows)
    norms = np.linalg.norm(whole.W, axis=1)
    assert norms.max() <= radius * (1.0 + 1e-6), f"the ball |w| <= {radius} was left: |w| = {norms.max()}"
    for part in prefixes(whole):
        U = comparators(part.rows, loss, radius)
        rounds = int(np.count_nonzero(part.h))
        bound = np.full(len(U), regret.projected_gradient_descent(radius, G, rounds))
        outcome = nearest(part.losses(loss) - part.losses_of(U, loss), bound, rounds)
    return outcome


def strongly_convex(
    rows: Rows, make: Make = Pegasos, *, loss: str = "hinge", strength: float = 0.01, player: Any = play
) -> Outcome:
    """Cesa-Bianchi 2023, with the harmonic number of errata 1 and the largest gradient met. No weight may be 0."""
    for part in prefixes(player(make(strength=strength, loss=loss, features=FEATURES), rows)):
        U = comparators(part.rows, loss, strength=strength)
        G = float(np.linalg.norm(part.gradients(loss, strength), axis=1).max())
        bound = np.full(len(U), regret.strongly_convex_gradient_descent(G, strength, len(part.p)))
        outcome = nearest(part.losses(loss, strength) - part.losses_of(U, loss, strength), bound, len(part.p))
    return outcome


def adagrad(rows: Rows, make: Make = AdaGrad, *, loss: str = "hinge", rate: float = 0.5, player: Any = play) -> Outcome:
    """Errata 10, with the distances and gradients that were met."""
    for part in prefixes(player(make(rate=rate, loss=loss, features=FEATURES), rows)):
        U = comparators(part.rows, loss)
        distances = np.maximum(part.W.max(axis=0) - U, U - part.W.min(axis=0)).max(axis=1)
        norms = np.linalg.norm(part.gradients(loss), axis=0)
        bounds = np.array([regret.adagrad(float(D), rate, norms) for D in distances])
        outcome = nearest(part.losses(loss) - part.losses_of(U, loss), bounds, len(part.p))
    return outcome


def perceptron(rows: Rows, make: Make = Perceptron, *, player: Any = play) -> Outcome:
    """Sharan lecture 19, Theorem 4, its Eq. (1) as mended by errata 2, with H over the rounds with a mistake.

    The outcome is for the planted comparator with H over all rounds, as in Cesa-Bianchi 2023: with H over the mistakes
    alone u = 0 turns it into an equality.
    """
    learner = make(features=FEATURES)
    whole = player(learner, rows) if player is not play else play(learner, rows, weights=False)
    radius = float(np.linalg.norm(rows.X, axis=1).max())
    for part in prefixes(whole):
        U = comparators(part.rows, "hinge")
        wrong = part.rows.y * part.p <= 0.0
        mistakes = np.full(len(U), float(wrong.sum()))
        norms = np.linalg.norm(U, axis=1)
        missed = Play(Rows(part.rows.X[wrong], part.rows.y[wrong], rows.planted), part.p[wrong], part.W[:0])
        for some in (missed, part):
            losses = zip(some.losses_of(U, "hinge"), norms, strict=True)
            bounds = np.array([regret.perceptron(float(H), float(norm), radius) for H, norm in losses])
            nearest(mistakes, bounds, len(part.p))
    return Outcome(mistakes[1], bounds[1])


def perceptron_separable(rows: Rows, make: Make = Perceptron) -> Outcome:
    """Sharan lecture 19, Theorem 4, Eq. (2), with the margin of the planted comparator."""
    whole = play(make(features=FEATURES), rows, weights=False)
    margin = float((rows.y * (rows.X @ rows.planted)).min() / np.linalg.norm(rows.planted))
    mistakes = float((rows.y * whole.p <= 0.0).sum())
    bound = regret.perceptron_separable(float(np.linalg.norm(rows.X, axis=1).max()), margin)
    return Outcome(mistakes, bound).checked(len(rows))
