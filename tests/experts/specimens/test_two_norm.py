"""The 2-norm rule."""

from __future__ import annotations

import math

import numpy as np

from afterwit import regret
from afterwit.experts import TwoNorm
from tests.experts.formulas import Array, game
from tests.experts.specimen import BoundFormula, Formula, Make, Specimen, Sums, Theorem
from tests.experts.theorems import eps_regret


def two_norm(losses: Array) -> Array:
    """Table 2.1, 2-norm."""
    s = np.zeros(losses.shape[1])

    def learn(r: Array, l: Array, I: Array) -> None:
        s[:] -= r

    return game(losses, lambda t: np.minimum(s - 1, 0) ** 2 - np.minimum(s + 1, 0) ** 2, learn)


def corollary_1(losses: Array, make: Make = TwoNorm) -> float:
    """Luo 2016, Corollary 1."""
    return eps_regret(losses, make(experts=losses.shape[1]), regret.two_norm)


def of_regrets(s: dict[str, Array]) -> Array:
    return np.minimum(-s["R"] - 1.0, 0.0) ** 2 - np.minimum(-s["R"] + 1.0, 0.0) ** 2


SPECIMEN = Specimen(
    TwoNorm,
    settings=({}, {"experts": 40, "loss_range": (-3.0, 2.0)}),
    formulas={"": Formula(two_norm)},
    theorems={"": Theorem(corollary_1)},
    bounds={"": BoundFormula(lambda s: math.sqrt(s.T / s.eps))},
    sums=Sums(of_regrets),
    lost_at=-1.0,
    small=True,
)
