"""Regret: what hindsight would have gained, and the theorems that bound it.

The regrets take the experts' losses (rounds x experts) and the player's; the bounds are one function per theorem. A
theorem that one algorithm alone needs lies with its class, whose `regret_bound` says it.
"""

from afterwit.regret.bound import Bound
from afterwit.regret.bounds import (
    adagrad,
    perceptron,
    perceptron_separable,
    projected_gradient_descent,
    strongly_convex_gradient_descent,
)
from afterwit.regret.combinations import Combination, best_linear, best_mixture
from afterwit.regret.competitors import CompetitorRegret, competitor_regret
from afterwit.regret.convex_bounds import gradient_descent, mirror_descent, regularized_leader, surrogate
from afterwit.regret.expert_bounds import (
    ada_normal_hedge,
    ada_normal_hedge_expert,
    ada_normal_hedge_subset,
    any_competitor_factor,
    doubling,
    exponential_weights,
    halving,
    normal_hedge_dt,
    relative_entropy,
    sampled,
    small_loss,
    stochastic,
    subset_factor,
    two_norm,
)
from afterwit.regret.experts import ExpertRegret, expert_regret
from afterwit.regret.game_bounds import exp3, optimistic_perceptron, zero_sum_gap
from afterwit.regret.intervals import IntervalRegret, interval_regret
from afterwit.regret.points import BallPoint, average_regret, best_in_ball, sequential_risk
from afterwit.regret.portfolios import best_rebalanced
from afterwit.regret.pruning import Pruning, best_graph_pruning, best_pruning, tree_experts
from afterwit.regret.rounds import instantaneous
from afterwit.regret.second_order import adapt_ml_prod, boa, ml_pol
from afterwit.regret.shifting import Segment, ShiftingRegret, shifting_regret
from afterwit.regret.tracking import (
    ada_normal_hedge_tv,
    fixed_share,
    fixed_share_falling,
    fixed_share_tuned,
    interval_factor,
    leading_history,
    moving_competitor,
)

__all__ = [
    "BallPoint",
    "Bound",
    "Combination",
    "CompetitorRegret",
    "ExpertRegret",
    "IntervalRegret",
    "Pruning",
    "Segment",
    "ShiftingRegret",
    "ada_normal_hedge",
    "ada_normal_hedge_expert",
    "ada_normal_hedge_subset",
    "ada_normal_hedge_tv",
    "adagrad",
    "adapt_ml_prod",
    "any_competitor_factor",
    "average_regret",
    "best_graph_pruning",
    "best_in_ball",
    "best_linear",
    "best_mixture",
    "best_pruning",
    "best_rebalanced",
    "boa",
    "competitor_regret",
    "doubling",
    "exp3",
    "expert_regret",
    "exponential_weights",
    "fixed_share",
    "fixed_share_falling",
    "fixed_share_tuned",
    "gradient_descent",
    "halving",
    "instantaneous",
    "interval_factor",
    "interval_regret",
    "leading_history",
    "mirror_descent",
    "ml_pol",
    "moving_competitor",
    "normal_hedge_dt",
    "optimistic_perceptron",
    "perceptron",
    "perceptron_separable",
    "projected_gradient_descent",
    "regularized_leader",
    "relative_entropy",
    "sampled",
    "sequential_risk",
    "shifting_regret",
    "small_loss",
    "stochastic",
    "strongly_convex_gradient_descent",
    "subset_factor",
    "surrogate",
    "tree_experts",
    "two_norm",
    "zero_sum_gap",
]
