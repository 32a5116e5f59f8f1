"""AdaNormalHedge, and what it shares with NormalHedge.DT."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

from afterwit import regret
from afterwit.experts import AdaNormalHedge, NormalHedgeDT
from tests import adversaries
from tests.experts.formulas import Array, difference, game
from tests.experts.games import GAMES, RNG, confidences
from tests.experts.seen import PRIOR, Seen
from tests.experts.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.experts.theorems import competitors, hold, horizons


def normal_hedge_of(d: int, losses: Array, q: Array | None = None, I: Array | None = None) -> Array:
    """Algorithm 6 with C the sum of |r|^d; d = 1 is AdaNormalHedge, d = 0 NormalHedge.DT."""
    R, C = np.zeros(losses.shape[1]), np.zeros(losses.shape[1])

    def weigh(t: int) -> Array:
        # exp(a) - exp(b), written so that it neither overflows nor cancels (errata 25).
        a, b = np.maximum(R + 1, 0) ** 2 / (3 * (C + 1)), np.maximum(R - 1, 0) ** 2 / (3 * (C + 1))
        return np.asarray(np.exp(b - b.max()) * np.expm1(a - b))

    def learn(r: Array, l: Array, I: Array) -> None:
        R[:] += r
        C[:] += np.abs(r) if d == 1 else I > 0.0

    return game(losses, weigh, learn, q, I)


def any_competitor(
    losses: Array, make: Make = AdaNormalHedge, prior: Array | None = None, I: Array | None = None, d: int = 1
) -> float:
    """Luo 2016, Theorem 4, both forms and that of one expert, and Theorem 5, part 1; with confidences, Theorem 6.

    With d = 0, section 2.3.1.
    """
    N = losses.shape[1]
    loss = make(experts=N, prior=prior).run(losses, I).loss
    rated = np.ones(losses.shape) if I is None else I
    r = rated * (loss[:, None] - losses)
    q = None if prior is None else prior / prior.sum()
    nearest = 0.0
    for T in horizons(len(losses)):
        R, C = r[:T].sum(axis=0), np.abs(r[:T]).sum(axis=0) if d == 1 else (rated[:T] > 0.0).sum(axis=0).astype(float)
        over = np.maximum(-r[:T], 0.0).sum(axis=0)
        for i in range(N if d == 1 else 0):
            nearest = max(nearest, hold(float(R[i]), regret.ada_normal_hedge_expert(C, i, q), T))
        for u, subset in competitors(R):
            measured = float(u @ R)
            factors = [regret.any_competitor_factor(u, C, q)]
            hold(measured, regret.ada_normal_hedge(u, C, q), T)
            if subset:
                nearest = max(nearest, hold(measured, regret.ada_normal_hedge_subset(u, C, q), T))
                factors.append(regret.subset_factor(u, C, q))
            if d == 1:
                for A in factors:
                    hold(measured, regret.small_loss(float(u @ over), A), T)
                    hold(measured, regret.small_loss(float(u @ (rated[:T] * losses[:T]).sum(axis=0)), A), T)
    return nearest


def theorem_6(s: Seen, C: Array, prior: Array | None = None) -> float:
    q = np.full(s.N, 1.0 / s.N) if prior is None else prior / prior.sum()
    u, some = s.u, s.u > 0.0
    entropy = float((u[some] * np.log(u[some] / q[some])).sum())
    B = 1.0 + 1.5 * float(q @ (1.0 + np.log(1.0 + C)))
    last = [math.log(1.0 + math.log(s.N))]
    if len(set(u[some].tolist())) == 1:
        last.append(1.0)
    return math.sqrt(float(u @ C) * 3.0 * (entropy + math.log(B) + min(last)))


#: Of a theorem, for up to ten experts.
TEN = np.array([0.02, 0.3, 0.0, 1.0, 2.0, 1e-6, 0.5, 0.5, 0.1, 0.7]) + 1e-9


def with_prior(losses: Array, make: Make = AdaNormalHedge) -> float:
    return any_competitor(losses, make, prior=TEN[: losses.shape[1]], I=confidences(losses))


def half_sure(losses: Array, make: Make = AdaNormalHedge) -> float:
    return any_competitor(losses, make, I=np.resize([1.0, 0.5], losses.shape))


SPECIMEN = Specimen(
    AdaNormalHedge,
    settings=(
        {},
        {"prior": [0.5, 0.0, 3.0, 1e-200]},
        {"prior": {"a": 1.0, "b": 2.0}},
        {"experts": 40, "loss_range": (-3.0, 2.0)},
    ),
    formulas={"": Formula(partial(normal_hedge_of, 1))},
    theorems={
        "any u": Theorem(any_competitor),
        "rated": Theorem(lambda losses, make: any_competitor(losses, make, I=confidences(losses))),
        "half sure": Theorem(half_sure),
        "prior": Theorem(with_prior),
    },
    bounds={
        "": BoundFormula(lambda s: theorem_6(s, s.C)),
        "prior": BoundFormula(lambda s: theorem_6(s, s.C, PRIOR), {"prior": PRIOR}),
    },
    lost_at=-1.0,
    small=True,
)
NORMAL = [(AdaNormalHedge, 1), (NormalHedgeDT, 0)]


@pytest.mark.parametrize(("cls", "d"), NORMAL)
def test_priors_with_zeros(cls: type[Any], d: int) -> None:
    losses = GAMES["random"]
    q = np.array([0.0, 1.0, 0.3, 1e-8, 0.0, 7.0, 1e-3, 1e-3, 2.0, 0.0])
    assert difference(cls(prior=q), losses, normal_hedge_of(d, losses, q)) < 1e-10
    I = confidences(losses)
    P = normal_hedge_of(d, losses, q, I)
    assert difference(cls(prior=q), losses, P, I) < 1e-10
    assert not P[:, q == 0.0].any()


@pytest.mark.parametrize(("cls", "d"), NORMAL)
def test_all_awake_weights_are_zero(cls: type[Any], d: int) -> None:
    """Experts 1 and 2 have lost by more than 1 when they are left alone: p is prop. to q I (errata 22)."""
    losses = np.array([[0.0, 1.0, 1.0]] * 20 + [[0.3, 0.2, 0.4]] * 5)
    I = np.ones(losses.shape)
    I[20:] = [0.0, 0.5, 1.0]
    q = np.array([1.0, 1.0, 0.25])
    player = cls(prior=q)
    player.run(losses[:20], I[:20])
    assert player.play()[1:].tolist() == [0.0, 0.0]
    assert player.play([0.0, 0.5, 1.0]) == pytest.approx([0.0, 2 / 3, 1 / 3])
    assert difference(cls(prior=q), losses, normal_hedge_of(d, losses, q, I), I) < 1e-10


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_exponents_in_the_thousands(cls: type[Any]) -> None:
    """A foreign R with R^2/3C up to 30,000, where exp is infinite (errata 25)."""
    player = cls(experts=5)
    R, C = np.array([100000.0, 99999.5, 2127.0, -3.0, 0.5]), np.array([1e5, 1e5, 2127.0, 5.0, 2.0])
    player.set_state({**player.state(), "R": R, "C": C})
    a, b = np.maximum(R + 1, 0) ** 2 / (3 * (C + 1)), np.maximum(R - 1, 0) ** 2 / (3 * (C + 1))
    logs = np.where(R >= 1, 4 * R / (3 * (C + 1)), a)
    w = np.exp(b - b.max()) * np.expm1(logs)
    assert player.play() == pytest.approx(w / w.sum(), rel=1e-10, abs=1e-300)
    player.update([0.5, 0.0, 1.0, 0.0, 1.0])
    assert player.play().sum() == pytest.approx(1.0)


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_tiny_priors(cls: type[Any]) -> None:
    """A prior 2^-i over a thousand experts: those far behind are played alone as if the first were not there."""
    q = 0.5 ** np.arange(1000)
    losses = RNG.random((50, 1000))
    I = np.zeros(losses.shape)
    I[:, 900:] = 1.0
    whole, tail = cls(prior=q), cls(prior=q[900:])
    P = whole.run(losses, I, keep="weights").weights
    assert np.abs(P[:, 900:] - tail.run(losses[:, 900:], keep="weights").weights).max() < 1e-10


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_near_minus_one_no_digit_is_lost(cls: type[Any]) -> None:
    """R = -1 + 1e-9: w is about 1e-19, and not 0 (errata 25)."""
    player = cls(experts=2)
    R = np.array([-1.0 + 1e-9, -1.0])
    player.set_state({**player.state(), "R": R, "C": np.array([1.0, 1.0])})
    assert player.play().tolist() == [1.0, 0.0]
    player.set_state({**player.state(), "R": np.array([-1.0 + 1e-9, -1.0 + 2e-9])})
    assert player.play()[1] == pytest.approx(0.8, rel=1e-6)


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_tiny_priors_of_all_who_are_left(cls: type[Any]) -> None:
    """The first has lost; of the others q w is about 1e-319, where a double has hardly a digit."""
    player = cls(prior=[1.0, 1e-300, 1e-300])
    R = np.array([-3.0, -1.0 + 1e-9, -1.0 + 2e-9])
    player.set_state({**player.state(), "R": R, "C": np.full(3, 3.0)})
    assert player.play() == pytest.approx([0.0, 0.2, 0.8], rel=1e-6)


@pytest.mark.parametrize(
    ("R", "C"),
    [([30.0, 28.0, 5.0, 0.0], [1.0, 1.0, 0.0, 1.0]), ([3.0, 2.0, 0.5, -0.5], [10.0, 4.0, 7.0, 1.0])],
    ids=["R above C", "others have slept"],
)
@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_a_state_from_elsewhere(cls: type[Any], R: Any, C: Any) -> None:
    player = cls(experts=4)
    R, C = np.array(R), np.array(C)
    player.set_state({**player.state(), "R": R, "C": C})
    a, b = np.maximum(R + 1, 0) ** 2 / (3 * (C + 1)), np.maximum(R - 1, 0) ** 2 / (3 * (C + 1))
    w = np.exp(b - b.max()) * np.expm1(a - b)
    assert player.play() == pytest.approx(w / w.sum(), rel=1e-10)


def test_theorem_5_without_growth_in_the_rounds() -> None:
    """Independent losses with a gap of 0.2: the mean regret is at most A/gap, for any number of rounds."""
    gap, regrets, factors = 0.2, [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        losses = (rng.random((5000, 10)) < np.where(np.arange(10) == 0, 0.4, 0.4 + gap)).astype(float)
        player = AdaNormalHedge(experts=10)
        regrets.append(player.run(losses).regret[0])
        C = player.state()["C"]
        factors.append(min(regret.any_competitor_factor(np.eye(10)[0], C), regret.subset_factor(np.eye(10)[0], C)))
    assert 0.0 < np.mean(regrets) <= regret.stochastic(max(factors), gap)


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_the_player_says_its_bound(cls: type) -> None:
    losses = adversaries.small_gaps(500, 8)
    player = cls()
    history = player.run(losses)
    for competitor in (None, 3, 0.25, np.full(8, 1 / 8), np.r_[0.5, 0.3, 0.2, np.zeros(5)]):
        bound = player.regret_bound(competitor)
        assert bound.value is not None
        assert bound.theorem is not None
    assert history.regret.max() <= player.regret_bound().value
    best = np.sort(history.total)[1]
    assert history.loss.sum() - best <= player.regret_bound(0.25).value
    assert cls(prior=[1.0, 0.0]).regret_bound(1).value is None
