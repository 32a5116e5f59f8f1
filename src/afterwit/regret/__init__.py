"""Regret: what hindsight would have gained, and the theorems that bound it.

The regrets take the experts' losses (rounds x experts) and the player's; the bounds are one function per theorem.
"""

from afterwit.regret.bounds import (
    adagrad,
    perceptron,
    perceptron_separable,
    projected_gradient_descent,
    strongly_convex_gradient_descent,
)
from afterwit.regret.combinations import Combination, best_linear, best_mixture
from afterwit.regret.competitors import CompetitorRegret, competitor_regret
from afterwit.regret.experts import ExpertRegret, expert_regret
from afterwit.regret.intervals import IntervalRegret, interval_regret
from afterwit.regret.portfolios import best_rebalanced
from afterwit.regret.rounds import instantaneous
from afterwit.regret.shifting import Segment, ShiftingRegret, shifting_regret

__all__ = [
    "Combination",
    "CompetitorRegret",
    "ExpertRegret",
    "IntervalRegret",
    "Segment",
    "ShiftingRegret",
    "adagrad",
    "best_linear",
    "best_mixture",
    "best_rebalanced",
    "competitor_regret",
    "expert_regret",
    "instantaneous",
    "interval_regret",
    "perceptron",
    "perceptron_separable",
    "projected_gradient_descent",
    "shifting_regret",
    "strongly_convex_gradient_descent",
]
