"""The bound of every linear learner is the right-hand side of its theorem, computed anew: its weights are asked for
before each row, and the best u of squared loss has a closed form."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit.learning import learn
from afterwit.linear import AdaGrad, GradientDescent, Pegasos, Perceptron
from afterwit.registry import fresh
from afterwit.streams import read

Array = np.ndarray[Any, np.dtype[np.float64]]
ROWS = 60


def rows(seed: int = 0) -> tuple[Array, Array, Array]:
    """Values that a float holds, of sizes so different that no coordinate stands for another, and weights up to 3."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(ROWS, 3)) * 64.0) / 64.0 * [1.0, 4.0, 0.25]
    return X, X @ [1.0, -0.5, 2.0] + 3.0 + rng.normal(size=ROWS), rng.choice([0.0, 0.5, 1.0, 3.0], ROWS)


class Played:
    """What a copy of the learner did: its weights W before and after every round, its gradients g, its losses."""

    def __init__(self, model: Any, X: Array, y: Array, h: Array) -> None:
        self.A, model = np.column_stack([X, np.ones(len(X))]), fresh(model)
        W, p = [np.zeros(4)], []
        for x, label, weight in zip(X, y, h, strict=True):
            p.append(model.predict_one(x))
            model.learn_one(x, label, weight)
            W.append(np.array(list(model.coef(["0", "1", "2", "(intercept)"]).values())))
        self.W, self.g = np.array(W), (h * 2.0 * (np.array(p) - y))[:, None] * self.A
        self.loss, self.T = float(h @ (np.array(p) - y) ** 2), np.count_nonzero(h)
        self.G = float(np.linalg.norm(self.g, axis=1).max())
        A = np.sqrt(h)[:, None] * self.A
        sizes = np.linalg.norm(A, axis=0)  # of equals, the u that hindsight takes is the smallest in these units
        self.u = np.linalg.lstsq(A / sizes, np.sqrt(h) * y)[0] / sizes


@pytest.mark.parametrize("weighted", [False, True])
def test_adagrad(weighted: bool) -> None:
    X, y, h = rows()
    h = h if weighted else np.ones(ROWS)
    model = AdaGrad(rate=0.3, loss="squared")
    bound, met = learn(model, read(X, y, h)).hindsight().bound, Played(model, X, y, h)
    D = float(np.abs(met.W - met.u).max())
    expected = (D**2 / (2.0 * 0.3) + 0.3) * float(np.sqrt((met.g**2).sum(axis=0)).sum())
    assert bound.value == pytest.approx(expected, rel=1e-6)


def test_the_distance_is_to_both_sides() -> None:
    """From 0 to a u below 0, and from weights that went too far to a u between."""
    X = np.tile([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], (20, 1))
    for y in (-5.0, 5.0):
        for rate in (0.1, 20.0):
            model = AdaGrad(rate=rate, loss="squared")
            labels, h = np.full(ROWS, y), np.ones(ROWS)
            met, bound = Played(model, X, labels, h), learn(model, read(X, labels)).hindsight().bound
            D = float(np.abs(met.W - met.u).max())
            expected = (D**2 / (2.0 * rate) + rate) * float(np.sqrt((met.g**2).sum(axis=0)).sum())
            assert bound.value == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_pegasos(weighted: bool) -> None:
    X, y, h = rows()
    h = h if weighted else np.ones(ROWS)
    model = Pegasos(strength=50.0, loss="squared")
    bound, met = learn(model, read(X, y, h)).hindsight().bound, Played(model, X, y, h)
    harmonic = sum(1.0 / t for t in range(1, met.T + 1))
    expected = (2.0 * met.G) ** 2 / (2.0 * 50.0) * harmonic + met.T * 50.0 / 2.0 * float(met.u @ met.u)
    assert bound.value == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_gradient_descent(weighted: bool) -> None:
    X, y, h = rows()
    h = h if weighted else np.ones(ROWS)
    model = GradientDescent(rate=0.2, radius=1.5, loss="squared")
    found, met = learn(model, read(X, y, h)).hindsight(), Played(model, X, y, h)
    expected = (2.0 * 1.5**2 / 0.2 + met.G**2 * 0.2) * math.sqrt(met.T)
    assert found.bound.value == pytest.approx(expected, rel=1e-6)
    assert found.bound.measured == found.regret == pytest.approx(met.loss - found.best_loss, rel=1e-6)


def test_perceptron() -> None:
    X, y, _ = rows()
    y = np.sign(y - 3.0)
    report = learn(Perceptron(), read(X, y))
    found = report.hindsight()
    reach = found.norm * float(np.linalg.norm(np.column_stack([X, np.ones(ROWS)]), axis=1).max())
    assert found.best_loss > 1.0
    expected = found.best_loss + reach * math.sqrt(found.best_loss) + reach**2
    assert found.bound.value == pytest.approx(expected, rel=1e-9)
    assert found.bound.measured == report.mistakes


@pytest.mark.parametrize("limit", [1, 30, 59])
def test_a_limit_inside_a_batch_counts_no_row_more(limit: int) -> None:
    X, y, _ = rows()
    found = learn(AdaGrad(loss="squared"), read(X, y), limit=limit).hindsight()
    alone = learn(AdaGrad(loss="squared"), read(X[:limit], y[:limit])).hindsight()
    assert (found.rows, found.loss) == (alone.rows, alone.loss)
    assert found.best_loss == pytest.approx(alone.best_loss, rel=1e-9)
    assert found.bound.value == pytest.approx(alone.bound.value, rel=1e-9)
