"""Optimistic follow the regularised leader."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit import regret
from afterwit.convex import Ball, MirrorDescent, OptimisticFTRL, Reals, Simplex
from tests.convex import formulas
from tests.convex.formulas import Array, exponential, lazy
from tests.convex.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.convex.specimens.test_follow_the_regularized_leader import entropy
from tests.convex.specimens.test_online_gradient_descent import half_square
from tests.convex.theorems import RADIUS, hold, horizons, regret_of, slopes


def surprises(V: Array, first: Array | float = 0.0) -> Array:
    return np.diff(V, axis=0, prepend=np.broadcast_to(first, (1, V.shape[1])))


def everywhere(losses: Array, make: Make = OptimisticFTRL) -> float:
    """Hanashiro, Abernethy 2020, Theorem 1, to the u that gains most beyond |u|^2/2, and to unit vectors."""
    V = slopes(losses)
    loss, ratio = make(Reals(V.shape[1]), rate=1.0).run(V).loss, 0.0
    sizes = np.cumsum((surprises(V) ** 2).sum(axis=1))
    for T in horizons(len(V)):
        L = V[:T].sum(axis=0)
        for u in (-L, -L / max(float(np.linalg.norm(L)), 1e-12)):
            bound = regret.regularized_leader(0.5 * float(u @ u), 0.5 * float(sizes[T - 1]), 1.0)
            ratio = max(ratio, hold(float((loss[:T] - V[:T] @ u).sum()), bound, T))
    return ratio


def in_a_ball(losses: Array, make: Make = OptimisticFTRL) -> float:
    """The same with a rate, in a ball."""
    V = slopes(losses)
    sizes = np.cumsum((surprises(V) ** 2).sum(axis=1))
    return regret_of(
        make(Ball(RADIUS, V.shape[1]), rate=0.2),
        V,
        0.0,
        lambda T: regret.regularized_leader(0.5 * RADIUS**2, 0.1 * float(sizes[T - 1]), 0.2),
    )


def entropic(losses: Array, make: Make = OptimisticFTRL) -> float:
    """The same on the simplex, with entropy and the largest entries."""
    d = losses.shape[1]
    sizes = np.cumsum(np.abs(surprises(losses)).max(axis=1) ** 2)
    return regret_of(
        make(Simplex(d), rate=0.2, regularizer="entropic"),
        losses,
        0.0,
        lambda T: regret.regularized_leader(math.log(d), 0.1 * float(sizes[T - 1]), 0.2),
    )


SPECIMEN = Specimen(
    OptimisticFTRL,
    settings=(
        {"domain": Reals(3), "rate": 1.0, "hint": [1.0, -2.0, 0.0]},
        {"domain": Simplex(4), "rate": 0.5, "regularizer": "entropic", "hint": np.arange(4.0)},
        {"domain": Ball(1.0, 1), "rate": 0.1},
    ),
    formulas={
        "everywhere": Formula(
            lambda V, c: lazy(V, formulas.everywhere, lambda t: 0.3, optimistic=True),
            lambda d: {"domain": Reals(d), "rate": 0.3},
        ),
        "ball, squares": Formula(
            lambda V, c: lazy(V, formulas.ball(1.5), lambda t: 0.3, c, optimistic=True),
            lambda d: {"domain": Ball(1.5, d), "rate": 0.3},
            curvature=0.2,
        ),
        "entropic": Formula(
            lambda V, c: exponential(V, lambda t: 0.3, optimistic=True),
            lambda d: {"domain": Simplex(d), "rate": 0.3, "regularizer": "entropic"},
        ),
    },
    theorems={"everywhere": Theorem(everywhere), "ball": Theorem(in_a_ball), "entropic": Theorem(entropic)},
    bounds={
        "everywhere": BoundFormula(
            lambda G, W, u: half_square(u, math.inf) / 0.3 + 0.15 * float((surprises(G, np.arange(4.0)) ** 2).sum()),
            lambda: {"domain": Reals(4), "rate": 0.3, "hint": np.arange(4.0)},
        ),
        "entropic": BoundFormula(
            lambda G, W, u: (
                entropy(u, 4) / 0.3 + 0.15 * float((np.abs(surprises(G)).max(axis=1, initial=0.0) ** 2).sum())
            ),
            lambda: {"domain": Simplex(4), "rate": 0.3, "regularizer": "entropic"},
        ),
    },
)


def test_a_hint_is_what_it_begins_with() -> None:
    assert OptimisticFTRL(Reals(2), 0.5, hint=[1.0, -2.0]).play().tolist() == [-0.5, 1.0]
    for hint, message in (([1.0], "hint has 1 entries"), ([1.0, math.nan], r"hint\[1\] is"), ([1e61, 0.0], "1e.61")):
        with pytest.raises(ValueError, match=message):
            OptimisticFTRL(Reals(2), 0.5, hint=hint)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_with_mirror_descent_it_is_the_optimistic_perceptron(n: int) -> None:
    """Hanashiro, Abernethy 2020, Algorithm 1 and Theorems 1 to 3, on its hard points: alternating staircases."""
    X = np.array([[(-1.0) ** (i + (j == i)) if j <= i else 0.0 for j in range(1, n + 1)] for i in range(1, n + 1)])
    y = np.array([(-1.0) ** (i + 1) for i in range(1, n + 1)])
    Z, r = y[:, None] * X, math.sqrt(n)
    gamma = math.sqrt(3.0 / (4.0**n - 1.0))
    enough = math.floor((1.0 + 2.0 * r**2 * math.log(n)) / (2.0 * gamma)) + 1
    T = min(enough, 3000)
    learner = OptimisticFTRL(Reals(n), 1.0, hint=-Z.mean(axis=0))
    data = MirrorDescent(Simplex(n), 1.0 / r**2, "entropic")
    w, p = np.zeros(n), np.full(n, 1.0 / n)
    last = before = p @ Z
    W, P = [], [p]
    for _ in range(T):
        w = w + 2.0 * last - before
        p = p * np.exp(-Z @ w / r**2)
        p /= p.sum()
        before, last = last, p @ Z
        np.testing.assert_allclose(learner.play(), w, rtol=1e-8, atol=1e-8)
        data.update(Z @ learner.play())
        np.testing.assert_allclose(data.play(), p, rtol=1e-7, atol=1e-9)
        W.append(learner.play())
        P.append(data.play())
        learner.update(-data.play() @ Z)
    w_star = np.linalg.solve(Z, np.ones(n))
    w_star /= np.linalg.norm(w_star)
    assert float((Z @ w_star).min()) == pytest.approx(gamma)
    M, moved = np.array(W) @ Z.T, np.abs(np.diff(P, axis=0)).sum(axis=1) ** 2
    own = float((np.array(P[1:]) * M).sum())
    assert float((np.array(P[1:]) @ (Z @ w_star)).sum()) - own <= 0.5 + 0.5 * r**2 * moved.sum() + 1e-9  # (4)
    assert own - M.sum(axis=0).min() <= regret.mirror_descent(math.log(n), moved.sum(), 1.0 / r**2) + 1e-9  # (5)
    assert gamma - M.mean(axis=0).min() <= (1.0 + 2.0 * r**2 * math.log(n)) / (2.0 * T) + 1e-9  # (6)
    if enough == T:
        assert M.mean(axis=0).min() > 0.0
