"""BOA."""

from __future__ import annotations

import math

import numpy as np

from afterwit import regret
from afterwit.experts import Boa
from tests.experts.formulas import Array, game
from tests.experts.seen import Seen
from tests.experts.specimen import NAMES, BoundFormula, Formula, Specimen
from tests.experts.theorems import second_order


def boa(losses: Array, I: Array | None = None) -> Array:
    """Wintenberger 2017 with a rate per expert, for the range 1."""
    K = losses.shape[1]
    logs, M, V = math.log(max(K, 2)), np.zeros(K), np.zeros(K)

    def eta() -> Array:
        return np.minimum(0.5, np.sqrt(logs / np.maximum(V, 1e-300)))

    def learn(r: Array, l: Array, I: Array) -> None:
        M[:] += r - eta() * r**2
        V[:] += r**2

    return game(losses, lambda t: eta() * np.exp(eta() * M), learn, I=I)


def free_boa(losses: Array, I: Array | None = None) -> Array:
    """For losses of any scale: opera's, but for an expert to which there was no regret but by rounding."""
    M, V, largest = np.zeros(losses.shape[1]), np.zeros(losses.shape[1]), np.zeros(1)

    def eta() -> Array:
        square = np.where(1e-12 * largest <= V, V, largest)
        return np.where(square > 0.0, 1.0 / np.sqrt(2.2 * np.where(square > 0.0, square, 1.0)), 1.0)

    def learn(r: Array, l: Array, I: Array) -> None:
        V[:] += r**2
        largest[:] = max(largest[0], (r**2).max())
        M[:] += r - eta() * r**2

    def weigh(t: int) -> Array:
        x = eta() * M
        return eta() * np.exp(x - x.max())

    return game(losses, weigh, learn, I=I)


def bound(s: Seen) -> float:
    logs = math.log(s.N)
    falls = 1.0 / (4.0 * logs) + float(np.mean([math.log(max(1.0, v / (4.0 * logs))) for v in s.V]))
    B = 1.0 + falls / (2.0 * math.e)
    each = [(logs + math.log(B)) * max(2.0, math.sqrt(v / logs)) + 2.0 * math.sqrt(v * logs) + 0.5 for v in s.V]
    return float(s.u @ each)


SPECIMEN = Specimen(
    Boa,
    settings=({}, {"experts": NAMES}, {"experts": 1}, {"experts": 40, "loss_range": (-3.0, 2.0)}, {"loss_range": None}),
    formulas={
        "": Formula(boa),
        "free": Formula(free_boa, {"loss_range": None}, bites=("sign", "memory")),
    },
    theorems=second_order(lambda u, V, T: regret.boa(u, V)),
    bounds={"": BoundFormula(bound)},
)
