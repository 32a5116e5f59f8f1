"""Bounds on the regret to competitors that change from round to round, for losses in [0, 1] and N experts."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from afterwit.regret.checked import at_least_zero, positive, whole

Array = npt.NDArray[np.float64]
#: So many terms of a sum over rounds are added one by one.
EXACT = 100_000


def fixed_share(
    experts: int, rate: float, share: float, norm: float, variation: float = 1.0, first: float = 1.0
) -> float:
    """The regret R(u_1..T) of Fixed Share at the rates eta and alpha (`share`) to any moving competitor u_t >= 0.

    (F ln N + m ln(N/alpha) + (U - F - m) ln(1/(1 - alpha)))/eta + (eta/8) U, where U = `norm` is sum_t |u_t|_1, F =
    `first` is |u_1|_1 and m = V(u) - F, V(u) = `variation` as `competitor_regret` has it. One expert on each of K
    segments of T rounds has U = T, V(u) = K and F = 1.
    Source: Cesa-Bianchi et al. 2012, errata 31.

    >>> round(fixed_share(experts=10, rate=0.1, share=0.01, norm=1000, variation=3), 3)
    273.883
    """
    N, eta, U = whole("experts", experts, 1), positive("rate", rate), at_least_zero("norm", norm)
    V, F = at_least_zero("variation", variation), at_least_zero("first", first)
    if not 0.0 < share < 1.0:
        raise ValueError(f"share is `{share!r}`, expected a number above 0 and below 1")
    m = V - F
    return (F * math.log(N) + m * math.log(N / share) - (U - F - m) * math.log1p(-share)) / eta + eta * U / 8.0


def fixed_share_falling(experts: int, rate: float, rounds: int, segments: int = 1) -> float:
    """The regret of Fixed Share at the rate eta with shares alpha_t = 1/(t + 1) to one expert on each of K segments.

    (ln N + (K - 1) ln(N T) + ln T)/eta + (eta/8) T, with K = `segments` of T = `rounds`: a change after round t costs
    ln(N/alpha_t) <= ln(N T), and no change ln(1/(1 - alpha_t)) = ln(1 + 1/t), which sum to ln T.
    Source: Cesa-Bianchi et al. 2012, errata 31, with shares that fall.

    >>> round(fixed_share_falling(experts=10, rate=0.1, rounds=1000, segments=3), 3)
    288.81
    """
    N, eta, T = whole("experts", experts, 1), positive("rate", rate), whole("rounds", rounds)
    K = whole("segments", segments, 1)
    if T == 0:
        return 0.0
    return (math.log(N) + (K - 1) * math.log(N * T) + math.log(T)) / eta + eta * T / 8.0


def fixed_share_tuned(experts: int, rounds: int, segments: int = 1, first: int = 1) -> float:
    """The regret of Fixed Share at the rates eta_t = sqrt(ln(N (t + 1))/(t + 1)), alpha_t = 1/(t + 1).

    To one expert on each of K = `segments` intervals that cover the rounds from `first` to T = `rounds`, from 1 on:
    K ln(N T)/eta_T + sum_{t=first}^{T-1} ln(1 + 1/t)/eta_t + (1/8) sum_{t=first}^T eta_t; of order sqrt(T ln(N T)) for
    each. 0 for N = 1. Source: errata 30; on an interval sum_t (ln p_{t+1,i} - ln p_{t,i})/eta_t is summed by parts,
    with p_{t,i} >= 1/(N t), and the last v is at most 1.

    >>> round(fixed_share_tuned(experts=10, rounds=1000), 1)
    139.8
    """
    N, T, K = whole("experts", experts, 1), whole("rounds", rounds), whole("segments", segments, 1)
    r = whole("first", first, 1)
    if N == 1 or r > T:
        return 0.0

    def eta(t: Array) -> Array:
        return np.sqrt(np.log(N * (t + 1.0)) / (t + 1.0))

    end = float(eta(np.full(1, float(T)))[0])
    return K * math.log(N * T) / end + _sum(lambda t: np.log1p(1.0 / t) / eta(t), r, T - 1) + _sum(eta, r, T) / 8.0


def _sum(f: Callable[[Array], Array], first: int, last: int) -> float:
    """The sum of f(first), ..., f(last), and at most a part of 1e-11 more.

    Beyond EXACT terms f falls, ever more slowly, so that f(t) is at most its integral from t - 1/2 to t + 1/2. That is
    taken over ln t by Gauss and Legendre, where it is smooth: wrong by less than the 1e-12 that are added.
    """
    end = min(last, first + EXACT - 1)
    total = float(f(np.arange(first, end + 1.0)).sum())
    if end == last or end < first:
        return total
    begin = end + 0.5
    width = math.log1p((last - end) / begin)
    parts = 1 + int(width)
    x, w = np.polynomial.legendre.leggauss(16)
    t = begin * np.exp(width / parts * (np.arange(parts)[:, None] + (1.0 + x) / 2.0))
    return total + float((f(t) * t * w).sum()) * width / parts / 2.0 * (1.0 + 1e-12)


def interval_factor(experts: int, first: int, last: int, streaming: bool = False) -> float:
    """A such that AdaNormalHedge.TV has regret at most sqrt(A C) on [t1, t2] = [`first`, `last`], counted from 1.

    3 (ln(N t1^2 Z) + ln B + 1), Z = sum_{tau <= t2} tau^-2, B = 5/2 + (3/2) ln(1 + t2). The streaming form covers the
    interval with at most n = 1 + log2(t2 - t1 + 1) lives that begin in it, so that it has n times this with t2 for t1.
    Source: Luo 2016, section 2.3.3; errata 32, 33.

    >>> round(interval_factor(experts=10, first=1, last=1), 4)  # 3 (ln 10 + ln(5/2 + (3/2) ln 2) + 1)
    13.6999
    """
    N, t1, t2 = whole("experts", experts, 1), whole("first", first, 1), whole("last", last, 1)
    if t1 > t2:
        raise ValueError(f"first is `{t1}`, expected a round up to the last one, {t2}")
    born, lives = (t2, float((t2 - t1 + 1).bit_length())) if streaming else (t1, 1.0)
    # The rest of the sum is below 1/t.
    Z = float((1.0 / np.arange(1.0, min(t2, 100_000) + 1.0) ** 2).sum()) + (1e-5 if t2 > 100_000 else 0.0)
    B = 2.5 + 1.5 * math.log1p(t2)
    return lives * 3.0 * (math.log(N) + 2.0 * math.log(born) + math.log(Z) + math.log(B) + 1.0)


def ada_normal_hedge_tv(experts: int, first: int, last: int, C: float, streaming: bool = False) -> float:
    """The regret of AdaNormalHedge.TV to an expert on the rounds from `first` to `last`, for all of them at once.

    sqrt(A C), A as in `interval_factor`, C the sum of |loss of the player - loss of the expert| on the interval. By its
    excess loss there it is `small_loss(excess, A)`. Source: Luo 2016, section 2.3.3, Theorem 6; errata 32.

    >>> round(ada_normal_hedge_tv(experts=10, first=11, last=110, C=20.0), 2)
    25.51
    """
    return math.sqrt(interval_factor(experts, first, last, streaming) * at_least_zero("C", C))


def moving_competitor(factor: float, variation: float, total: float) -> float:
    """The regret R(u_1..T) of a player whose regret to expert i on any interval is at most sqrt(A sum_t z_{t,i}).

    sqrt(A V(u) Z), A = `factor`, V(u) = `variation` as `competitor_regret` has it, Z = `total` = sum_t u_t . z_t; for K
    segments with one expert each, V(u) is at most K. For AdaNormalHedge.TV, A is `interval_factor(N, T, T)`, or
    `interval_factor(N, 1, T, streaming=True)`, and z is |r|. Source: Luo 2016, Theorem 7; errata 32.

    >>> moving_competitor(factor=4.0, variation=3.0, total=12.0)
    12.0
    """
    A, V = at_least_zero("factor", factor), at_least_zero("variation", variation)
    return math.sqrt(A * V * at_least_zero("total", total))


def leading_history(first: int, last: int, base: float, rate: float | None = None, streaming: bool = False) -> float:
    """The regret of Follow the Leading History to an expert on the rounds from r = `first` to s = `last`, from 1 on.

    B + ln(s)/eta + eta (s - r + 1)/8, B = `base` the regret of the base in s - r + 1 rounds. Without a rate, where the
    master is AdaNormalHedge, B + sqrt(A (s - r + 1)), A = `interval_factor(1, r, s)`. The streaming form covers the
    interval with at most n = 1 + log2(s - r + 1) lives, so that it has n times B and ln(s)/eta, or its own A.
    Source: Luo 2016, section 2.3.3 (Hazan, Seshadhri 2007); errata 33, 34.

    >>> round(leading_history(first=1, last=100, base=10.0, rate=0.5), 2)
    25.46
    """
    r, s, B = whole("first", first, 1), whole("last", last, 1), at_least_zero("base", base)
    length = float(s - r + 1)
    lives = float((s - r + 1).bit_length()) if streaming else 1.0
    if rate is None:
        return lives * B + math.sqrt(interval_factor(1, r, s, streaming) * length)
    eta = positive("rate", rate)
    return lives * (B + math.log(s) / eta) + eta * length / 8.0
