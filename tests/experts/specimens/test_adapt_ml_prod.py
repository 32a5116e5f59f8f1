"""Adapt-ML-Prod."""

from __future__ import annotations

import math

import numpy as np

from afterwit import regret
from afterwit.experts import AdaptMLProd
from tests.experts.formulas import Array, game
from tests.experts.seen import Seen
from tests.experts.specimen import NAMES, BoundFormula, Formula, Specimen, Sums
from tests.experts.theorems import second_order


def adapt_ml_prod(losses: Array, I: Array | None = None) -> Array:
    """Errata 29, with the weights as they are printed."""
    K = losses.shape[1]
    logs, w, V = math.log(max(K, 2)), np.full(K, 1.0 / K), np.zeros(K)

    def eta() -> Array:
        return np.minimum(0.5, np.sqrt(logs / (1.0 + V)))

    def learn(r: Array, l: Array, I: Array) -> None:
        before = eta()
        V[:] += r**2
        w[:] = (w * (1.0 + before * r)) ** (eta() / before)

    return game(losses, lambda t: eta() * w, learn, I=I)


def bound(s: Seen) -> float:
    K = s.N
    C = 3.0 * math.log(K) + math.log(1.0 + K / (2.0 * math.e) * (1.0 + math.log(s.T + 1.0)))
    return float(s.u @ (C / math.sqrt(math.log(K)) * np.sqrt(1.0 + s.V) + 2.0 * C))


def of_sums(s: dict[str, Array]) -> Array:
    logs = math.log(len(s["M"]))
    return np.asarray(s["eta"] * np.exp(s["eta"] * (s["M"] - logs / min(0.5, math.sqrt(logs)))))


SPECIMEN = Specimen(
    AdaptMLProd,
    settings=({}, {"experts": NAMES}, {"experts": 1}, {"experts": 40, "loss_range": (-3.0, 2.0)}),
    formulas={"": Formula(adapt_ml_prod)},
    theorems=second_order(regret.adapt_ml_prod),
    bounds={"": BoundFormula(bound)},
    sums=Sums(of_sums, a=1.0),
)
