"""The right-hand sides of the theorems, one function each. All are totals over the rounds, not averages.

A regret bound is in units of loss, a mistake bound in mistakes. Where rows have importance weights h_t, the loss of
row t is h_t loss, and every |gradient| below is that of the weighted loss; a row of weight 0 is no round.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from afterwit.regret.checked import at_least_zero, numbers, positive, whole


def projected_gradient_descent(radius: float, gradient: float, rounds: int, rate: float | None = None) -> float:
    """The regret of projected gradient descent to the best point of the ball |u| <= radius.

    2 U^2 sqrt(T)/eta + G^2 eta sqrt(T) for steps eta/sqrt(t), which is U G sqrt(8 T) at eta = sqrt(2) U/G, the best
    rate and the one meant by `rate=None`. U is `radius`, G = `gradient` at least every |gradient|, T = `rounds`.
    Source: Cesa-Bianchi 2023, "Projected OGD", Eq. (7) times T.

    >>> projected_gradient_descent(radius=2.0, gradient=1.0, rounds=50)
    40.0
    >>> projected_gradient_descent(radius=2.0, gradient=1.0, rounds=50, rate=4.0)  # not the best rate, 2 sqrt(2)
    42.42640687119285
    """
    U, G, T = positive("radius", radius), at_least_zero("gradient", gradient), whole("rounds", rounds)
    if rate is None:
        return U * G * math.sqrt(8.0 * T)
    eta = positive("rate", rate)
    return (2.0 * U * U / eta + G * G * eta) * math.sqrt(T)


def strongly_convex_gradient_descent(gradient: float, strength: float, rounds: int) -> float:
    """The regret of gradient descent with steps 1/(sigma t) on sigma-strongly convex losses, to any u.

    G^2/(2 sigma) H_T, H_T = 1 + 1/2 + ... + 1/T <= 1 + ln T. G = `gradient` is at least every |gradient|, the penalty's
    included; sigma is `strength`, T = `rounds`. Source: Cesa-Bianchi 2023, "OGD with strongly convex losses". Its last
    step, H_T <= ln(T + 1), is false (errata 1); H_T itself is what its proof gives, and some sequences attain it.

    >>> strongly_convex_gradient_descent(gradient=2.0, strength=1.0, rounds=2)
    3.0
    """
    G, sigma, T = at_least_zero("gradient", gradient), positive("strength", strength), whole("rounds", rounds)
    return G * G / (2.0 * sigma) * _harmonic(T)


def perceptron(hinge: float, norm: float, radius: float) -> float:
    """The mistakes of the perceptron on any sequence, compared with any u.

    H + |u| X sqrt(H) + (|u| X)^2. H = `hinge` is the sum of the hinge losses of u over the rounds with a mistake (so
    the bound holds with more rounds too), |u| is `norm`, and X = `radius` is at least every |x|. Unweighted rows only.
    Source: Cesa-Bianchi 2023, after Eq. (9); Sharan lecture 19, Theorem 4, Eq. (1) with its square root mended (errata
    2).

    >>> perceptron(hinge=4.0, norm=3.0, radius=1.0)
    19.0
    """
    H, reach = at_least_zero("hinge", hinge), at_least_zero("norm", norm) * at_least_zero("radius", radius)
    return H + reach * math.sqrt(H) + reach * reach


def perceptron_separable(radius: float, margin: float) -> float:
    """The mistakes of the perceptron on rows that some u of norm 1 separates: y (u.x) >= margin in every round.

    (X/gamma)^2. X = `radius` is at least every |x|, gamma is `margin`. Source: Sharan lecture 19, Theorem 4, Eq. (2).

    >>> perceptron_separable(radius=1.0, margin=0.125)
    64.0
    """
    return (at_least_zero("radius", radius) / positive("margin", margin)) ** 2


def adagrad(distance: float, rate: float, gradient_norms: npt.ArrayLike) -> float:
    """The regret of AdaGrad with a rate for every feature, to any u.

    (D^2/(2 eta) + eta) sum_i |g_{1:T,i}|. D = `distance` is at least every |w_t - u|_inf, eta is `rate`, and
    `gradient_norms` has, for each feature i, the square root of the sum of its squared gradients over the rounds.
    Source: Duchi et al. 2011, for the update of Luo 2016, section 4.6; errata 10.

    >>> adagrad(distance=1.0, rate=0.5, gradient_norms=[3.0, 4.0])
    10.5
    """
    D, eta = at_least_zero("distance", distance), positive("rate", rate)
    norms = numbers("gradient_norms", gradient_norms)
    return (D * D / (2.0 * eta) + eta) * float(norms.sum())


def _harmonic(n: int) -> float:
    """1 + 1/2 + ... + 1/n; beyond a hundred terms by Euler and Maclaurin, whose next term, 1/(252 n^6), is nothing."""
    if n <= 100:
        return math.fsum(1.0 / k for k in range(1, n + 1))
    return math.log(n) + float(np.euler_gamma) + 1.0 / (2.0 * n) - 1.0 / (12.0 * n**2) + 1.0 / (120.0 * n**4)
