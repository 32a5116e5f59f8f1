"""Checks of the second-order bounds; each takes the class, so that a broken one can be fed to it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from afterwit import regret
from afterwit.experts import AdaptMLProd, Boa, MLPol
from tests.adversaries import Array
from tests.experts.theorems import Make, competitors, hold, horizons


def second_order(losses: Array, make: Make, bound: Callable[[Array, Array, int], float], I: Array | None) -> float:
    """For each expert and for mixtures of them, at all horizons; the largest ratio."""
    loss = make(experts=losses.shape[1]).run(losses, I).loss
    r = (np.ones(losses.shape) if I is None else I) * (loss[:, None] - losses)
    nearest = 0.0
    for T in horizons(len(losses)):
        R, V = r[:T].sum(axis=0), (r[:T] ** 2).sum(axis=0)
        for u, _ in competitors(R):
            nearest = max(nearest, hold(float(u @ R), bound(u, V, T), T))
    return nearest


def adapt_ml_prod(losses: Array, make: Make = AdaptMLProd, I: Array | None = None) -> float:
    """Errata 29."""
    return second_order(losses, make, regret.adapt_ml_prod, I)


def boa(losses: Array, make: Make = Boa, I: Array | None = None) -> float:
    """Wintenberger 2017, multiple learning rates."""
    return second_order(losses, make, lambda u, V, T: regret.boa(u, V), I)


def ml_pol(losses: Array, make: Make = MLPol, I: Array | None = None) -> float:
    """Gaillard et al. 2014, ML-Poly."""
    return second_order(losses, make, lambda u, V, T: regret.ml_pol(u, V), I)
