"""Gradient descent for strongly convex losses."""

from __future__ import annotations

import numpy as np
import pytest

from afterwit import regret
from afterwit.convex import Ball, Reals, Simplex, StronglyConvexGradientDescent
from tests.convex import formulas
from tests.convex.formulas import Array, greedy, leader
from tests.convex.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.convex.theorems import gradients, hold, horizons, regret_of, slopes

SIGMA = 0.5


def squares(losses: Array, make: Make = StronglyConvexGradientDescent) -> float:
    """Cesa-Bianchi 2023, "OGD with strongly convex losses", errata 1, on (sigma/2) |w - z|^2: |g| <= 2 sigma."""
    Z = slopes(losses)
    player = make(Reals(Z.shape[1]), strength=SIGMA)
    return regret_of(
        player, -SIGMA * Z, SIGMA, lambda T: regret.strongly_convex_gradient_descent(2.0 * SIGMA, SIGMA, T)
    )


def support_vectors(losses: Array, make: Make = StronglyConvexGradientDescent) -> float:
    """The same on hinge losses with a penalty, |g| <= 2 X; to several points."""
    X = slopes(losses)
    y = np.where(X[:, 0] >= 0.0, 1.0, -1.0)

    def slope(w: Array, t: int) -> Array:
        return SIGMA * w - (y[t] * X[t] if y[t] * (w @ X[t]) < 1.0 else 0.0)

    def loss(W: Array) -> Array:
        return np.asarray(np.maximum(0.0, 1.0 - y * (W * X).sum(axis=1)) + 0.5 * SIGMA * (W**2).sum(axis=1))

    W = gradients(make(Reals(X.shape[1]), strength=SIGMA), slope, len(X))
    own, ratio = loss(W), -1.0
    shipped = gradients(StronglyConvexGradientDescent(Reals(X.shape[1]), SIGMA), slope, len(X))
    for T in horizons(len(X)):
        for u in (shipped[T - 1], shipped[:T].mean(axis=0), np.zeros(X.shape[1]), y @ X / len(X)):
            other = loss(np.tile(u, (len(X), 1)))
            bound = regret.strongly_convex_gradient_descent(2.0, SIGMA, T)
            ratio = max(ratio, hold(float((own - other)[:T].sum()), bound, T))
    return ratio


SPECIMEN = Specimen(
    StronglyConvexGradientDescent,
    settings=(
        {"domain": Reals(3), "strength": 2.0},
        {"domain": Ball(0.5, 1), "strength": 0.1},
        {"domain": Simplex(5), "strength": 1e-3},
    ),
    formulas={
        "everywhere": Formula(
            lambda V, c: greedy(V, formulas.everywhere, lambda t: 2.0 / t, c),
            lambda d: {"domain": Reals(d), "strength": 0.5},
            curvature=0.5,
        ),
        "everywhere, the mean": Formula(
            lambda V, c: leader(V, formulas.everywhere, c),
            lambda d: {"domain": Reals(d), "strength": 0.5},
            curvature=0.5,
        ),
        "ball": Formula(
            lambda V, c: greedy(V, formulas.ball(0.7), lambda t: 4.0 / t),
            lambda d: {"domain": Ball(0.7, d), "strength": 0.25},
        ),
    },
    theorems={"squares": Theorem(squares), "support vectors": Theorem(support_vectors, rounds=1000, long=False)},
    bounds={
        name: BoundFormula(
            lambda G, W, u: (
                (G**2).sum(axis=1).max(initial=0.0) / (2.0 * SIGMA) * (1.0 / np.arange(1, len(G) + 1)).sum()
            ),
            lambda domain=domain: {"domain": domain, "strength": SIGMA},  # type: ignore[misc]
            curvature=0.5,
        )
        for name, domain in (("everywhere", Reals(4)), ("ball", Ball(2.0, 4)))
    },
)


def test_a_run_away_attains_the_bound() -> None:
    """Losses -w + w^2/2 and then w + w^2/2 ...: |w - z|^2/2 with z as far as it can be from where it stands."""
    player = StronglyConvexGradientDescent(Reals(1), 1.0)
    W = gradients(player, lambda w, t: np.array([1.0 if w[0] > 0.0 else -1.0]), 1000)  # |g| = 1 always
    Z = W - np.where(W > 0.0, 1.0, -1.0)
    lost = 0.5 * float(((W - Z) ** 2 - (Z.mean() - Z) ** 2).sum())
    assert lost == pytest.approx(player.regret_bound().value, rel=1e-9)
