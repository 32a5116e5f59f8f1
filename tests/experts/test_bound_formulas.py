"""What `regret_bound` says is the right-hand side of the theorem, computed anew from the losses that were played: with
other ranges of losses, priors, confidences, competitors of every kind, and after experts were forgotten."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from afterwit.experts import (
    AdaNormalHedge,
    AdaNormalHedgeTV,
    AdaptMLProd,
    Boa,
    FixedShare,
    FollowTheLeadingHistory,
    Halving,
    Hedge,
    Mixture,
    MLPol,
    NormalHedge,
    NormalHedgeDT,
    Randomized,
    TwoNorm,
)
from tests.experts.formulas import Array
from tests.experts.games import confidences

RANGE = (-2.0, 6.0)  # 8 wide
EPS = 0.3  # of five experts: the two best
MIXED = np.array([0.5, 0.1, 0.0, 0.15, 0.25])
PRIOR = np.array([3.0, 1.0, 0.5, 2.0, 1.0])


@dataclass(frozen=True)
class Seen:
    """The regrets of every round in units of the range, who was awake, and what is asked for."""

    r: Array
    awake: Array
    competitor: Any

    @property
    def T(self) -> int:
        return len(self.r)

    @property
    def N(self) -> int:
        return self.r.shape[1]

    @property
    def C(self) -> Array:
        return np.abs(self.r).sum(axis=0)

    @property
    def V(self) -> Array:
        return (self.r**2).sum(axis=0)

    @property
    def eps(self) -> float:
        return self.competitor if isinstance(self.competitor, float) else 1.0 / self.N

    @property
    def u(self) -> Array:
        if isinstance(self.competitor, np.ndarray):
            return self.competitor
        if isinstance(self.competitor, int):
            return np.eye(self.N)[self.competitor]
        count = math.ceil(self.N * self.eps - 1e-9)
        return np.isin(np.arange(self.N), np.argsort(-self.r.sum(axis=0))[:count]) / count


def losses_of(rounds: int, experts: int = 5, seed: int = 0) -> Array:
    """In [0, 1]; the second expert is good, the others take turns to be."""
    l = np.random.default_rng(seed).random((rounds, experts))
    l[:, 1] *= 0.6
    l[rounds // 2 :, 3] *= 0.3
    return l


def seen_by(player: Any, rounds: int, competitor: Any, I: Array | None = None) -> Seen:
    """Plays, in two runs."""
    low, high = player.loss_range
    l = low + (high - low) * losses_of(rounds)
    half = rounds // 2
    parts = [player.run(l[t], None if I is None else I[t]).loss for t in (slice(0, half), slice(half, None))]
    rated = np.ones(l.shape) if I is None else I
    r = rated * (np.concatenate(parts)[:, None] - l) / (high - low)
    return Seen(np.where(rated > 0.0, r, 0.0), rated > 0.0, competitor)


def exponential(s: Seen, eta: float) -> float:
    return math.log(1.0 / s.eps) / eta + s.T * eta / 2.0


def doubling(s: Seen, top: float) -> float:
    """The bound of every epoch that has begun, each at its own rate."""
    total, start, length = 0.0, 0, 2
    while start < s.T:
        eta = math.sqrt(2.0 * math.log(1.0 / top) / length)
        total += math.log(1.0 / s.eps) / eta + length * eta / 2.0
        start, length = start + length, 2 * length
    return total


def corollary_2(s: Seen) -> float:
    return math.sqrt(3.0 * s.T * math.log(math.expm1(4.0 / 3.0) * (math.log(s.T) + 1.0) / (2.0 * s.eps) + 1.0))


def theorem_6(s: Seen, C: Array, prior: Array | None = None) -> float:
    q = np.full(s.N, 1.0 / s.N) if prior is None else prior / prior.sum()
    u, some = s.u, s.u > 0.0
    entropy = float((u[some] * np.log(u[some] / q[some])).sum())
    B = 1.0 + 1.5 * float(q @ (1.0 + np.log(1.0 + C)))
    last = [math.log(1.0 + math.log(s.N))]
    if len(set(u[some].tolist())) == 1:
        last.append(1.0)
    return math.sqrt(float(u @ C) * 3.0 * (entropy + math.log(B) + min(last)))


def adapt_ml_prod(s: Seen) -> float:
    K = s.N
    C = 3.0 * math.log(K) + math.log(1.0 + K / (2.0 * math.e) * (1.0 + math.log(s.T + 1.0)))
    return float(s.u @ (C / math.sqrt(math.log(K)) * np.sqrt(1.0 + s.V) + 2.0 * C))


def boa(s: Seen) -> float:
    logs = math.log(s.N)
    falls = 1.0 / (4.0 * logs) + float(np.mean([math.log(max(1.0, v / (4.0 * logs))) for v in s.V]))
    B = 1.0 + falls / (2.0 * math.e)
    each = [(logs + math.log(B)) * max(2.0, math.sqrt(v / logs)) + 2.0 * math.sqrt(v * logs) + 0.5 for v in s.V]
    return float(s.u @ each)


def ml_pol(s: Seen) -> float:
    S = float((1.0 + np.log(1.0 + s.V)).sum())
    return float(s.u @ np.sqrt((1.0 + s.V) * S))


def share(s: Seen, eta: float, alpha: float, segments: int = 1) -> float:
    shifts = segments - 1
    logs = math.log(s.N) + shifts * math.log(s.N / alpha) - (s.T - 1 - shifts) * math.log(1.0 - alpha)
    return logs / eta + eta * s.T / 8.0


def share_tuned(s: Seen, segments: int = 1) -> float:
    eta = [math.sqrt(math.log(s.N * (t + 1)) / (t + 1)) for t in range(1, s.T + 1)]
    middle = sum(math.log(1.0 + 1.0 / t) / eta[t - 1] for t in range(1, s.T))
    return segments * math.log(s.N * s.T) / eta[-1] + middle + sum(eta) / 8.0


Make = Callable[[], Any]
#: Name -> the player, and the theorem for losses in [0, 1].
PLAYERS: dict[str, tuple[Make, Callable[[Seen], float]]] = {
    "Hedge, rate": (lambda: Hedge(rate=0.2, loss_range=RANGE), lambda s: exponential(s, 0.2)),
    "Hedge, horizon": (
        lambda: Hedge(horizon=90, loss_range=RANGE),
        lambda s: exponential(s, math.sqrt(2.0 * math.log(5.0) / 90)),
    ),
    "Hedge, eps": (
        lambda: Hedge(horizon=200, eps=0.4, loss_range=RANGE),
        lambda s: exponential(s, math.sqrt(2.0 * math.log(2.5) / 200)),
    ),
    "Hedge, doubling": (lambda: Hedge(loss_range=RANGE), lambda s: doubling(s, 0.2)),
    "Hedge, doubling, eps": (lambda: Hedge(eps=0.4, loss_range=RANGE), lambda s: doubling(s, 0.4)),
    "TwoNorm": (lambda: TwoNorm(loss_range=RANGE), lambda s: math.sqrt(s.T / s.eps)),
    "AdaNormalHedge": (lambda: AdaNormalHedge(loss_range=RANGE), lambda s: theorem_6(s, s.C)),
    "AdaNormalHedge, prior": (
        lambda: AdaNormalHedge(PRIOR, loss_range=RANGE),
        lambda s: theorem_6(s, s.C, PRIOR),
    ),
    "NormalHedgeDT": (
        lambda: NormalHedgeDT(loss_range=RANGE),
        lambda s: min(corollary_2(s), theorem_6(s, np.full(s.N, float(s.T)))),
    ),
    "NormalHedgeDT, prior": (
        lambda: NormalHedgeDT(PRIOR, loss_range=RANGE),
        lambda s: theorem_6(s, np.full(s.N, float(s.T)), PRIOR),
    ),
    "AdaptMLProd": (lambda: AdaptMLProd(loss_range=RANGE), adapt_ml_prod),
    "Boa": (lambda: Boa(loss_range=RANGE), boa),
    "MLPol": (lambda: MLPol(loss_range=RANGE), ml_pol),
    "FixedShare": (lambda: FixedShare(0.3, 0.02, loss_range=RANGE), lambda s: share(s, 0.3, 0.02)),
    "FixedShare, tuned": (lambda: FixedShare(loss_range=RANGE), share_tuned),
}
COMPETITORS = {"the best": None, "an expert": 2, "the best two": EPS, "a mixture": MIXED}


@pytest.mark.parametrize("rounds", [6, 90])
@pytest.mark.parametrize("competitor", COMPETITORS)
@pytest.mark.parametrize("name", PLAYERS)
def test_it_is_the_formula(name: str, competitor: str, rounds: int) -> None:
    make, formula = PLAYERS[name]
    player = make()
    seen = seen_by(player, rounds, COMPETITORS[competitor])
    assert player.regret_bound(COMPETITORS[competitor]).value == pytest.approx(8.0 * formula(seen), rel=1e-9)


RATED: dict[str, tuple[Make, Callable[[Seen], float]]] = {
    **{name: PLAYERS[name] for name in ("AdaNormalHedge", "AdaNormalHedge, prior", "AdaptMLProd", "Boa", "MLPol")},
    "NormalHedgeDT": (lambda: NormalHedgeDT(loss_range=RANGE), lambda s: theorem_6(s, s.awake.sum(axis=0) * 1.0)),
}


@pytest.mark.parametrize("competitor", COMPETITORS)
@pytest.mark.parametrize("name", RATED)
def test_with_confidences(name: str, competitor: str) -> None:
    make, formula = RATED[name]
    player = make()
    I = np.maximum(confidences(np.ones((90, 5))), np.eye(5)[2])  # somebody is always awake: every round counts
    seen = seen_by(player, 90, COMPETITORS[competitor], I)
    assert player.regret_bound(COMPETITORS[competitor]).value == pytest.approx(8.0 * formula(seen), rel=1e-9)


@pytest.mark.parametrize("prior", [None, dict(zip("abcde", PRIOR.tolist(), strict=True))])
@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT, MLPol])
def test_who_was_forgotten_stays_in_the_bound(cls: type[Any], prior: Any) -> None:
    """As if they slept: two are forgotten one after the other, and everybody else is awake in all rounds."""
    given = {} if cls is MLPol else {"prior": prior}
    player = cls(experts=list("abcde"), loss_range=RANGE, **given)
    r, awake = np.zeros((60, 5)), np.ones((60, 5), dtype=bool)
    awake[20:, 1], awake[40:, 4] = False, False
    l = losses_of(60)
    for t in range(60):
        if t in (20, 40):
            player.forget("b" if t == 20 else "e")
        row = {name: -2.0 + 8.0 * l[t, i] for i, name in enumerate("abcde") if awake[t, i]}
        loss = player.run([row]).loss[0]
        r[t] = np.where(awake[t], (loss + 2.0) / 8.0 - l[t], 0.0)
    seen = Seen(r, awake, 2)
    q = None if prior is None or cls is MLPol else PRIOR
    if cls is MLPol:
        expected = ml_pol(seen)
    else:
        expected = theorem_6(seen, seen.C if cls is AdaNormalHedge else awake.sum(axis=0) * 1.0, q)
    assert player.regret_bound("c").value == pytest.approx(8.0 * expected, rel=1e-9)


def test_after_a_newcomer_was_forgotten_corollary_2_is_gone() -> None:
    """All that are left have the same C and prior, but one has been there: N and T are not what the corollary means."""
    player = NormalHedgeDT(experts=["a", "b", "c"])
    player.run([{"a": 0.0, "b": 1.0, "c": 0.5}] * 50)
    corollary = player.regret_bound("a")
    assert corollary.theorem == "Luo 2016, Corollary 2"
    player.forget("c")
    assert "Theorem 6" in str(player.regret_bound("a").theorem)
    assert player.regret_bound("a").value > corollary.value


@pytest.mark.parametrize("segments", [1, 3, 500])
def test_segments(segments: int) -> None:
    few = min(segments, 90)
    for player, formula in (
        (FixedShare(0.3, 0.02, loss_range=RANGE), lambda s: share(s, 0.3, 0.02, few)),
        (FixedShare(0.3, 0.9, loss_range=RANGE), lambda s: max(share(s, 0.3, 0.9), share(s, 0.3, 0.9, few))),
        (FixedShare(loss_range=RANGE), lambda s: share_tuned(s, few)),
    ):
        seen = seen_by(player, 90, None)
        assert player.regret_bound(segments=segments).value == pytest.approx(8.0 * formula(seen), rel=1e-9)


def born(first: int, last: int, experts: int, lives: int = 1) -> float:
    """A of Luo 2016, section 2.3.3: of the copy that was born in round `first`, or of several that cover the rounds."""
    Z = sum(t**-2 for t in range(1, last + 1))
    B = 2.5 + 1.5 * math.log(1.0 + last)
    return lives * 3.0 * (math.log(experts * first**2 * Z) + math.log(B) + 1.0)


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


DELTA = 0.02


def drawn_at(s: Seen, eta: float) -> float:
    """As one that is told what was drawn, or by its own bound."""
    told = exponential(Seen(s.r, s.awake, DELTA / 5), eta)
    return min(told, exponential(s, eta) + math.sqrt(s.T * math.log(1.0 / DELTA)))


DRAWN: dict[str, tuple[Make, Callable[[Seen], float]]] = {
    "TwoNorm": (lambda: TwoNorm(loss_range=RANGE), lambda s: math.sqrt(s.T * 5 / DELTA)),
    "NormalHedgeDT": (
        lambda: NormalHedgeDT(loss_range=RANGE),
        lambda s: corollary_2(Seen(s.r, s.awake, DELTA / 5)),
    ),
    "Hedge, rate": (lambda: Hedge(rate=0.2, loss_range=RANGE), lambda s: drawn_at(s, 0.2)),
    "Hedge, fast": (lambda: Hedge(rate=2.0, loss_range=RANGE), lambda s: drawn_at(s, 2.0)),
    "Hedge, horizon": (
        lambda: Hedge(horizon=90, eps=DELTA / 5, loss_range=RANGE),
        lambda s: drawn_at(s, math.sqrt(2.0 * math.log(5 / DELTA) / 90)),
    ),
    "Hedge, doubling": (
        lambda: Hedge(loss_range=RANGE),
        lambda s: doubling(s, 0.2) + math.sqrt(s.T * math.log(1.0 / DELTA)),
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_of_draws(name: str) -> None:
    make, formula = DRAWN[name]
    player = Randomized(make(), delta=DELTA)
    seen = seen_by(player, 90, None)
    assert player.regret_bound().value == pytest.approx(8.0 * formula(seen), rel=1e-9)


@pytest.mark.parametrize("asleep", [False, True])
def test_of_draws_from_who_learns_as_ever(asleep: bool) -> None:
    """Its own bound is by its expected losses; where somebody slept, delta is shared among the experts."""
    I = np.maximum(confidences(np.ones((90, 5))), np.eye(5)[2]) if asleep else None
    player = Randomized(MLPol(loss_range=RANGE), delta=DELTA)
    seen_by(player, 90, 1, I)
    own = ml_pol(seen_by(MLPol(loss_range=RANGE), 90, 1, I))
    more = math.sqrt(90 * math.log((5 if asleep else 1) / DELTA))
    assert player.regret_bound(1).value == pytest.approx(8.0 * (own + more), rel=1e-9)


@pytest.mark.parametrize("gradient", [True, False])
@pytest.mark.parametrize("loss", ["squared", "absolute", "quantile:0.2", "gain"])
def test_of_a_mixture(loss: str, gradient: bool) -> None:
    """E times the player's bound; E is the largest difference of two losses of a round that the range allows."""
    low, high = 0.5, 2.0
    rng = np.random.default_rng(1)
    F, y = rng.uniform(low, high, (60, 5)), rng.uniform(low, high, 60)
    slopes, values, E = {
        "squared": (lambda m: 2.0 * (m - y), lambda f: (f - y[:, None]) ** 2, 2.0 * 1.5**2 if gradient else 1.5**2),
        "absolute": (lambda m: np.sign(m - y), lambda f: np.abs(f - y[:, None]), 1.5),
        "quantile:0.2": (
            lambda m: np.where(m < y, -0.2, 0.8),
            lambda f: np.where(f < y[:, None], 0.2 * (y[:, None] - f), 0.8 * (f - y[:, None])),
            0.8 * 1.5,
        ),
        "gain": (lambda m: -1.0 / m, lambda f: -np.log(f), 3.0 if gradient else math.log(4.0)),
    }[loss]
    model = Mixture(AdaNormalHedge(), loss, gradient, (low, high))
    history = model.run(F, y)
    l = slopes(history.forecast)[:, None] * F if gradient else values(F)
    r = ((history.weights * l).sum(axis=1)[:, None] - l) / E
    seen = Seen(r, r == r, MIXED)
    assert model.regret_bound(MIXED).value == pytest.approx(E * theorem_6(seen, seen.C), rel=1e-9)


