"""Regret: what hindsight would have gained, and the theorems that bound it."""

from afterwit.regret.bounds import (
    adagrad,
    perceptron,
    perceptron_separable,
    projected_gradient_descent,
    strongly_convex_gradient_descent,
)

__all__ = [
    "adagrad",
    "perceptron",
    "perceptron_separable",
    "projected_gradient_descent",
    "strongly_convex_gradient_descent",
]
