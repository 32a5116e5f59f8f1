"""The theorems about points of convex domains, one function each. All are totals over the rounds, not averages.

Losses are linear, or convex and known by their gradients g_t at the points w_t that were played.
"""

from __future__ import annotations

import math

from afterwit.regret.checked import at_least_zero, positive, whole


def gradient_descent(norm: float, squares: float, rate: float | None = None) -> float:
    """The regret of gradient descent with a fixed step, or of the leader regularised by |w|²/(2 rate), to u.

    |u|²/(2 eta) + (eta/2) S, which is |u| sqrt(S) at the best rate, the one meant by `rate=None`. |u| is `norm`, or the
    distance from u to the first point; S = `squares` is the sum of the |g_t|², at most rho² T where |g_t| <= rho.
    Source: Sharan lecture 19, Theorems 1 and 2, with the eta/2 of errata 5.

    >>> gradient_descent(norm=2.0, squares=100.0)
    20.0
    >>> gradient_descent(norm=2.0, squares=100.0, rate=0.1)  # not the best rate, 0.2
    25.0
    """
    U, S = at_least_zero("norm", norm), at_least_zero("squares", squares)
    if rate is None:
        return U * math.sqrt(S)
    return regularized_leader(0.5 * U * U, 0.5 * positive("rate", rate) * S, rate)


def regularized_leader(penalty: float, cost: float, rate: float) -> float:
    """The regret to u of who follows the leader regularised by R/eta_t, the rates eta_t never rising.

    (R(u) - min R)/eta_T + sum_t |g_t|²/(2 (1/eta_t + C_t)). `penalty` is R(u) - min R; R is 1-strongly convex in a norm
    and |g| is the dual one: |w|²/2 with the 2-norm, or on the simplex sum_i w_i ln w_i with the largest |g_i|. `cost`
    is the sum, C_t the curvature of the losses up to round t, and `rate` the last eta_t. Who expected h_t as the
    gradient has g_t - h_t for g_t.
    Source: Sharan lecture 19, Theorem 1, with errata 5 and, where rates fall, 42; Hanashiro, Abernethy 2020, Theorem 1.

    >>> regularized_leader(penalty=0.5, cost=10.0, rate=0.1)
    15.0
    """
    return at_least_zero("penalty", penalty) / positive("rate", rate) + at_least_zero("cost", cost)


def mirror_descent(divergence: float, moved: float, rate: float, strength: float = 1.0) -> float:
    """How much more mirror descent loses than u where it has moved to: sum_t g_t . w_{t+1} - sum_t g_t . u.

    D(u, w_1)/eta - (lambda/(2 eta)) M. `divergence` is D(u, w_1), M = `moved` the sum of the |w_{t+1} - w_t|², lambda =
    `strength` that of R, in the same norm.
    Source: Hanashiro, Abernethy 2020, Theorem 2 at a fixed rate; no bound H on all divergences is needed (errata 43).

    >>> mirror_descent(divergence=1.0, moved=0.5, rate=0.25)
    3.0
    """
    D, M, eta = at_least_zero("divergence", divergence), at_least_zero("moved", moved), positive("rate", rate)
    return (D - 0.5 * positive("strength", strength) * M) / eta


def surrogate(loss: float, norm: float, gradient: float, rounds: int) -> float:
    """The mistakes of gradient descent on a convex loss that is nowhere below 0-1 loss.

    sum_t f_t(u) + |u| G sqrt(2 T) at the step |u|/(G sqrt(2 T)). `loss` is the sum of the surrogate's losses f_t(u),
    |u| is `norm`, and T G² at least the sum of the |gradient|²; T = `rounds`.
    Source: Kashima lecture 11, "Convex surrogate", errata 7.

    >>> surrogate(loss=3.0, norm=2.0, gradient=1.0, rounds=50)
    23.0
    """
    U, G = at_least_zero("norm", norm), at_least_zero("gradient", gradient)
    return at_least_zero("loss", loss) + U * G * math.sqrt(2.0 * whole("rounds", rounds))
