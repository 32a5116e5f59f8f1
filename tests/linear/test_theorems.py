"""The theorems about linear learners, with their own constants, on adversarial sequences and strong comparators.

`python -m tests.linear.test_theorems` prints how near each comes to its bound; so does `pytest -s`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterwit.registry import fresh
from tests import adversaries
from tests.adversaries import Rows
from tests.linear.broken import at_rate
from tests.linear.rules import rules
from tests.linear.specimen import theorems
from tests.linear.theorems import FEATURES, ROUNDS, BoundBroken, Outcome, asked, play_against_contrarian, short

LONG = 1_000_000
THEOREMS = theorems()
ANY_LABELS = [name for name, (_, theorem) in THEOREMS.items() if theorem.any_labels]
AGAINST = [(name, adversary) for name, (_, theorem) in THEOREMS.items() for adversary in theorem.adversaries]
TIGHT = [(name, adversary) for name, (_, theorem) in THEOREMS.items() for adversary in theorem.tight]
TYPICAL = rules(FEATURES)


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


def against(name: str, adversary: str, rounds: int) -> Outcome:
    each, theorem = THEOREMS[name]
    return theorem.check(theorem.adversaries[adversary](rounds), each.make)


def tight(name: str, adversary: str) -> Outcome:
    each, theorem = THEOREMS[name]
    rows, at = theorem.tight[adversary]
    return theorem.check(rows(), each.make, **at)


def contrary(name: str) -> Outcome:
    each, theorem = THEOREMS[name]
    return theorem.check(adversaries.separable(2000, seed=8), each.make, player=play_against_contrarian)


@pytest.mark.parametrize(("name", "adversary"), AGAINST)
def test_the_bound_holds(name: str, adversary: str, record: Record) -> None:
    record(name, adversary, against(name, adversary, ROUNDS))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "adversary"), AGAINST)
def test_the_bound_holds_for_long(name: str, adversary: str) -> None:
    against(name, adversary, LONG)


@pytest.mark.parametrize(("name", "adversary"), TIGHT)
def test_the_bound_is_nearly_met(name: str, adversary: str, record: Record) -> None:
    outcome = tight(name, adversary)
    record(name, adversary, outcome)
    assert outcome.ratio >= 0.5


@pytest.mark.parametrize("name", ANY_LABELS)
def test_against_one_who_sees_the_prediction(name: str, record: Record) -> None:
    record(name, "contrarian", contrary(name))


@pytest.mark.parametrize(
    ("name", "loss"), [(name, loss) for name, (_, theorem) in THEOREMS.items() for loss in theorem.losses]
)
@pytest.mark.parametrize("adversary", ["noisy", "switch", "one_hot", "drifting"])
def test_other_losses(name: str, loss: str, adversary: str) -> None:
    each, theorem = THEOREMS[name]
    theorem.check(adversaries.EVERY[adversary](2000), each.make, loss=loss)


def weighted(rows: Rows, choices: Sequence[float]) -> Rows:
    return replace(rows, weight=np.random.default_rng(0).choice(choices, size=len(rows)))


@pytest.mark.parametrize("name", [name for name, (_, theorem) in THEOREMS.items() if theorem.weights])
@pytest.mark.parametrize("adversary", adversaries.EVERY)
def test_importance_weights(name: str, adversary: str) -> None:
    each, theorem = THEOREMS[name]
    theorem.check(weighted(adversaries.EVERY[adversary](5000), theorem.weights), each.make)


@pytest.mark.parametrize("name", TYPICAL)
def test_asking_for_the_weights_changes_nothing(name: str) -> None:
    """The checks ask with rows of importance 0; without them every prediction has the same bits."""
    rows = weighted(adversaries.noisy(3000), [0.0, 0.5, 1.0])
    np.testing.assert_array_equal(
        asked(fresh(TYPICAL[name]), rows)[:, -1], fresh(TYPICAL[name]).learn_many(rows.X, rows.y, rows.weight)
    )


@pytest.mark.parametrize("name", ANY_LABELS)
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(rows=short(), data=st.data())
def test_any_short_sequence(name: str, rows: Rows, data: st.DataObject) -> None:
    each, theorem = THEOREMS[name]
    losses = [
        loss for loss in ("hinge", "logistic", "absolute", "squared") if loss == "hinge" or loss in theorem.losses
    ]
    loss = {"loss": data.draw(st.sampled_from(losses))} if theorem.losses else {}
    rows = replace(rows, weight=np.minimum(rows.weight, max(theorem.weights)) if theorem.weights else None)
    for at in theorem.short:
        theorem.check(rows, each.make, **loss, **at)


@pytest.mark.parametrize(
    ("name", "how"), [(name, how) for name, (_, theorem) in THEOREMS.items() for how in theorem.bites]
)
def test_a_theorem_check_bites(name: str, how: str) -> None:
    each, theorem = THEOREMS[name]
    broken, rows, at = theorem.bites[how]
    theorem.check(rows(), each.make, **at)
    theorem.check(rows(), at_rate(1.0, each.make, each.pace), **at)  # a subclass that breaks nothing
    with pytest.raises(BoundBroken):
        theorem.check(rows(), broken(each.make), **at)


def main() -> None:
    print(HEADING)
    for name, adversary in AGAINST:
        print(line(name, adversary, against(name, adversary, ROUNDS)))
    for name in ANY_LABELS:
        print(line(name, "contrarian", contrary(name)))
    for name, adversary in TIGHT:
        print(line(name, f"{adversary} *", tight(name, adversary)))


if __name__ == "__main__":
    main()
