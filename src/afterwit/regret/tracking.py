"""Bounds on the regret to competitors that change from round to round, for losses in [0, 1] and N experts."""

from __future__ import annotations

import math

import numpy as np

from afterwit.regret.checked import at_least_zero, positive, whole


def fixed_share(
    experts: int, rate: float, share: float, norm: float, variation: float = 1.0, first: float = 1.0
) -> float:
    """The regret R(u_1..T) of Fixed Share at the rates eta and alpha (`share`) to any moving competitor u_t >= 0.

    (F ln N + m ln(N/alpha) + (U - F - m) ln(1/(1 - alpha)))/eta + (eta/8) U, where U = `norm` is sum_t |u_t|_1, F =
    `first` is |u_1|_1 and m = V(u) - F, V(u) = `variation` as `competitor_regret` has it. One expert on each of K
    segments of T rounds has U = T, V(u) = K and F = 1.
    Source: ERRATA B47 (Cesa-Bianchi, Gaillard, Lugosi, Stoltz 2012).

    >>> round(fixed_share(experts=10, rate=0.1, share=0.01, norm=1000, variation=3), 3)
    273.883
    """
    N, eta, U = whole("experts", experts, 1), positive("rate", rate), at_least_zero("norm", norm)
    V, F = at_least_zero("variation", variation), at_least_zero("first", first)
    if not 0.0 < share < 1.0:
        raise ValueError(f"share is `{share!r}`, expected a number above 0 and below 1")
    m = V - F
    return (F * math.log(N) + m * math.log(N / share) - (U - F - m) * math.log1p(-share)) / eta + eta * U / 8.0


def fixed_share_tuned(experts: int, rounds: int, segments: int = 1, first: int = 1) -> float:
    """The regret of Fixed Share at the rates eta_t = sqrt(ln(N (t + 1))/(t + 1)), alpha_t = 1/(t + 1).

    To one expert on each of K = `segments` intervals that cover the rounds from `first` to T = `rounds`, from 1 on:
    K ln(N T)/eta_T + sum_{t=first}^{T-1} ln(1 + 1/t)/eta_t + (1/8) sum_{t=first}^T eta_t; of order sqrt(T ln(N T)) for
    each. 0 for N = 1. Source: ERRATA E31; on an interval sum_t (ln p_{t+1,i} - ln p_{t,i})/eta_t is summed by parts,
    with p_{t,i} >= 1/(N t), and the last v is at most 1.

    >>> round(fixed_share_tuned(experts=10, rounds=1000), 1)
    139.8
    """
    N, T, K = whole("experts", experts, 1), whole("rounds", rounds), whole("segments", segments, 1)
    t = np.arange(whole("first", first, 1), T + 1)
    if N == 1 or not t.size:
        return 0.0
    eta = np.sqrt(np.log(N * (t + 1.0)) / (t + 1.0))
    return float(K * math.log(N * T) / eta[-1] + (np.log1p(1.0 / t) / eta)[:-1].sum() + eta.sum() / 8.0)
