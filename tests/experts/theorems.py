"""Checks of the theorems about players; each takes the class, so that a broken one can be fed to it.

A player knows its experts from the beginning. Regrets are computed from the losses that its `run` returned and from
those of the experts; SLACK is for rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from afterwit import regret
from afterwit.experts import AdaNormalHedge, Halving, Hedge, NormalHedgeDT, Randomized, TwoNorm
from tests.adversaries import Array

SLACK = 1e-9
Make = Callable[..., Any]


class BoundBroken(AssertionError):
    """A theorem's inequality does not hold."""


def hold(measured: float, bound: float, rounds: int) -> float:
    """How near it comes: measured over bound."""
    if measured > bound * (1.0 + SLACK) + SLACK:
        raise BoundBroken(f"after {rounds} rounds: {measured:.6g} is more than the bound {bound:.6g}")
    return measured / bound if bound > 0.0 else 0.0


def horizons(rounds: int) -> Iterator[int]:
    """1, 10, 100, ... rounds and all."""
    yield from (10**k for k in range(7) if 10**k < rounds)
    yield rounds


def eps_regrets(loss: Array, losses: Array, rounds: int) -> Array:
    """The regret to the best expert, to the second best, ..., in the first rounds."""
    return np.asarray(loss[:rounds].sum() - np.sort(losses[:rounds].sum(axis=0)))


def eps_regret(losses: Array, player: Any, bound: Callable[[int, float], float], at: Any = horizons) -> float:
    """A theorem about the eps-regret, for every eps = k/N and all horizons; the largest ratio at the last of them."""
    N = losses.shape[1]
    loss = player.run(losses).loss
    for rounds in at(len(losses)):
        measured = eps_regrets(loss, losses, rounds)
        ratios = [hold(float(measured[k]), bound(rounds, (k + 1) / N), rounds) for k in range(N)]
    return max(ratios)


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


def doubling(losses: Array, make: Make = Hedge) -> float:
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


def two_norm(losses: Array, make: Make = TwoNorm) -> float:
    """Luo 2016, Corollary 1."""
    return eps_regret(losses, make(experts=losses.shape[1]), regret.two_norm)


def normal_hedge_dt(losses: Array, make: Make = NormalHedgeDT) -> float:
    """Luo 2016, Corollary 2."""
    return eps_regret(losses, make(experts=losses.shape[1]), regret.normal_hedge_dt)


def competitors(R: Array) -> Iterator[tuple[Array, bool]]:
    """Distributions u, and whether they are uniform over some experts: each expert, the k best, and some at random."""
    N, rng = len(R), np.random.default_rng(11)
    order = np.argsort(-R)
    for k in range(1, N + 1):
        u = np.zeros(N)
        u[order[:k]] = 1.0 / k
        yield u, True
        yield np.eye(N)[k - 1], True
    for _ in range(20):
        yield rng.dirichlet(np.full(N, 0.3)), False
    positive = np.maximum(R, 0.0)
    if positive.any():
        yield positive / positive.sum(), False


def any_competitor(
    losses: Array, make: Make = AdaNormalHedge, prior: Array | None = None, I: Array | None = None, d: int = 1
) -> float:
    """Luo 2016, Theorem 4, both forms; Theorem 5, part 1; with confidences, Theorem 6. d = 0: end of section 2.3.1."""
    N = losses.shape[1]
    loss = make(experts=N, prior=prior).run(losses, I).loss
    rated = np.ones(losses.shape) if I is None else I
    r = rated * (loss[:, None] - losses)
    q = None if prior is None else prior / prior.sum()
    nearest = 0.0
    for T in horizons(len(losses)):
        R, C = r[:T].sum(axis=0), np.abs(r[:T]).sum(axis=0) if d == 1 else (rated[:T] > 0.0).sum(axis=0).astype(float)
        over = np.maximum(-r[:T], 0.0).sum(axis=0)
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


def halving(predictions: Array, answers: Array, make: Make = Halving) -> float:
    """Kashima lecture 11 with errata 14: the mistakes of the vote."""
    player = make(experts=predictions.shape[1])
    mistakes = 0
    for said, answer in zip(predictions, answers, strict=True):
        mistakes += player.vote(said) != answer
        player.run((said != answer).astype(float)[None])
    return hold(mistakes, regret.halving(predictions.shape[1]), len(answers))


def halving_adversary(N: int) -> tuple[Array, Array]:
    """All numbers below N bit by bit, the highest first; the answer is the bit that at most half of those left have."""
    left, rows, answers = np.arange(N), [], []
    for bit in reversed(range(max(1, N - 1).bit_length())):
        said = np.where(np.arange(N) >> bit & 1, 1.0, -1.0)
        answer = -1.0 if said[left].sum() >= 0.0 else 1.0
        if not (said[left] == answer).any():
            continue
        rows.append(said)
        answers.append(answer)
        left = left[said[left] == answer]
    return np.array(rows), np.array(answers)


def randomized(
    losses: Array, make: Make = Randomized, player: Any = None, seeds: int = 20, delta: float = 0.1
) -> float:
    """Luo 2016, section 2.1.5, errata 27: at most a share delta of the seeds has more regret to the best than that.

    The count of those is binomial at worst: more than six deviations above its mean is no chance.
    """
    N = losses.shape[1]
    player = Hedge(horizon=len(losses), eps=delta / N, experts=N) if player is None else player
    regrets, bounds = [], []
    for seed in range(seeds):
        drawn = make(player=player, seed=seed, delta=delta)
        regrets.append(float(drawn.run(losses).loss.sum() - losses.sum(axis=0).min()))
        bounds.append(drawn.regret_bound().value)
    broken = sum(bound < R for R, bound in zip(regrets, bounds, strict=True))
    if broken > seeds * delta + 6.0 * math.sqrt(seeds * delta):
        raise BoundBroken(f"{broken} of {seeds} draws have more than the bound {max(bounds):.6g}")
    return max(regrets) / max(bounds)
