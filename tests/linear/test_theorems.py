"""The theorems about linear learners, with their own constants, on adversarial sequences and strong comparators.

`python -m tests.linear.test_theorems` prints how near each comes to its bound; so does `pytest -s`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterwit.linear import AdaGrad, GradientDescent, Pegasos
from tests import adversaries
from tests.adversaries import Rows
from tests.linear import theorems
from tests.linear.theorems import FEATURES, Outcome, play, play_against_contrarian

ROUNDS, LONG = 100_000, 1_000_000
THEOREMS: dict[str, Callable[..., Outcome]] = {
    "projected descent": theorems.projected_descent,
    "strongly convex": theorems.strongly_convex,
    "adagrad": theorems.adagrad,
    "perceptron": theorems.perceptron,
}
#: Theorem and tight sequence -> how near it comes. On these the bound is at most twice what is measured.
TIGHT: dict[tuple[str, str], Callable[[], Outcome]] = {
    ("projected descent", "against_projected_descent"): lambda: theorems.projected_descent(
        adversaries.against_projected_descent(ROUNDS), loss="absolute", radius=1.0
    ),
    ("strongly convex", "against_pegasos"): lambda: theorems.strongly_convex(
        adversaries.against_pegasos(ROUNDS, 0.01), strength=0.01
    ),
    ("adagrad", "against_adagrad"): lambda: theorems.adagrad(
        adversaries.against_adagrad(ROUNDS, 0.5), loss="absolute", rate=0.5
    ),
    ("perceptron", "orthogonal_and_flipping"): lambda: theorems.perceptron(adversaries.orthogonal_and_flipping(1000)),
    ("perceptron separable", "orthogonal"): lambda: theorems.perceptron_separable(adversaries.orthogonal(1000)),
}


def line(theorem: str, adversary: str, o: Outcome) -> str:
    return f"{theorem:<21}{adversary:<27}{o.measured:>16.2f}{o.bound:>20.2f}{o.ratio:>9.3f}"


HEADING = f"{'theorem':<21}{'adversary':<27}{'measured':>16}{'bound':>20}{'ratio':>9}"


@pytest.fixture(scope="module")
def record() -> Iterator[Callable[[str, str, Outcome], None]]:
    """Takes outcomes; prints them all at the end."""
    lines: list[str] = []
    yield lambda theorem, adversary, outcome: lines.append(line(theorem, adversary, outcome))
    print("", HEADING, *sorted(lines), sep="\n")


Record = Callable[[str, str, Outcome], None]


@pytest.mark.parametrize("theorem", THEOREMS)
@pytest.mark.parametrize("adversary", adversaries.EVERY)
def test_the_bound_holds(theorem: str, adversary: str, record: Record) -> None:
    record(theorem, adversary, THEOREMS[theorem](adversaries.EVERY[adversary](ROUNDS)))


@pytest.mark.slow
@pytest.mark.parametrize("theorem", THEOREMS)
@pytest.mark.parametrize("adversary", adversaries.EVERY)
def test_the_bound_holds_for_long(theorem: str, adversary: str) -> None:
    THEOREMS[theorem](adversaries.EVERY[adversary](LONG))


@pytest.mark.parametrize(("theorem", "adversary"), TIGHT)
def test_the_bound_is_nearly_met(theorem: str, adversary: str, record: Record) -> None:
    outcome = TIGHT[theorem, adversary]()
    record(theorem, adversary, outcome)
    assert outcome.ratio >= 0.5


@pytest.mark.parametrize("margin", [0.5, 0.125, 0.01])
def test_few_mistakes_when_separable(margin: float, record: Record) -> None:
    rows = adversaries.separable(ROUNDS, margin=margin)
    record("perceptron separable", f"separable, margin {margin}", theorems.perceptron_separable(rows))


@pytest.mark.parametrize("theorem", THEOREMS)
def test_against_one_who_sees_the_prediction(theorem: str, record: Record) -> None:
    rows = adversaries.separable(2000, seed=8)
    record(theorem, "contrarian", THEOREMS[theorem](rows, player=play_against_contrarian))


@pytest.mark.parametrize("theorem", ["projected descent", "strongly convex", "adagrad"])
@pytest.mark.parametrize("loss", ["squared", "logistic", "absolute", "quantile:0.9"])
@pytest.mark.parametrize("adversary", ["noisy", "switch", "one_hot", "drifting"])
def test_other_losses(theorem: str, loss: str, adversary: str) -> None:
    THEOREMS[theorem](adversaries.EVERY[adversary](2000), loss=loss)


def weighted(rows: Rows, choices: list[float]) -> Rows:
    return replace(rows, weight=np.random.default_rng(0).choice(choices, size=len(rows)))


@pytest.mark.parametrize("adversary", adversaries.EVERY)
def test_importance_weights_multiply_gradients(adversary: str) -> None:
    rows = adversaries.EVERY[adversary](5000)
    theorems.projected_descent(weighted(rows, [0.0, 0.25, 1.0, 1.0, 3.0]))
    theorems.adagrad(weighted(rows, [0.0, 0.25, 1.0, 1.0, 3.0]))
    theorems.strongly_convex(weighted(rows, [0.25, 1.0, 1.0, 3.0]))


def test_a_tight_sequence_with_weights() -> None:
    """Weights that double every gradient, at half the radius: the same weights times a half, the same ratio."""
    plain = adversaries.against_projected_descent(10_000)
    half = Rows(plain.X, plain.y, plain.planted / 2.0, np.full(len(plain), 2.0))
    expected = theorems.projected_descent(plain, loss="absolute", radius=1.0)
    found = theorems.projected_descent(half, loss="absolute", radius=0.5)
    assert found.ratio == pytest.approx(expected.ratio, rel=1e-4)


@pytest.mark.parametrize(
    "make",
    [
        lambda: GradientDescent(radius=1.0, features=FEATURES),
        lambda: Pegasos(features=FEATURES),
        lambda: AdaGrad(features=FEATURES),
        lambda: AdaGrad(normalized=True, features=FEATURES),
    ],
)
def test_asking_for_the_weights_changes_nothing(make: Callable[[], Any]) -> None:
    """The checks ask with rows of importance 0; without them every prediction has the same bits."""
    rows = weighted(adversaries.noisy(3000), [0.0, 0.5, 1.0])
    np.testing.assert_array_equal(play(make(), rows).p, make().learn_many(rows.X, rows.y, rows.weight))


@st.composite
def short(draw: st.DrawFn) -> Rows:
    """Up to 30 rows of two features, multiples of 1/4, with any comparator."""
    quarters = st.integers(-12, 12).map(lambda k: k / 4.0)
    row = st.tuples(quarters, quarters, st.sampled_from([-1.0, 1.0]), st.sampled_from([0.25, 1.0, 1.0, 2.0]))
    table = np.array(draw(st.lists(row, min_size=1, max_size=30)))
    table[0, 0] = 1.0  # some gradient is not zero
    planted = np.array(draw(st.tuples(quarters, quarters)))
    return Rows(table[:, :2].copy(), table[:, 2].copy(), planted, table[:, 3].copy())


@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(rows=short(), loss=st.sampled_from(["hinge", "logistic", "absolute", "squared"]))
def test_any_short_sequence(rows: Rows, loss: str) -> None:
    for radius in (0.25, 4.0):
        theorems.projected_descent(rows, loss=loss, radius=radius)
    for strength in (0.1, 4.0):
        theorems.strongly_convex(rows, loss=loss, strength=strength)
    for rate in (0.05, 2.0):
        theorems.adagrad(rows, loss=loss, rate=rate)
    theorems.perceptron(replace(rows, weight=None))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(rows=short())
def test_any_short_separable_sequence(rows: Rows) -> None:
    margins = rows.X @ rows.planted
    if margins.any():
        kept = margins != 0.0
        theorems.perceptron_separable(Rows(rows.X[kept], np.sign(margins[kept]), rows.planted))


def main() -> None:
    print(HEADING)
    for theorem, check in THEOREMS.items():
        for adversary, rows in adversaries.EVERY.items():
            print(line(theorem, adversary, check(rows(ROUNDS))))
        rows = adversaries.separable(2000, seed=8)
        print(line(theorem, "contrarian", check(rows, player=play_against_contrarian)))
    for (theorem, adversary), tight in TIGHT.items():
        print(line(theorem, f"{adversary} *", tight()))


if __name__ == "__main__":
    main()