def test_without_a_theorem_there_is_a_reason() -> None:
    for player, competitor, words in (
        (NormalHedge(experts=2), None, "no constants"),
        (AdaNormalHedge(prior=[1.0, 0.0]), 1, "whose prior is 0"),
        (Hedge(eps=1.0, experts=2), None, "ask for competitor=1.0"),
    ):
        player.run([[0.0, 1.0]] * 3)
        assert player.regret_bound(competitor).value is None
        assert words in str(player.regret_bound(competitor).reason)
    assert Hedge(eps=1.0, experts=2).regret_bound(1.0).value == 0.0
    halving = Halving(experts=8)
    halving.update([1.0] * 5 + [0.0] * 3)
    assert halving.regret_bound().value == pytest.approx(math.log(8.0))
    assert halving.regret_bound(0.5).value is None


def test_a_fraction_is_so_many_of_the_best() -> None:
    """0.28 of 25 are seven, though 25 * 0.28 is a little above 7 in floats (errata 37)."""
    player = AdaNormalHedge(experts=25)
    history = player.run(losses_of(50, 25))
    assert 25 * 0.28 > 7.0
    for k in (1, 7, 8, 25):
        u = np.isin(np.arange(25), np.argsort(-history.regret)[:k]) / k
        assert player.regret_bound(k / 25).value == pytest.approx(player.regret_bound(u).value, rel=1e-12)
