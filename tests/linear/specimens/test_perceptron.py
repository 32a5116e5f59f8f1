"""The perceptron."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings

from afterwit import regret
from afterwit.learning import learn
from afterwit.linear import Perceptron
from afterwit.streams import read
from tests import adversaries
from tests.adversaries import Rows, of_floats
from tests.linear.broken import at_rate, flipped, forgetful
from tests.linear.formulas import Array
from tests.linear.hindsight import comparators
from tests.linear.met import ROWS, rows
from tests.linear.rules import NO_INTERCEPT, bits, million
from tests.linear.specimen import Specimen, Theorem
from tests.linear.theorems import FEATURES, Make, Outcome, Play, Player, nearest, play, prefixes, short


def formula(X: Array, y: Array, h: Array) -> tuple[Array, Array]:
    """Sharan lecture 19, Algorithm 2; a zero margin is a mistake (errata 3)."""
    p, w = np.zeros(len(X)), np.zeros(X.shape[1])
    for t in range(len(X)):
        p[t] = w @ X[t]
        if y[t] * p[t] <= 0.0:
            w += h[t] * y[t] * X[t]
    return p, w


def any_rows(rows: Rows, make: Make = Perceptron, *, player: Player = play) -> Outcome:
    """Sharan lecture 19, Theorem 4, its Eq. (1) as mended by errata 2, with H over the rounds with a mistake.

    The outcome is for the planted comparator with H over all rounds, as in Cesa-Bianchi 2023: with H over the mistakes
    alone u = 0 turns it into an equality.
    """
    whole = player(make(features=FEATURES), rows, weights=False)
    radius = float(np.linalg.norm(rows.X, axis=1).max())
    for part in prefixes(whole):
        U = comparators(part.rows, "hinge")
        wrong = part.rows.y * part.p <= 0.0
        mistakes = np.full(len(U), float(wrong.sum()))
        norms = np.linalg.norm(U, axis=1)
        missed = Play(Rows(part.rows.X[wrong], part.rows.y[wrong], rows.planted), part.p[wrong], part.W[:0])
        for some in (missed, part):
            losses = zip(some.losses_of(U, "hinge"), norms, strict=True)
            bounds = np.array([regret.perceptron(float(H), float(norm), radius) for H, norm in losses])
            nearest(mistakes, bounds, len(part.p))
    return Outcome(mistakes[1], bounds[1])


def separable(rows: Rows, make: Make = Perceptron) -> Outcome:
    """Sharan lecture 19, Theorem 4, Eq. (2), with the margin of the planted comparator."""
    whole = play(make(features=FEATURES), rows, weights=False)
    margin = float((rows.y * (rows.X @ rows.planted)).min() / np.linalg.norm(rows.planted))
    mistakes = float((rows.y * whole.p <= 0.0).sum())
    bound = regret.perceptron_separable(float(np.linalg.norm(rows.X, axis=1).max()), margin)
    return Outcome(mistakes, bound).checked(len(rows))


def orthogonal(rounds: int) -> Rows:
    """A new feature every round: T = (X/margin)^2 mistakes of any learner that starts at 0, with X = 1.

    The comparator (1, ..., 1) has margin 1 in all rows, so that scaled to norm 1 it has margin 1/sqrt(T).
    """
    return of_floats(np.eye(rounds), np.ones(rounds), np.ones(rounds))


def orthogonal_and_flipping(rounds: int) -> Rows:
    """A tenth of the rounds as in `orthogonal`; in the others one more feature, whose label is +1 and -1 in turn.

    The perceptron errs T times. The comparator, 1 on the new features and 0 on the flipping one, has H = 9 T/10 and
    |u|^2 = T/10, which allows (9 + 3 + 1) T/10 mistakes: ratio 10/13.
    """
    new = rounds // 10
    X = np.zeros((rounds, new + 1))
    X[:new, :new] = np.eye(new)
    X[new:, new] = 1.0
    y = np.ones(rounds)
    y[new + 1 :: 2] = -1.0
    return of_floats(X, y, np.append(np.ones(new), 0.0))


def _separable() -> Rows:
    return adversaries.separable(2000)


BITES = {"sign": (flipped, _separable, {}), "memory": (forgetful, _separable, {})}
SPECIMEN = Specimen(
    make=Perceptron,
    settings=({},),
    losses=(),
    typical={"perceptron": {}},
    formula=formula,
    formula_at=lambda _: [{}],
    bounded={},
    bounds="mistakes",
    pace=("weight", 1.0),
    theorems={
        "perceptron": Theorem(
            any_rows, BITES, {"orthogonal_and_flipping": (lambda: orthogonal_and_flipping(1000), {})}
        ),
        "perceptron separable": Theorem(
            separable,
            BITES,
            {"orthogonal": (lambda: orthogonal(1000), {})},
            adversaries={
                f"separable, margin {margin}": partial(adversaries.separable, margin=margin)
                for margin in (0.5, 0.125, 0.01)
            },
            any_labels=False,
        ),
    },
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(rows=short())
def test_any_short_separable_sequence(rows: Rows) -> None:
    margins = rows.X @ rows.planted
    if margins.any():
        kept = margins != 0.0
        separable(Rows(rows.X[kept], np.sign(margins[kept]), rows.planted))


@pytest.mark.parametrize("factor", [0.5, 2.0**-20, 2.0**20])
def test_the_theorems_do_not_see_the_rate(factor: float) -> None:
    """All its weights are multiplied and no sign changes. Its formula sees it."""
    any_rows(_separable(), at_rate(factor, Perceptron, SPECIMEN.pace))
    separable(_separable(), at_rate(factor, Perceptron, SPECIMEN.pace))


def test_one_step_by_hand() -> None:
    model = Perceptron(NO_INTERCEPT)
    model.learn_one({"0": 2.0}, 1)
    assert model.predict_one({"0": 2.0}) == 4.0


def test_a_million_rounds() -> None:
    model = Perceptron(NO_INTERCEPT)
    assert million(model, np.tile([1.0, -1.0], 500_000)) == 0.0
    assert bits(model)["totals"]["mistakes"] == [1_000_000]


def test_the_bound() -> None:
    X, y, _ = rows()
    y = np.sign(y - 3.0)
    report = learn(Perceptron(), read(X, y))
    found = report.hindsight()
    reach = found.norm * float(np.linalg.norm(np.column_stack([X, np.ones(ROWS)]), axis=1).max())
    assert found.best_loss > 1.0
    expected = found.best_loss + reach * math.sqrt(found.best_loss) + reach**2
    assert found.bound.value == pytest.approx(expected, rel=1e-9)
    assert found.bound.measured == report.mistakes
