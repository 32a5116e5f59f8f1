"""Follow the leading history."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

from afterwit import regret
from afterwit.experts import (
    AdaNormalHedge,
    AdaNormalHedgeTV,
    FixedShare,
    FollowTheLeadingHistory,
    Halving,
    Hedge,
    MLPol,
    NormalHedgeDT,
    Randomized,
)
from afterwit.registry import fresh, state
from afterwit.registry.plain import same
from tests import adversaries
from tests.experts.formulas import Array
from tests.experts.games import GAMES
from tests.experts.seen import RANGE, seen_by
from tests.experts.specimen import NAMES, Formula, Make, Specimen, Theorem
from tests.experts.specimens.test_ada_normal_hedge_tv import born
from tests.experts.theorems import hold, intervals

ETA = 0.3


def formula(losses: Array, rate: float | None, exact: bool) -> Array:
    """Errata 34; without a rate the master is Algorithm 6 over the copies with the prior tau^-2."""
    T, N = losses.shape
    S, L, m = [1], np.zeros((T + 2, N)), np.zeros(T + 2)
    R, C, P = np.zeros(T + 2), np.zeros(T + 2), np.zeros(losses.shape)
    m[1] = 1.0
    for t, l in enumerate(losses, start=1):
        p = np.exp(-ETA * (L[S] - L[S].min(axis=1, keepdims=True)))
        p /= p.sum(axis=1, keepdims=True)
        a, b = np.maximum(R[S] + 1, 0) ** 2 / (3 * (C[S] + 1)), np.maximum(R[S] - 1, 0) ** 2 / (3 * (C[S] + 1))
        w = np.array(S) ** -2.0 * np.exp(b) * np.expm1(a - b)
        shares = m[S] if rate is not None else w / w.sum()
        P[t - 1] = shares @ p
        each = p @ l
        r = shares @ each - each
        R[S] += r
        C[S] += np.abs(r)
        L[S] += l
        m[S] *= np.exp(-(rate or 0.0) * each)
        S = [tau for tau in S if exact or t + 1 <= tau + 4 * (tau & -tau)]
        m[S] *= (1.0 - 1.0 / (t + 1)) / m[S].sum()
        S.append(t + 1)
        m[t + 1] = 1.0 / (t + 1)
    return P


def on_intervals(
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


QUICK = frozenset({"ties", "switch at half", "one expert", "one round", "all lose"})
MASTERS: dict[str, dict[str, Any]] = {"rate": {"rate": 0.5}, "ada-normal-hedge": {}}


def formulas(exact: bool) -> dict[str, Formula]:
    """By name of the master, over exponential weights."""
    return {
        f"{name}{', exact' if exact else ''}": Formula(
            lambda l, given=given: formula(l, given.get("rate"), exact),
            {"base": Hedge(rate=ETA), "exact": exact, **given},
            quick=QUICK,
            rounds=300 if exact else None,
        )
        for name, given in MASTERS.items()
    }


SPECIMEN = Specimen(
    FollowTheLeadingHistory,
    settings=(
        {"base": Hedge(rate=0.3), "rate": 0.5},
        {"base": Hedge(experts=NAMES), "exact": True},
        {"base": AdaNormalHedge(prior=[0.5, 0.0, 3.0], loss_range=(-3.0, 2.0)), "master": NormalHedgeDT()},
        {"base": AdaNormalHedgeTV(experts=40)},
        {"base": FixedShare(experts=1), "rate": 1e6},
    ),
    formulas={**formulas(False), **formulas(True)},
    theorems={
        "rate": Theorem(on_intervals, bites=()),
        "ada-normal-hedge": Theorem(partial(on_intervals, rate=None), bites=()),
        "rate, exact": Theorem(partial(on_intervals, exact=True), rounds=600, long=False),
        "ada-normal-hedge, exact": Theorem(partial(on_intervals, rate=None, exact=True), rounds=600, long=False),
    },
)


def test_a_huge_rate_plays_a_distribution() -> None:
    player = FollowTheLeadingHistory(Hedge(rate=ETA, experts=3), rate=1e6)
    P = player.run(GAMES["all lose"], keep="weights").weights
    assert np.allclose(P.sum(axis=1), 1.0)
    P = player.run(np.random.default_rng(0).random((500, 3)), keep="weights").weights
    assert np.allclose(P.sum(axis=1), 1.0)
    assert (P >= 0.0).all()


def test_the_best_of_those_with_a_share_keeps_it() -> None:
    """The second copy, whose share vanished in round 4, is the best in round 5: it must not take the others along."""
    player = FollowTheLeadingHistory(Hedge(rate=1.0, experts=2), rate=1e6, exact=True)
    player.run([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.6, 0.5], [0.0, 1.0]])
    assert player.play()[0] == pytest.approx(5 / 6 / (1.0 + np.exp(-1.0)) + 1 / 6 / 2)


@pytest.mark.parametrize("given", MASTERS.values(), ids=MASTERS)
def test_it_says_its_bound(given: dict[str, Any]) -> None:
    losses = adversaries.switch_at_half(400)
    player = FollowTheLeadingHistory(AdaNormalHedge(experts=10), exact=True, **given)
    assert player.regret_bound().value == 0.0
    loss = player.run(losses).loss
    for first in (1, 201, 399):
        R = (loss[first - 1 :, None] - losses[first - 1 :]).sum(axis=0)
        assert R.max() <= player.regret_bound(first=first).value
        assert R[4] <= player.regret_bound(4, first=first).value
    pruned = FollowTheLeadingHistory(AdaNormalHedge(experts=10), **given)
    pruned.run(losses)
    assert pruned.regret_bound(first=1).reason is not None
    assert pruned.regret_bound(first=399).value > 0.0


def test_a_copy_of_halving_may_refuse_a_round() -> None:
    player = FollowTheLeadingHistory(Halving(experts=3), rate=0.5)
    player.update([0, 1, 1])
    player.update([0, 1, 0])
    before = state(player)
    with pytest.raises(ValueError, match="so that nobody is left"):
        player.update([1, 0, 0])
    assert same(before, state(player))


@pytest.mark.parametrize("given", [{"rate": 0.5}, {}], ids=["rate", "master"])
def test_another_range_is_a_change_of_units(given: dict[str, Any]) -> None:
    losses = GAMES["switch at half"][900:1100]
    plain = FollowTheLeadingHistory(Hedge(rate=0.3), **given).run(losses, keep="weights")
    other = FollowTheLeadingHistory(Hedge(rate=0.3, loss_range=(-2.0, 6.0)), **given)
    scaled = other.run(8.0 * losses - 2.0, keep="weights")
    np.testing.assert_allclose(scaled.weights, plain.weights, rtol=0.0, atol=1e-10)
    np.testing.assert_allclose(scaled.loss, 8.0 * plain.loss - 2.0, rtol=1e-10)
    np.testing.assert_allclose(scaled.regret, 8.0 * plain.regret, atol=1e-8)


def test_the_base_is_copied() -> None:
    base = Hedge(rate=0.5, experts=2)
    base.update([0.0, 1.0])
    player = FollowTheLeadingHistory(base)
    player.update([1.0, 0.0])
    assert player.play()[1] > 0.5
    assert base.play()[0] > 0.5
    assert fresh(player).play().tolist() == [0.5, 0.5]
    assert repr(player) == "FollowTheLeadingHistory(base=Hedge(rate=0.5, experts=2))"


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: FollowTheLeadingHistory(Hedge), "base is a `ABCMeta`|base is a `type`"),
        (lambda: FollowTheLeadingHistory(FollowTheLeadingHistory(Hedge())), "which holds another player"),
        (lambda: FollowTheLeadingHistory(Randomized(Hedge())), "base is a `Randomized`, which holds another player"),
        (lambda: FollowTheLeadingHistory(Hedge(), rate=0.0), r"rate is `0.0`"),
        (lambda: FollowTheLeadingHistory(Hedge(), rate=1.0, master=AdaNormalHedge()), "rate and master are both given"),
        (lambda: FollowTheLeadingHistory(Hedge(), master=MLPol()), r"master is `MLPol\(\)`, expected AdaNormalHedge"),
        (lambda: FollowTheLeadingHistory(Hedge(), master=NormalHedgeDT(prior=[1.0])), "master is `NormalHedgeDT"),
        (lambda: FollowTheLeadingHistory(Hedge(), exact=1), "exact is `1`"),
        (lambda: FollowTheLeadingHistory(Hedge(experts=2)).regret_bound(first=2), "first is `2`"),
        (lambda: FollowTheLeadingHistory(AdaNormalHedge(experts=2)).update([0.5, np.nan]), "experts that sleep"),
        (lambda: FollowTheLeadingHistory(AdaNormalHedge()).update([0.5, 0.5], [1.0, 0.5]), "the confidence 0.5"),
    ],
)
def test_what_is_wrong_says_so(act: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        act()


def test_a_state_of_other_copies_is_refused() -> None:
    player = FollowTheLeadingHistory(Hedge(rate=0.3, experts=3), rate=0.5)
    player.run(np.random.default_rng(0).random((50, 3)))
    good = player.state()
    other = FollowTheLeadingHistory(Hedge(rate=0.3, experts=3), rate=0.5)
    shares = good["master"]["shares"]
    assert shares.sum() == pytest.approx(1.0)
    for wrong in (
        {"copies": good["copies"][1:]},
        {"rounds": -1.0},
        {"master": {"shares": np.ones(2)}},
        {"master": {"shares": 2.0 * shares}},
        {"master": {"shares": np.nan * shares}},
        {"master": {"shares": np.r_[shares[0] - 1.0, shares[1] + 1.0, shares[2:]]}},
    ):
        before = state(other)
        with pytest.raises(ValueError, match=r"are not those of its round|expected a whole number from 0 on"):
            other.set_state({**good, **wrong})
        assert same(before, state(other))


@pytest.mark.parametrize("rate", [0.25, None])
@pytest.mark.parametrize("first", [64, 90])
def test_of_the_leading_history(first: int, rate: float | None) -> None:
    player = FollowTheLeadingHistory(Hedge(rate=0.2, loss_range=RANGE), rate=rate)
    seen_by(player, 90, None)
    since = 90 - first + 1
    base = math.log(5.0) / 0.2 + since * 0.2 / 2.0
    master = math.log(90) / 0.25 + 0.25 * since / 8.0 if rate else math.sqrt(born(first, 90, 1) * since)
    assert player.regret_bound(first=first).value == pytest.approx(8.0 * (base + master), rel=1e-9)
    assert player.regret_bound(first=33).value is None
