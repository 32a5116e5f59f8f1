"""Second-order bounds: by V_k, the sum of the squares of r_{t,k} = I_{t,k} (loss of the player - loss of k).

For losses in [0, 1] and any distribution u over K experts; all are totals over the rounds. They hold for each expert,
and so for u by its parts.
"""

from __future__ import annotations

import math

import numpy as np

from afterwit.regret.checked import at_least_zero, distribution, numbers, whole
from afterwit.regret.expert_bounds import Numbers


def adapt_ml_prod(u: Numbers, V: Numbers, rounds: int) -> float:
    """The regret of Adapt-ML-Prod to u.

    sum_k u_k (C/sqrt(ln K) sqrt(1 + V_k) + 2 C), C = 3 ln K + ln(1 + (K/2e)(1 + ln(T + 1))); 0 for K = 1.
    Source: Gaillard et al. 2014, Adapt-ML-Prod; errata 29.

    >>> round(adapt_ml_prod([1.0, 0.0], V=[15.0, 20.0], rounds=100), 3)
    21.772
    """
    u, V, K = distribution("u", u), numbers("V", V, len(u)), len(u)
    if K == 1:
        return 0.0
    C = 3.0 * math.log(K) + math.log(1.0 + K / (2.0 * math.e) * (1.0 + math.log(whole("rounds", rounds) + 1.0)))
    return float(u @ (C / math.sqrt(math.log(K)) * np.sqrt(1.0 + V) + 2.0 * C))


def ml_pol(u: Numbers, V: Numbers, gone: float = 0.0) -> float:
    """The regret of ML-Poly to u.

    sum_k u_k sqrt((1 + V_k) S), S = sum_j (1 + ln(1 + V_j)), which is at most K (1 + ln(1 + T)): the sum of
    eta_k [R_k]_+^2 grows by at most sum_k eta_{t-1,k} r_{t,k}^2 in a round. `gone` is the part of S of experts that
    were forgotten. Source: Gaillard et al. 2014, ML-Poly.

    >>> ml_pol([1.0, 0.0], V=[0.0, 0.0]) == math.sqrt(2.0)
    True
    """
    u, V = distribution("u", u), numbers("V", V, len(u))
    S = at_least_zero("gone", gone) + float((1.0 + np.log1p(V)).sum())
    return float(u @ np.sqrt((1.0 + V) * S))


def boa(u: Numbers, V: Numbers) -> float:
    """The regret of BOA with a rate per expert to u.

    sum_k u_k ((ln K + ln B) max{2, sqrt(V_k/ln K)} + 2 sqrt(V_k ln K) + 1/2), 0 for K = 1, where
    B = 1 + (1/2e)(1/(4 ln K) + (1/K) sum_j ln max{1, V_j/(4 ln K)}). Source: Wintenberger 2017, the theorem on multiple
    learning rates, with constants for a known range: as x - x^2 <= ln(1 + x) for x >= -1/2, the mean of exp(eta_k M_k)
    grows only when the rates fall, by (eta_{t-1}/eta_t - 1)/e each, and M_k is R_k less sum_t eta_{t-1} r_t^2.

    >>> round(boa([1.0, 0.0], V=[15.0, 20.0]), 3)
    11.75
    """
    u, V, K = distribution("u", u), numbers("V", V, len(u)), len(u)
    if K == 1:
        return 0.0
    logs = math.log(K)
    falls = float(np.log(np.maximum(1.0, V / (4.0 * logs))).mean()) + 1.0 / (4.0 * logs)
    B = 1.0 + falls / (2.0 * math.e)
    return float(u @ ((logs + math.log(B)) * np.maximum(2.0, np.sqrt(V / logs)) + 2.0 * np.sqrt(V * logs) + 0.5))
