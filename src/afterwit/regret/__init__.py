"""Regret: what hindsight would have gained, and the theorems that bound it."""

from afterwit.regret.bound import Bound
from afterwit.regret.bounds import (
    adagrad,
    perceptron,
    perceptron_separable,
    projected_gradient_descent,
    strongly_convex_gradient_descent,
)
from afterwit.regret.expert_bounds import (
    ada_normal_hedge,
    ada_normal_hedge_subset,
    any_competitor_factor,
    doubling,
    exponential_weights,
    halving,
    normal_hedge_dt,
    relative_entropy,
    small_loss,
    stochastic,
    subset_factor,
    two_norm,
)

__all__ = [
    "Bound",
    "ada_normal_hedge",
    "ada_normal_hedge_subset",
    "adagrad",
    "any_competitor_factor",
    "doubling",
    "exponential_weights",
    "halving",
    "normal_hedge_dt",
    "perceptron",
    "perceptron_separable",
    "projected_gradient_descent",
    "relative_entropy",
    "small_loss",
    "stochastic",
    "strongly_convex_gradient_descent",
    "subset_factor",
    "two_norm",
]
