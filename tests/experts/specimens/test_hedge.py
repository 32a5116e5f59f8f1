"""Exponential weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from afterwit import regret
from afterwit.experts import Hedge
from tests import adversaries
from tests.experts.formulas import Array, game
from tests.experts.games import ROUNDS, confidences
from tests.experts.seen import Seen
from tests.experts.specimen import NAMES, BoundFormula, Formula, Make, Specimen, Sums, Theorem
from tests.experts.theorems import eps_regret, eps_regrets, hold, horizons


def hedge(losses: Array, rate: float, I: Array | None = None) -> Array:
    """EXP at any rate."""
    return epochs(losses, I, lambda length: rate)


def doubled_hedge(losses: Array, eps: float, I: Array | None = None) -> Array:
    """EXP restarted in epochs of 2, 4, 8, ... rounds."""
    return epochs(losses, I, lambda length: math.sqrt(2.0 * math.log(1.0 / eps) / length), doubles=True)


def epochs(losses: Array, I: Array | None, rate: Callable[[int], float], doubles: bool = False) -> Array:
    """By the losses since the epoch began; who sleeps has those of the player."""
    L, now = np.zeros(losses.shape[1]), {"length": 2, "left": 2}
    rated = np.where(np.isnan(losses), 0.0, 1.0) if I is None else I

    def weigh(t: int) -> Array:
        awake = rated[t] > 0.0
        least = L[awake].min() if awake.any() else 0.0
        return np.where(awake, np.exp(np.minimum(0.0, -rate(now["length"]) * (L - least))), 0.0)

    def learn(r: Array, l: Array, I: Array) -> None:
        k = int(np.argmax(I))
        L[:] += I * l + (1.0 - I) * (r[k] / I[k] + l[k])
        now["left"] -= 1
        if doubles and now["left"] == 0:
            L[:], now["length"], now["left"] = 0.0, 2 * now["length"], 2 * now["length"]

    return game(losses, weigh, learn, I=I)


def any_rate(losses: Array, make: Make = Hedge, rate: float = 0.1) -> float:
    """Luo 2016, section 2.1.4 before its last step."""
    player = make(rate=rate, experts=losses.shape[1])
    return eps_regret(losses, player, lambda T, eps: regret.exponential_weights(T, eps, rate))


def tuned(losses: Array, make: Make = Hedge, eps: float | None = None) -> float:
    """Luo 2016, section 2.1.4, at the horizon that it was tuned for, and the eps."""
    T, N = losses.shape
    top = 1.0 / N if eps is None else eps
    loss = make(horizon=T, eps=eps, experts=N).run(losses).loss
    rank = math.ceil(N * top - 1e-9)
    return hold(float(eps_regrets(loss, losses, T)[rank - 1]), regret.exponential_weights(T, top), T)


def doubles(losses: Array, make: Make = Hedge) -> float:
    """Kashima lecture 11 with errata 16, to the best expert after every round."""
    T, N = losses.shape
    loss = np.cumsum(make(experts=N).run(losses).loss)
    best = np.cumsum(losses, axis=0).min(axis=1)
    every = range(1, T + 1) if T <= 3000 else horizons(T)
    for rounds in every:
        bound = regret.doubling(rounds, math.sqrt(2.0 * math.log(N)))
        ratio = hold(float(loss[rounds - 1] - best[rounds - 1]), bound, rounds)
    assert bound <= math.sqrt(2.0) / (math.sqrt(2.0) - 1.0) * math.sqrt(2.0 * T * math.log(N)) + 1e-9
    return ratio


def asleep(losses: Array, make: Make = Hedge, rate: float = 0.1) -> float:
    """The same where experts sleep or are not sure: who sleeps loses what the player does (Freund et al. 1997)."""
    I, N = confidences(losses), losses.shape[1]
    loss = make(rate=rate, experts=N).run(losses, I).loss
    for T in horizons(len(losses)):
        R = -np.sort(-(I[:T] * (loss[:T, None] - losses[:T])).sum(axis=0))
        rounds = int(I[:T].any(axis=1).sum())
        ratios = [hold(float(R[k]), regret.exponential_weights(rounds, (k + 1) / N, rate), T) for k in range(N)]
    return max(ratios)


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


def of_losses(s: dict[str, Array]) -> Array:
    return np.exp(-0.4 * (s["L"] - s["L"].min()))


SPECIMEN = Specimen(
    Hedge,
    settings=({}, {"rate": 0.3}, {"horizon": 50, "eps": 0.25}, {"experts": NAMES}, {"experts": 1}, {"rate": 1e6}),
    formulas={
        "rate": Formula(lambda l, I=None: hedge(l, 0.3, I), {"rate": 0.3}),
        # Indifferent to the scale of all losses.
        "huge rate": Formula(lambda l: hedge(l, 1e4), {"rate": 1e4}, bites=("sign", "memory"), rated=False),
        "horizon": Formula(
            lambda l, I=None: hedge(l, math.sqrt(2.0 * math.log(l.shape[1]) / ROUNDS), I), {"horizon": ROUNDS}
        ),
        "eps": Formula(lambda l, I=None: hedge(l, math.sqrt(2.0 * math.log(2.0) / 10), I), {"horizon": 10, "eps": 0.5}),
        "doubling": Formula(lambda l, I=None: doubled_hedge(l, 1.0 / l.shape[1], I)),
    },
    theorems={
        "rate 0.1": Theorem(any_rate, bites=("sign", "memory", "rate")),
        "rate 2": Theorem(partial(any_rate, rate=2.0), bites=()),
        "tuned": Theorem(tuned, bites=("sign", "memory", "rate")),
        "tuned for eps": Theorem(partial(tuned, eps=0.3), bites=()),
        "doubling": Theorem(doubles),
        "asleep": Theorem(asleep),
    },
    bounds={
        "rate": BoundFormula(lambda s: exponential(s, 0.2), {"rate": 0.2}),
        "horizon": BoundFormula(lambda s: exponential(s, math.sqrt(2.0 * math.log(5.0) / 90)), {"horizon": 90}),
        "eps": BoundFormula(
            lambda s: exponential(s, math.sqrt(2.0 * math.log(2.5) / 200)), {"horizon": 200, "eps": 0.4}
        ),
        "doubling": BoundFormula(lambda s: doubling(s, 0.2)),
        "doubling, eps": BoundFormula(lambda s: doubling(s, 0.4), {"eps": 0.4}),
    },
    sums=Sums(of_losses, {"rate": 0.4}),
    small=True,
)


def test_exponential_weights_come_near_their_bound() -> None:
    """Hovering costs T eta/8 and leaving ln N/eta; the theorem has T eta/2 + ln N/eta, so that 5/8 is near."""
    losses = adversaries.hover_then_leave(20_000, 100, share=0.05)
    assert tuned(losses) > 0.45


def test_doubling_as_printed_is_false() -> None:
    """Errata 16: at T = 100 the printed sum is above its right-hand side, and one epoch fewer covers the rounds."""
    printed = sum(math.sqrt(2.0**m) for m in range(1, math.ceil(math.log2(100)) + 1))
    limit = math.sqrt(2) / (math.sqrt(2) - 1) * 10.0
    assert printed > limit >= regret.doubling(100, 1.0)
    for T in range(1, 2000):
        assert regret.doubling(T, 1.0) <= math.sqrt(2) / (math.sqrt(2) - 1) * math.sqrt(T) + 1e-9


def test_weights_that_vanish_beside_sleepers() -> None:
    """Two experts have lost so much more than the third that nothing is left of them, and are then left alone."""
    player = Hedge(rate=1e4, experts=3)
    player.update([0.0, 0.5, 0.6])
    assert player.play().tolist() == [1.0, 0.0, 0.0]
    assert player.play([0.0, 1.0, 1.0]).tolist() == [0.0, 1.0, 0.0]
    assert player.run([[0.5, 0.2, 0.3]], [[0.0, 1.0, 0.5]], keep="weights").weights.tolist() == [[0.0, 1.0, 0.0]]
