"""Small panels with members of every kind, and rows for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from afterwit import registry
from afterwit.dense import Neighbours, Network, OnlineNewton, RollingTrees
from afterwit.features import Features
from afterwit.linear import AdaGrad, CoinBetting, GradientDescent
from afterwit.panel import Auto, Panel
from afterwit.protocols import Learner
from tests.linear.formulas import Array


def small(loss: str = "logistic", features: Features | None = None, guests: dict[str, Learner] | None = None) -> Panel:
    """Linear members that share their scales and one that shares none, learners over columns, a panel and guests."""
    members: dict[str, Learner] = {
        "alone": GradientDescent(loss=loss),
        "line": AdaGrad(normalized=True, loss=loss),
        "newton": OnlineNewton(width=16, loss=loss),
        "inner": Panel([CoinBetting(normalized=True, loss=loss), Neighbours(window=64, loss=loss)], loss=loss),
        "trees": RollingTrees(trees=5, window=16, loss=loss),
        "network": Network(hidden=4, loss=loss),
        **(guests or {}),
    }
    return Panel(members, open=["inner"], offsets={"trees": "inner"}, loss=loss, features=features)


def models(features: Features | None = None) -> list[Any]:
    """Panels and default learners of two labels and of numbers."""
    panels = [small(loss, features) for loss in ("logistic", "squared")]
    return [*panels, *(Auto(task, features=features) for task in ("binary", "numbers"))]


@registry.register("tests.panel.guest")
class Guest:
    """A learner of somebody else: the sum of the labels of rows with a feature, and what it was told."""

    def __repr__(self) -> str:
        return "Guest()"  # the same in every process, as the names of tests must be

    def __init__(self, factor: float = 0.125) -> None:
        self.factor = factor
        self.sums: dict[str, float] = {}
        self.rows = 0

    def predict_one(self, x: dict[str, float]) -> float:
        return self.factor * sum(value * self.sums.get(name, 0.0) for name, value in x.items())

    def learn_one(self, x: dict[str, float], y: float, weight: float = 1.0) -> None:
        assert isinstance(x, dict)
        assert isinstance(y, float)
        self.rows += 1
        for name in x:
            self.sums[name] = self.sums.get(name, 0.0) + weight * y


def rows(rounds: int, loss: str = "logistic", seed: int = 0, size: int = 5) -> tuple[Array, Array, Array]:
    """Rows that are partly linear, labels and weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, size)) * (rng.random((rounds, size)) < 0.7)
    X = X.astype(np.float32).astype(np.float64)
    value = X @ rng.normal(size=size) + (X[:, 0] > 0.0) * (X[:, 1] > 0.0) + 0.5 * rng.normal(size=rounds)
    return X, value if loss == "squared" else np.where(value > 0.0, 1.0, -1.0), rng.choice([0.5, 1.0, 2.0], rounds)
