"""Mirror descent."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from afterwit import regret
from afterwit.convex import Ball, Box, MirrorDescent, Reals, Simplex
from tests.convex import formulas
from tests.convex.formulas import Array, exponential, greedy
from tests.convex.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.convex.specimens.test_follow_the_regularized_leader import entropy, inf_fixed
from tests.convex.specimens.test_online_gradient_descent import fixed, half_square
from tests.convex.theorems import RADIUS, hold, horizons, regret_of, slopes


def second(losses: Array, make: Make = MirrorDescent, mirror: str = "quadratic", rate: float = 0.2) -> float:
    """Hanashiro, Abernethy 2020, Theorem 2: who plays after the loss was seen, at all horizons (errata 43)."""
    d, ratio = losses.shape[1], -math.inf
    V = losses if mirror == "entropic" else slopes(losses)
    domain = Simplex(d) if mirror == "entropic" else Ball(RADIUS, d)
    W = make(domain, rate, mirror).run(np.vstack([V, np.zeros(d)]), keep="points").points
    moves = np.diff(W, axis=0)
    moved = np.cumsum(np.abs(moves).sum(axis=1) ** 2 if mirror == "entropic" else (moves**2).sum(axis=1))
    for T in horizons(len(V)):
        u = domain.best(V[:T].sum(axis=0))
        D = math.log(d) if mirror == "entropic" else 0.5 * float(u @ u)  # of ties u is the mean: its D is less
        # What it says may be below 0: the moves are put on the other side.
        bound = regret.mirror_descent(D, 0.0, rate)
        measured = float(((W[1 : T + 1] - u) * V[:T]).sum()) + float(moved[T - 1]) / (2.0 * rate)
        ratio = max(ratio, hold(measured, bound, T))
    return ratio


def first(losses: Array, make: Make = MirrorDescent, mirror: str = "quadratic", rate: float = 0.05) -> float:
    """And who plays before: D(u, w_1)/eta + (eta/2) sum |g|^2, every |g| at most 1."""
    d = losses.shape[1]
    if mirror == "entropic":
        return regret_of(
            make(Simplex(d), rate, mirror),
            losses,
            0.0,
            lambda T: regret.regularized_leader(math.log(d), 0.5 * rate * T, rate),
        )
    return regret_of(
        make(Ball(RADIUS, d), rate), slopes(losses), 0.0, lambda T: regret.gradient_descent(RADIUS, T, rate)
    )


SPECIMEN = Specimen(
    MirrorDescent,
    settings=(
        {"domain": Ball(2.0, 3), "rate": 0.3},
        {"domain": Simplex(4), "rate": 0.3, "mirror": "entropic"},
        {"domain": Simplex(4), "rate": 0.3},
        {"domain": Reals(1), "rate": 0.01},
    ),
    formulas={
        "ball": Formula(
            lambda V, c: greedy(V, formulas.ball(1.5), lambda t: 0.3, c),
            lambda d: {"domain": Ball(1.5, d), "rate": 0.3},
            curvature=0.2,
        ),
        "box": Formula(
            lambda V, c: greedy(V, formulas.box(-0.5, 1.0), lambda t: 0.1),
            lambda d: {"domain": Box([-0.5] * d, [1.0] * d), "rate": 0.1},
        ),
        "entropic": Formula(
            lambda V, c: exponential(V, lambda t: 0.3),
            lambda d: {"domain": Simplex(d), "rate": 0.3, "mirror": "entropic"},
        ),
    },
    theorems={
        "second": Theorem(second),
        "second, entropic": Theorem(partial(second, mirror="entropic")),
        "first": Theorem(first),
        "first, entropic": Theorem(partial(first, mirror="entropic")),
    },
    bounds={
        "simplex": BoundFormula(
            lambda G, W, u: fixed(G, 0.3, half_square(u, 1.0, 0.25)), lambda: {"domain": Simplex(4), "rate": 0.3}
        ),
        "everywhere": BoundFormula(
            lambda G, W, u: fixed(G, 0.3, half_square(u, math.inf)), lambda: {"domain": Reals(4), "rate": 0.3}
        ),
        "entropic": BoundFormula(
            lambda G, W, u: inf_fixed(G, 0.3, entropy(u, 4)),
            lambda: {"domain": Simplex(4), "rate": 0.3, "mirror": "entropic"},
        ),
    },
)
