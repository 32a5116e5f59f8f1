"""Checks that a learner is its formula; each takes the class, so that a broken one can be fed to it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from afterwit import Features
from afterwit.linear import AdaGrad, GradientDescent, Pegasos, Perceptron
from tests.linear import formulas
from tests.linear.formulas import Array
from tests.losses import specimen

ROUNDS, SIZE = 2000, 30
FEATURES = Features(bits=8, intercept=False)
LOSSES = [name for each in specimen.every().values() for name in each.names]
#: Weights are 32-bit floats, each rounded once per row; the formula keeps 64 bits.
ACCURACY = 2e-5

Formula = Callable[[Array, Array, Array], tuple[Array, Array]]


def check_formula(learner: Any, formula: Formula, rounds: int = ROUNDS, seed: int = 0) -> None:
    """The predictions before each row and the weights after the last are those of the formula."""
    X, y, h = formulas.sparse_rows(rounds, SIZE, seed)
    expected, weights = formula(X, y, h)
    raw = learner.learn_many(X, y, h)
    error = np.abs(raw - expected) / np.maximum(1.0, np.abs(expected))
    assert error.max() <= ACCURACY, f"row {np.argmax(error > ACCURACY)}: the prediction is off by {error.max():.2g}"
    found = learner.coef([str(i) for i in range(SIZE)])
    np.testing.assert_allclose(list(found.values()), weights, rtol=ACCURACY, atol=ACCURACY)


def perceptron(make: Callable[..., Any] = Perceptron) -> None:
    check_formula(make(features=FEATURES), formulas.perceptron)


def gradient_descent(
    loss: str, radius: float | None, make: Callable[..., Any] = GradientDescent, rate: float = 0.25
) -> None:
    ball = math.inf if radius is None else radius
    # Squared loss is steep: a large step would be chaotic (errata 12).
    eta = rate / 16.0 if specimen.is_steep(loss) else rate
    learner = make(rate=eta, radius=radius, loss=loss, features=FEATURES)
    check_formula(learner, lambda X, y, h: formulas.gradient_descent(X, y, h, loss, eta, ball))


def pegasos(loss: str, make: Callable[..., Any] = Pegasos, strength: float = 0.25) -> None:
    sigma = 40.0 * strength if specimen.is_steep(loss) else strength
    learner = make(strength=sigma, loss=loss, features=FEATURES)
    check_formula(learner, lambda X, y, h: formulas.pegasos(X, y, h, loss, sigma))


def adagrad(loss: str, make: Callable[..., Any] = AdaGrad, rate: float = 0.25) -> None:
    learner = make(rate=rate, loss=loss, features=FEATURES)
    check_formula(learner, lambda X, y, h: formulas.adagrad(X, y, h, loss, rate))


def normalized_adagrad(loss: str, make: Callable[..., Any] = AdaGrad, rate: float = 0.25) -> None:
    learner = make(rate=rate, normalized=True, loss=loss, features=FEATURES)
    check_formula(learner, lambda X, y, h: formulas.normalized_adagrad(X, y, h, loss, rate))


#: Name -> check of a class, for all rules and losses.
EVERY: dict[str, Callable[..., None]] = {"perceptron": perceptron}
for _loss in LOSSES:
    EVERY |= {
        f"gradient descent, {_loss}": lambda *make, loss=_loss: gradient_descent(loss, None, *make),
        f"gradient descent in a ball, {_loss}": lambda *make, loss=_loss: gradient_descent(loss, 0.75, *make),
        f"pegasos, {_loss}": lambda *make, loss=_loss: pegasos(loss, *make),
        f"adagrad, {_loss}": lambda *make, loss=_loss: adagrad(loss, *make),
        f"adagrad normalized, {_loss}": lambda *make, loss=_loss: normalized_adagrad(loss, *make),
    }
