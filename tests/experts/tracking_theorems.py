"""Checks of the bounds on intervals, on segments and to moving competitors; each takes the class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from afterwit import regret
from afterwit.experts import AdaNormalHedgeTV, FixedShare, FollowTheLeadingHistory, Hedge
from tests.adversaries import Array
from tests.experts.theorems import Make, hold

SEGMENTS = 6


def intervals(losses: Array, loss: Array) -> Iterator[tuple[int, int, int, float]]:
    """Of every length that is a power of two, and of all rounds, the worst interval: first and last round, counted from
    1, expert and regret. Of a short game all intervals, each with its worst expert."""
    T = len(losses)
    if T > 150:
        lengths = sorted({*(2**k for k in range(T.bit_length())), T})
        found = regret.interval_regret(losses, loss, lengths=lengths)
        for length, worst, start, expert in zip(lengths, found.regrets, found.starts, found.experts, strict=True):
            yield int(start) + 1, int(start) + length, int(expert), float(worst)
        return
    sums = np.vstack([np.zeros(losses.shape[1]), np.cumsum(loss[:, None] - losses, axis=0)])
    for first in range(1, T + 1):
        for last in range(first, T + 1):
            R = sums[last] - sums[first - 1]
            yield first, last, int(np.argmax(R)), float(R.max())


def moving(losses: Array) -> Iterator[Array]:
    """Competitors u_t >= 0: random ones that jump now and then, also of any norm, and one that leaves."""
    T, N = losses.shape
    rng = np.random.default_rng(12)
    for some in (1, 3, 10):
        starts = np.sort(rng.integers(0, T, some))
        which = np.searchsorted(starts, np.arange(T), side="right")
        yield rng.dirichlet(np.full(N, 0.5), some + 1)[which]
        yield rng.exponential(size=(some + 1, N))[which]
    leaving = np.zeros((T, N))
    leaving[: T // 2, 0] = 3.0
    yield leaving


def fixed_share(losses: Array, make: Make = FixedShare, rate: float = 0.2, share: float = 0.01) -> float:
    """Errata 31: to the best segments, and to competitors that move."""
    T, N = losses.shape
    loss = make(rate=rate, share=share, experts=N).run(losses).loss
    shifting = regret.shifting_regret(losses, loss, SEGMENTS)
    ratios = []
    for R, segments in zip(shifting.regrets, shifting.partitions, strict=True):
        ratios.append(hold(float(R), regret.fixed_share(N, rate, share, T, len(segments)), T))
    for u in moving(losses):
        met = regret.competitor_regret(losses, loss, u)
        hold(met.regret, regret.fixed_share(N, rate, share, met.norm, met.variation, float(u[0].sum())), T)
    return max(ratios)


def fixed_share_tuned(losses: Array, make: Make = FixedShare) -> float:
    """Errata 30: on intervals and on segments, with the constants of `regret.fixed_share_tuned`; these are below 3."""
    T, N = losses.shape
    loss = make(experts=N).run(losses).loss
    ratios = []
    for first, last, _, R in intervals(losses, loss):
        bound = regret.fixed_share_tuned(N, last, first=first)
        assert bound <= 3.0 * np.sqrt((last + 1) * np.log(N * (last + 1)))
        ratios.append(hold(R, bound, last))
    shifting = regret.shifting_regret(losses, loss, SEGMENTS)
    for R, segments in zip(shifting.regrets, shifting.partitions, strict=True):
        hold(float(R), regret.fixed_share_tuned(N, T, len(segments)), T)
    return max(ratios)


def ada_normal_hedge_tv(losses: Array, make: Make = AdaNormalHedgeTV, exact: bool = False) -> float:
    """Errata 32 and 33 on intervals, by C and by the excess loss; Luo 2016, Theorem 7 on segments and to who moves."""
    T, N = losses.shape
    loss = make(exact=exact, experts=N).run(losses).loss
    r = loss[:, None] - losses
    C = np.vstack([np.zeros(N), np.cumsum(np.abs(r), axis=0)])
    excess = np.vstack([np.zeros(N), np.cumsum(np.maximum(-r, 0.0), axis=0)])
    ratios = []
    for first, last, i, R in intervals(losses, loss):
        A = regret.interval_factor(N, first, last, streaming=not exact)
        spent = max(0.0, float(C[last, i] - C[first - 1, i]))
        ratios.append(hold(R, regret.ada_normal_hedge_tv(N, first, last, spent, streaming=not exact), last))
        hold(R, regret.small_loss(max(0.0, float(excess[last, i] - excess[first - 1, i])), A), last)
    A = regret.interval_factor(N, T if exact else 1, T, streaming=not exact)
    shifting = regret.shifting_regret(losses, loss, SEGMENTS)
    for R, above, segments in zip(shifting.regrets, shifting.excess, shifting.partitions, strict=True):
        total = sum(float(C[s.end, s.expert] - C[s.first, s.expert]) for s in segments)
        hold(float(R), regret.moving_competitor(A, len(segments), max(0.0, total)), T)
        hold(float(R), regret.small_loss(max(0.0, float(above)), len(segments) * A), T)
    for u in moving(losses):
        met = regret.competitor_regret(losses, loss, u)
        hold(met.regret, regret.moving_competitor(A, met.variation, float((u * np.abs(r)).sum())), T)
    return max(ratios)


def leading_history(
    losses: Array, make: Make = FollowTheLeadingHistory, rate: float | None = 0.3, exact: bool = False
) -> float:
    """Errata 34 on intervals, over exponential weights."""
    N, eta = losses.shape[1], 0.2
    loss = make(base=Hedge(rate=eta, experts=N), rate=rate, exact=exact).run(losses).loss
    ratios = []
    for first, last, _, R in intervals(losses, loss):
        base = regret.exponential_weights(last - first + 1, 1.0 / N, eta)
        ratios.append(hold(R, regret.leading_history(first, last, base, rate, streaming=not exact), last))
    return max(ratios)
