"""AdaNormalHedge.TV."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from afterwit import regret
from afterwit._core import alive
from afterwit.experts import AdaNormalHedgeTV
from tests import adversaries
from tests.experts.formulas import Array
from tests.experts.seen import MIXED, RANGE, seen_by
from tests.experts.specimen import NAMES, Formula, Make, Specimen, Theorem
from tests.experts.theorems import SEGMENTS, hold, intervals, moving


def survivors(t: int) -> list[int]:
    """S_t of errata 33: tau = r 2^k, r odd, is in it for t = tau, ..., tau + 2^(k+2)."""
    return [tau for tau in range(1, t + 1) if t <= tau + 4 * (tau & -tau)]


def normal_hedge_tv(losses: Array, exact: bool) -> Array:
    """Luo 2016, section 2.3.3, over all births or over those that survive."""
    N = losses.shape[1]
    R, C = np.zeros((len(losses) + 1, N)), np.zeros((len(losses) + 1, N))
    P = np.zeros(losses.shape)
    S: list[int] = []
    for t, l in enumerate(losses, start=1):
        S = [*(tau for tau in S if exact or t <= tau + 4 * (tau & -tau)), t]
        r, c = R[S], C[S]
        a, b = np.maximum(r + 1, 0) ** 2 / (3 * (c + 1)), np.maximum(r - 1, 0) ** 2 / (3 * (c + 1))
        p = (np.array(S, dtype=float)[:, None] ** -2 * np.exp(b) * np.expm1(a - b)).sum(axis=0)
        P[t - 1] = p / p.sum()
        gained = P[t - 1] @ l - l
        R[S] += gained
        C[S] += np.abs(gained)
    return P


def on_intervals(losses: Array, make: Make = AdaNormalHedgeTV, exact: bool = False) -> float:
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


def born(first: int, last: int, experts: int, lives: int = 1) -> float:
    """A of Luo 2016, section 2.3.3: of the copy that was born in round `first`, or of several that cover the rounds."""
    Z = sum(t**-2 for t in range(1, last + 1))
    B = 2.5 + 1.5 * math.log(1.0 + last)
    return lives * 3.0 * (math.log(experts * first**2 * Z) + math.log(B) + 1.0)


SPECIMEN = Specimen(
    AdaNormalHedgeTV,
    settings=(
        {},
        {"exact": True},
        {"experts": NAMES},
        {"experts": 1},
        {"experts": 40, "loss_range": (-3.0, 2.0)},
    ),
    formulas={
        "": Formula(lambda l: normal_hedge_tv(l, False)),
        "exact": Formula(lambda l: normal_hedge_tv(l, True), {"exact": True}, (), frozenset({"200 experts"})),
    },
    theorems={
        "": Theorem(on_intervals),
        "exact": Theorem(partial(on_intervals, exact=True), rounds=600, long=False),
    },
)


def test_who_survives() -> None:
    """Errata 33, for all t up to 2^11, and beside its definition."""
    before: set[int] = set()
    for t in range(1, 2049):
        now = alive(t)
        assert now == sorted(now)
        assert set(now) - before == {t}
        assert len(now) <= 2 * (1 + math.log2(t))
        before = set(now)
        if t < 300:
            assert now == survivors(t)
            assert all(any(s <= tau <= (s + t) / 2 for tau in now) for s in range(1, t + 1))
    assert alive(5, True) == [1, 2, 3, 4, 5]


def test_tv_says_its_bound_on_an_interval() -> None:
    losses = adversaries.switch_at_half(1000)
    exact, kept = AdaNormalHedgeTV(exact=True, experts=10), AdaNormalHedgeTV(experts=10)
    for player in (exact, kept):
        assert player.regret_bound().value == 0.0
        loss = player.run(losses).loss
        for first in (1, 2, 501, 993, 1000):
            R = (loss[first - 1 :, None] - losses[first - 1 :]).sum(axis=0)
            assert R.max() <= player.regret_bound(first=first).value
            assert R[3] <= player.regret_bound(3, first=first).value
        assert player.regret_bound(first=1001).value == 0.0
        with pytest.raises(ValueError, match="first is `1002`, expected the number of a round, 1 to 1001"):
            player.regret_bound(first=1002)
    assert exact.regret_bound(first=501).value < kept.regret_bound(first=501).value
    with pytest.raises(TypeError, match="exact is `1`"):
        AdaNormalHedgeTV(exact=1)


def test_a_state_of_tv_has_the_rows_of_its_round() -> None:
    player = AdaNormalHedgeTV(experts=3)
    player.run(np.random.default_rng(0).random((100, 3)))
    state = player.state()
    assert len(state["R"]) == 3 * len(alive(101))
    for wrong in ({"rounds": 10.0}, {"rounds": -1.0}, {"rounds": np.nan}, {"R": state["R"][:-3]}):
        with pytest.raises(ValueError, match=r"has not one number per expert and birth|is no number of rounds"):
            AdaNormalHedgeTV(experts=3).set_state({**state, **wrong})


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("first", [1, 33, 64, 90])
def test_from_a_round_on(first: int, exact: bool) -> None:
    """33 = 2^0 33 is long dead in round 90, 64 and 90 live; without its sums C is as large as the rounds are many."""
    player = AdaNormalHedgeTV(exact=exact, loss_range=RANGE)
    seen = seen_by(player, 90, MIXED)
    since = 90 - first + 1
    C = np.abs(seen.r[first - 1 :]).sum(axis=0)
    roots = np.sqrt(born(first, 90, 5) * C)
    if first in (1, 33) and not exact:
        roots = np.full(5, math.sqrt(born(90, 90, 5, since.bit_length()) * since))
    assert player.regret_bound(MIXED, first=first).value == pytest.approx(8.0 * float(MIXED @ roots), rel=1e-9)
