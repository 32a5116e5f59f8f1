"""Fixed Share."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from afterwit import regret
from afterwit.experts import FixedShare, FollowTheLeadingHistory
from tests import adversaries
from tests.experts.formulas import Array, game
from tests.experts.games import confidences
from tests.experts.seen import RANGE, Seen, seen_by
from tests.experts.specimen import NAMES, BoundFormula, Formula, Make, Specimen, Theorem
from tests.experts.theorems import SEGMENTS, BoundBroken, hold, intervals, moving


def fixed_share(losses: Array, rate: float | None = None, share: float = 0.0, I: Array | None = None) -> Array:
    """Errata 30, at given rates or tuned as it goes; who sleeps loses what the player does."""
    N = losses.shape[1]
    p, rounds = np.full(N, 1.0 / N), [0]

    def learn(r: Array, l: Array, I: Array) -> None:
        rounds[0] += 1
        t, k = rounds[0], int(np.argmax(I))
        eta = math.sqrt(math.log(N * (t + 1)) / (t + 1)) if rate is None else rate
        alpha = share or 1.0 / (t + 1)
        own = I * l + (1.0 - I) * (r[k] / I[k] + l[k])
        v = p * np.exp(-eta * (own - own.min()))
        p[:] = (1.0 - alpha) * v / v.sum() + alpha / N

    return game(losses, lambda t: p, learn, I=I)


def at_rates(losses: Array, make: Make = FixedShare, rate: float = 0.2, share: float = 0.01) -> float:
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


def falling(losses: Array, make: Make = FixedShare, rate: float = 0.2) -> float:
    """To the best segments, with shares 1/(t + 1)."""
    T, N = losses.shape
    shifting = regret.shifting_regret(losses, make(rate=rate, experts=N).run(losses).loss, SEGMENTS)
    return max(
        hold(float(R), regret.fixed_share_falling(N, rate, T, len(segments)), T)
        for R, segments in zip(shifting.regrets, shifting.partitions, strict=True)
    )


def tuned(losses: Array, make: Make = FixedShare) -> float:
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


def asleep(losses: Array, make: Make = FixedShare) -> float:
    """The same where experts sleep or are not sure: who sleeps has the loss of the player (Freund et al. 1997)."""
    (T, N), I = losses.shape, confidences(losses)
    awake = I.any(axis=1)
    if not awake.any():
        return 0.0
    loss = make(rate=0.2, share=0.01, experts=N).run(losses, I).loss
    own = (I * losses + (1.0 - I) * loss[:, None])[awake]
    shifting = regret.shifting_regret(own, loss[awake], SEGMENTS)
    return max(
        hold(float(R), regret.fixed_share(N, 0.2, 0.01, int(awake.sum()), len(segments)), T)
        for R, segments in zip(shifting.regrets, shifting.partitions, strict=True)
    )


def share(s: Seen, eta: float, alpha: float, segments: int = 1) -> float:
    shifts = segments - 1
    logs = math.log(s.N) + shifts * math.log(s.N / alpha) - (s.T - 1 - shifts) * math.log(1.0 - alpha)
    return logs / eta + eta * s.T / 8.0


def share_falling(s: Seen, eta: float, segments: int = 1) -> float:
    changes = (segments - 1) * math.log(s.N * s.T) + sum(math.log1p(1.0 / t) for t in range(1, s.T))
    return (math.log(s.N) + changes) / eta + eta * s.T / 8.0


def share_tuned(s: Seen, segments: int = 1) -> float:
    eta = [math.sqrt(math.log(s.N * (t + 1)) / (t + 1)) for t in range(1, s.T + 1)]
    middle = sum(math.log(1.0 + 1.0 / t) / eta[t - 1] for t in range(1, s.T))
    return segments * math.log(s.N * s.T) / eta[-1] + middle + sum(eta) / 8.0


SPECIMEN = Specimen(
    FixedShare,
    settings=({}, {"rate": 0.3, "share": 0.1}, {"rate": 1.0}, {"experts": NAMES}, {"experts": 1}, {"experts": 40}),
    formulas={
        "": Formula(lambda l, I=None: fixed_share(l, 0.4, 0.02, I), {"rate": 0.4, "share": 0.02}),
        "huge rate": Formula(lambda l, I=None: fixed_share(l, 1e4, 0.02, I), {"rate": 1e4, "share": 0.02}),
        "falling": Formula(lambda l, I=None: fixed_share(l, 0.4, I=I), {"rate": 0.4}),
        "tuned": Formula(lambda l, I=None: fixed_share(l, I=I)),
    },
    theorems={
        "": Theorem(at_rates, bites=("sign", "memory", "rate")),
        "fast": Theorem(partial(at_rates, rate=2.0, share=0.3)),
        "falling": Theorem(falling, bites=("sign", "memory")),
        "tuned": Theorem(tuned),
        "asleep": Theorem(asleep),
    },
    bounds={
        "": BoundFormula(lambda s: share(s, 0.3, 0.02), {"rate": 0.3, "share": 0.02}),
        "falling": BoundFormula(lambda s: share_falling(s, 0.3), {"rate": 0.3}),
        "tuned": BoundFormula(share_tuned),
    },
)


def test_a_state_of_fixed_share_is_a_distribution() -> None:
    player = FixedShare(experts=2)
    player.update([0.0, 1.0])
    history = FollowTheLeadingHistory(player)
    history.update([0.0, 1.0])
    copies = history.state()["copies"]
    for p in ([0.5, 0.6], [-1.0, 2.0], [np.nan, 1.0], [0.0, 1.0], [1e-320, 1.0]):
        with pytest.raises(ValueError, match="the state's `p` sums to"):
            player.set_state({**player.state(), "p": np.array(p)})
        with pytest.raises(ValueError, match="the state's `p` sums to"):
            history.set_state({**history.state(), "copies": [{**copies[0], "p": np.array(p)}, *copies[1:]]})


def test_the_bound_of_fixed_share() -> None:
    losses = adversaries.switch_at_half(2000)
    for player in (FixedShare(rate=0.2, share=0.01, experts=10), FixedShare(experts=10)):
        assert player.regret_bound().value == 0.0
        loss = player.run(losses).loss
        one, two = player.regret_bound().value, player.regret_bound(3, segments=2).value
        assert loss.sum() - losses.sum(axis=0).min() <= one < two
        assert loss.sum() - losses[:1000, 1].sum() - losses[1000:, 0].sum() <= two
        with pytest.raises(ValueError, match="segments is `0`"):
            player.regret_bound(segments=0)
    for given_, message in (
        ({"share": 0.5}, "share is given without rate"),
        ({"rate": 0.0, "share": 0.5}, "rate is `0.0`"),
    ):
        with pytest.raises(ValueError, match=message):
            FixedShare(**given_)
    for share in (1.0, 0.0, 5e-324):  # of which two experts would have no half
        with pytest.raises(ValueError, match=rf"share is `{share}`, expected a number from 1e-300 on and below 1"):
            FixedShare(rate=1.0, share=share)


def test_who_does_not_share_is_found_out() -> None:
    """With almost no share the bound for the right share breaks after a switch."""
    losses = adversaries.switch_at_half(20_000)
    losses[:, 2:] = 1.0
    losses[:10_000, 0], losses[:10_000, 1] = 1.0, 0.0
    losses[10_000:, 0], losses[10_000:, 1] = 0.0, 1.0
    at_rates(losses)
    with pytest.raises(BoundBroken):
        at_rates(losses, lambda rate, share, experts: FixedShare(rate, 1e-300, experts))


@pytest.mark.parametrize("segments", [1, 3, 500])
def test_segments(segments: int) -> None:
    few = min(segments, 90)
    for player, formula in (
        (FixedShare(0.3, 0.02, loss_range=RANGE), lambda s: share(s, 0.3, 0.02, few)),
        (FixedShare(0.3, 0.9, loss_range=RANGE), lambda s: max(share(s, 0.3, 0.9), share(s, 0.3, 0.9, few))),
        (FixedShare(0.3, loss_range=RANGE), lambda s: share_falling(s, 0.3, few)),
        (FixedShare(loss_range=RANGE), lambda s: share_tuned(s, few)),
    ):
        seen = seen_by(player, 90, None)
        assert player.regret_bound(segments=segments).value == pytest.approx(8.0 * formula(seen), rel=1e-9)
