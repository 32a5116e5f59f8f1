"""The theorems about players over experts, one function each, for losses in [0, 1]. All are totals over the rounds.

`eps` speaks of the ceil(N eps)-th best expert of N: the k-th best is eps = k/N, and 1/N is the best (errata 38). A
player whose losses are in [a, b] has b - a times the regret.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from afterwit.regret.checked import at_least_zero, distribution, fraction, numbers, positive, whole

Array = npt.NDArray[np.float64]
Numbers = Sequence[float] | Array


def halving(experts: int) -> int:
    """The mistakes of the majority vote of all experts that have never erred, while one of them never errs.

    floor(log2 N), N = `experts`: with a mistake at least half of them go. Source: Kashima lecture 11, errata 14.

    >>> halving(1000)
    9
    """
    return whole("experts", experts, 1).bit_length() - 1


def exponential_weights(rounds: int, eps: float, rate: float | None = None) -> float:
    """The eps-regret of exponential weights.

    ln(1/eps)/eta + T eta/2, which is sqrt(2 T ln(1/eps)) at eta = sqrt(2 ln(1/eps)/T), the best rate and the one meant
    by `rate=None`. Source: Luo 2016, section 2.1.4; errata 18 (eps = 1: eta = 0, regret 0).

    >>> exponential_weights(rounds=200, eps=math.exp(-1))
    20.0
    >>> exponential_weights(rounds=200, eps=math.exp(-1), rate=0.2)  # not the best rate, 0.1
    25.0
    """
    T, logs = whole("rounds", rounds), -math.log(fraction("eps", eps))
    if rate is None:
        return math.sqrt(2.0 * T * logs)
    eta = positive("rate", rate)
    return logs / eta + T * eta / 2.0


def doubling(rounds: int, factor: float) -> float:
    """The regret of a player restarted in epochs of 2, 4, 8, ... rounds, whose regret in T rounds is `factor` sqrt(T).

    factor sum_{m=1}^M sqrt(2^m), with M = ceil(log2(T + 2)) - 1 epochs begun, which is at most
    sqrt(2)/(sqrt(2) - 1) factor sqrt(T). Source: Kashima lecture 11, "Doubling trick", its number of epochs as in
    errata 16.

    >>> round(doubling(rounds=6, factor=1.0), 4)  # sqrt(2) + sqrt(4)
    3.4142
    """
    T, alpha = whole("rounds", rounds), at_least_zero("factor", factor)
    epochs = (T + 1).bit_length() - 1
    return alpha * math.fsum(math.sqrt(2.0**m) for m in range(1, epochs + 1))


def two_norm(rounds: int, eps: float) -> float:
    """The eps-regret of the 2-norm algorithm, for all T and eps at once: sqrt(T/eps). Source: Luo 2016, Corollary 1.

    >>> two_norm(rounds=100, eps=0.25)
    20.0
    """
    return math.sqrt(whole("rounds", rounds) / fraction("eps", eps))


def normal_hedge_dt(rounds: int, eps: float) -> float:
    """The eps-regret of NormalHedge.DT, for all T and eps at once.

    sqrt(3 T ln((e^(4/3) - 1)(ln T + 1)/(2 eps) + 1)). Source: Luo 2016, Corollary 2.

    >>> round(normal_hedge_dt(rounds=100, eps=0.5), 3)
    29.05
    """
    T, eps = whole("rounds", rounds), fraction("eps", eps)
    if T == 0:
        return 0.0
    return math.sqrt(3.0 * T * math.log((math.exp(4.0 / 3.0) - 1.0) * (math.log(T) + 1.0) / (2.0 * eps) + 1.0))


def relative_entropy(u: Numbers, prior: Numbers | None = None) -> float:
    """RE(u || q) = sum_i u_i ln(u_i/q_i), with 0 ln 0 = 0; infinite where u_i > 0 = q_i. No prior: the uniform one.

    >>> relative_entropy([0.5, 0.5, 0.0, 0.0]) == math.log(2)
    True
    """
    u = distribution("u", u)
    q = np.full(len(u), 1.0 / len(u)) if prior is None else distribution("prior", prior, len(u))
    some = u > 0.0
    if (q[some] == 0.0).any():
        return math.inf
    return max(0.0, float((u[some] * np.log(u[some] / q[some])).sum()))


def ada_normal_hedge(u: Numbers, C: Numbers, prior: Numbers | None = None, experts: int | None = None) -> float:
    """The regret of AdaNormalHedge to any distribution u over the experts.

    sqrt((u . C_T) A(u)), A(u) = 3 (RE(u || q) + ln B + ln(1 + ln N)), B = 1 + (3/2) sum_i q_i (1 + ln(1 + C_{T,i})).
    C_{T,i} is the sum of |r_{t,i}|, r_{t,i} = I_{t,i} (loss of the player - loss of i), I the confidences; q is
    `prior`, uniform if there is none. N = `experts` is len(u) unless several of them are put together in one entry.
    NormalHedge.DT has the same with C_{T,i} the number of its rounds awake.
    Source: Luo 2016, Eq. (2.5) of Theorem 4, Theorem 6, end of section 2.3.1.

    >>> round(ada_normal_hedge([0.5, 0.5], C=[10.0, 30.0]), 3)
    12.135
    """
    return _root(u, C, any_competitor_factor(u, C, prior, experts))


def ada_normal_hedge_subset(u: Numbers, C: Numbers, prior: Numbers | None = None) -> float:
    """The same for a u that is uniform over some experts: with + 1 in place of + ln(1 + ln N).

    Source: Luo 2016, Eq. (2.6) of Theorem 4, Theorem 6.

    >>> ada_normal_hedge_subset([1.0, 0.0], C=[0.0, 5.0])
    0.0
    """
    return _root(u, C, subset_factor(u, C, prior))


def ada_normal_hedge_expert(C: Numbers, expert: int, prior: Numbers | None = None) -> float:
    """The same for one expert i: sqrt(3 C_{T,i} ln(B/q_i)), with neither addend, B as in `ada_normal_hedge`.

    sum_j q_j Phi(R_{T,j}, C_{T,j}) <= B, so that q_i exp([R_{T,i}]_+^2/(3 C_{T,i})) is at most B. Source: Luo 2016,
    the proof of Theorem 4.

    >>> round(ada_normal_hedge_expert([10.0, 30.0], expert=0), 3)
    8.867
    """
    sums = numbers("C", C)
    q = np.full(len(sums), 1.0 / len(sums)) if prior is None else distribution("prior", prior, len(sums))
    i = whole("expert", expert)
    if sums[i] == 0.0:
        return 0.0
    return math.sqrt(3.0 * float(sums[i]) * math.log(_B(C, prior) / q[i])) if q[i] > 0.0 else math.inf


def any_competitor_factor(u: Numbers, C: Numbers, prior: Numbers | None = None, experts: int | None = None) -> float:
    """A(u) of `ada_normal_hedge`.

    >>> round(any_competitor_factor([1.0, 0.0], C=[0.0, 0.0]), 4)  # 3 (ln 2 + ln 2.5 + ln(1 + ln 2))
    6.4081
    """
    N = len(u) if experts is None else whole("experts", experts, 1)
    return 3.0 * (relative_entropy(u, prior) + math.log(_B(C, prior)) + math.log(1.0 + math.log(N)))


def subset_factor(u: Numbers, C: Numbers, prior: Numbers | None = None) -> float:
    """A(u) of `ada_normal_hedge_subset`.

    >>> round(subset_factor([1.0, 0.0], C=[0.0, 0.0]), 4)  # 3 (ln 2 + ln 2.5 + 1)
    7.8283
    """
    some = distribution("u", u)
    if np.ptp(some[some > 0.0]) > 1e-12:
        raise ValueError("u is not uniform over some experts; `ada_normal_hedge` takes any u")
    return 3.0 * (relative_entropy(u, prior) + math.log(_B(C, prior)) + 1.0)


def small_loss(loss: float, factor: float) -> float:
    """The regret to u of a player whose regret is at most sqrt((u . C_T) A(u)), by the loss of u.

    sqrt(2 L A) + A, A = `factor`. L = `loss` is u . Lt_T, Lt_{T,i} the sum of [loss of i - loss of the player]_+ (with
    confidences, times I), or anything above such as the total loss of u.
    Source: Luo 2016, Theorem 5, part 1; errata 35, 36.

    >>> small_loss(loss=2.0, factor=4.0)
    8.0
    """
    L, A = at_least_zero("loss", loss), at_least_zero("factor", factor)
    return math.sqrt(2.0 * L * A) + A


def stochastic(factor: float, gap: float) -> float:
    """The expected regret to expert i of such a player when the losses of all rounds are independent.

    A(e_i)/gap, however many rounds, if in each round every other expert's expected loss is `gap` above that of i.
    Source: Luo 2016, Theorem 5, part 2.

    >>> stochastic(factor=6.0, gap=0.5)
    12.0
    """
    return at_least_zero("factor", factor) / fraction("gap", gap)


def _root(u: Numbers, C: Numbers, factor: float) -> float:
    total = float(np.dot(distribution("u", u), numbers("C", C, len(u))))
    return math.sqrt(total * factor) if total else 0.0


def _B(C: Numbers, prior: Numbers | None) -> float:
    sums = numbers("C", C)
    q = np.full(len(sums), 1.0 / len(sums)) if prior is None else distribution("prior", prior, len(sums))
    return 1.0 + 1.5 * float((q * (1.0 + np.log1p(sums))).sum())


def sampled(regret: float, rounds: int, delta: float) -> float:
    """The regret, with probability 1 - delta, of who draws one expert in each round from the weights of a player.

    R + sqrt(T ln(1/delta)), R = `regret` the player's, for losses that do not depend on the draw of their round. One
    that is told the drawn losses as its own has its own eps-regret for eps = delta/N instead: `exponential_weights`,
    `two_norm` and `normal_hedge_dt` (errata 27). Source: Luo 2016, section 2.1.5.

    >>> sampled(regret=10.0, rounds=100, delta=math.exp(-1))
    20.0
    """
    R, T = at_least_zero("regret", regret), whole("rounds", rounds)
    return R + math.sqrt(-T * math.log(fraction("delta", delta)))
