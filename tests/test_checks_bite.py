"""The checks bite: each theorem check and each formula check refuses the shipped class with its sign flipped, without
its memory, or at another rate, and passes it as it is. The broken learners are subclasses of the shipped ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from afterwit.linear import AdaGrad, GradientDescent, Pegasos, Perceptron
from tests import adversaries
from tests.linear import formula_checks, theorems
from tests.linear.theorems import BoundBroken

Break = Callable[[type[Any]], type[Any]]


def flipped(shipped: type[Any]) -> type[Any]:
    """Learns the opposite of every label: it moves away from where it should."""

    class Flipped(shipped):  # type: ignore[misc]
        def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Any:
            return super().learn_many(X, -np.asarray(y), weight)

    return Flipped


def forgetful(shipped: type[Any]) -> type[Any]:
    """Is as new after every row."""

    class Forgetful(shipped):  # type: ignore[misc]
        def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Any:
            raw, new = np.zeros(len(X)), self.state()
            h = np.ones(len(X)) if weight is None else weight
            for t in range(len(X)):
                raw[t : t + 1] = super().learn_many(X[t : t + 1], y[t : t + 1], h[t : t + 1])
                self.set_state(new)
            return raw

    return Forgetful


def at_rate(factor: float, shipped: type[Any]) -> type[Any]:
    """Takes steps of `factor` times the length. Those of Pegasos are 1/strength, those of the perceptron a weight."""

    class AtRate(shipped):  # type: ignore[misc]
        def __init__(self, **settings: Any) -> None:
            if "rate" in settings:
                settings["rate"] *= factor
            if "strength" in settings:
                settings["strength"] /= factor
            super().__init__(**settings)

        def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Any:
            if issubclass(shipped, Perceptron):
                weight = np.full(len(X), factor) if weight is None else factor * weight
            return super().learn_many(X, y, weight)

    return AtRate


half = partial(at_rate, 0.5)

SEPARABLE = adversaries.separable(2000)
projected_tight = partial(theorems.projected_descent, loss="absolute", radius=1.0)

#: What breaks -> the theorem's check (of a class), the rows, the shipped class.
BITES: dict[str, tuple[Break, Callable[..., Any], adversaries.Rows, type[Any]]] = {
    "projected descent, sign": (flipped, theorems.projected_descent, SEPARABLE, GradientDescent),
    "projected descent, memory": (forgetful, theorems.projected_descent, SEPARABLE, GradientDescent),
    # Half the rate has 5/4 of the bound, so that only a sequence made for it goes beyond.
    "projected descent, rate": (
        half,
        projected_tight,
        adversaries.against_projected_descent(100_000, slower=2.0),
        GradientDescent,
    ),
    "strongly convex, sign": (flipped, theorems.strongly_convex, SEPARABLE, Pegasos),
    "strongly convex, memory": (forgetful, theorems.strongly_convex, SEPARABLE, Pegasos),
    "strongly convex, rate": (half, partial(theorems.strongly_convex, strength=0.1), SEPARABLE, Pegasos),
    "adagrad, sign": (flipped, theorems.adagrad, SEPARABLE, AdaGrad),
    "adagrad, memory": (forgetful, theorems.adagrad, SEPARABLE, AdaGrad),
    "adagrad, rate": (
        half,
        partial(theorems.adagrad, loss="absolute", rate=0.5),
        adversaries.against_adagrad(10_000, 0.5, slower=2.0),
        AdaGrad,
    ),
    "perceptron, sign": (flipped, theorems.perceptron, SEPARABLE, Perceptron),
    "perceptron, memory": (forgetful, theorems.perceptron, SEPARABLE, Perceptron),
    "perceptron separable, sign": (flipped, theorems.perceptron_separable, SEPARABLE, Perceptron),
    "perceptron separable, memory": (forgetful, theorems.perceptron_separable, SEPARABLE, Perceptron),
}


@pytest.mark.parametrize("name", BITES)
def test_a_theorem_check_bites(name: str) -> None:
    broken, check, rows, shipped = BITES[name]
    check(rows, shipped)
    check(rows, at_rate(1.0, shipped))  # a subclass that breaks nothing
    with pytest.raises(BoundBroken):
        check(rows, broken(shipped))


@pytest.mark.parametrize("factor", [0.5, 2.0**-20, 2.0**20])
def test_the_perceptron_does_not_care_about_its_rate(factor: float) -> None:
    """All its weights are multiplied and no sign changes: its theorem cannot see the rate. Its formula does, below."""
    theorems.perceptron(SEPARABLE, at_rate(factor, Perceptron))
    theorems.perceptron_separable(SEPARABLE, at_rate(factor, Perceptron))


SHIPPED = {"gradient descent": GradientDescent, "pegasos": Pegasos, "adagrad": AdaGrad, "perceptron": Perceptron}


def shipped_of(name: str) -> type[Any]:
    return next(cls for start, cls in SHIPPED.items() if name.startswith(start))


@pytest.mark.parametrize("broken", [flipped, forgetful, half], ids=["sign", "memory", "rate"])
@pytest.mark.parametrize("name", formula_checks.EVERY)
def test_a_formula_check_bites(name: str, broken: Break) -> None:
    with pytest.raises(AssertionError, match="the prediction is off by"):
        formula_checks.EVERY[name](broken(shipped_of(name)))


@pytest.mark.parametrize("name", formula_checks.EVERY)
def test_a_formula_check_passes_a_subclass_that_breaks_nothing(name: str) -> None:
    formula_checks.EVERY[name](at_rate(1.0, shipped_of(name)))
