"""NormalHedge."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit.experts import NormalHedge
from tests.experts.formulas import Array, game
from tests.experts.specimen import NAMES, Formula, Specimen, Sums


def normal_hedge(losses: Array) -> Array:
    """Table 2.1, NormalHedge, with c by plain bisection (errata 23)."""
    N = losses.shape[1]
    R = np.zeros(N)

    def weigh(t: int) -> Array:
        x = np.maximum(R, 0.0)
        if not x.any():
            return np.ones(N)
        low, high = (x**2).max() / (1.0 + math.log(N)), (x**2).max()
        x2 = x**2
        for _ in range(52):  # the two ends are less than a factor of 16 apart
            c = (low + high) / 2.0
            low, high = (c, high) if np.exp(x2 / c).sum() > N * math.e else (low, c)
        return np.asarray(x * np.exp(x2 / high))

    def learn(r: Array, l: Array, I: Array) -> None:
        R[:] += r

    return game(losses, weigh, learn)


def of_regrets(s: dict[str, Array]) -> Array:
    x = np.maximum(s["R"], 0.0)
    if not x.any():
        return np.ones(len(x))
    low, high = (x**2).max() / (1.0 + math.log(len(x))), (x**2).max()
    for _ in range(60):
        c = (low + high) / 2.0
        low, high = (c, high) if np.exp(x**2 / c).mean() > math.e else (low, c)
    return np.asarray(x * np.exp(x**2 / high))


SPECIMEN = Specimen(
    NormalHedge,
    settings=({}, {"experts": NAMES, "loss_range": (-3.0, 2.0)}),
    # Indifferent to the scale of all losses.
    formulas={"": Formula(normal_hedge, bites=("sign", "memory"))},
    sums=Sums(of_regrets),
    lost_at=0.0,
    small=True,
)


def test_the_search_ends_on_every_input() -> None:
    rng = np.random.default_rng(5)
    for N in (1, 2, 3, 16, 17, 100, 1000):
        for R in (
            10.0 ** rng.uniform(-300, 140, N) * rng.choice([-1, 1], N),
            10.0 ** rng.uniform(-3, 3, N) * rng.choice([-1, 1], N),
            np.full(N, 5e-324),
            np.full(N, -1.0),
            np.where(np.arange(N) == 0, 1e5, 1e5 - 1e-6),
            np.where(np.arange(N) == 0, 1.0, 0.0),
        ):
            player = NormalHedge(experts=N)
            player.set_state({**player.state(), "R": R})
            p = player.play()
            assert (p >= 0.0).all()
            assert p.sum() == pytest.approx(1.0)
