"""Names, mappings, tables and iterables; what a wrong round says, and that it changes nothing."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import afterwit as aw
from afterwit.experts import (
    AdaNormalHedge,
    Boa,
    FollowTheLeadingHistory,
    Hedge,
    Mixture,
    NormalHedgeDT,
    TwoNorm,
)
from afterwit.registry import build, state
from afterwit.registry.plain import same

RNG = np.random.default_rng(3)


def test_names_are_numbers_with_a_name() -> None:
    losses = RNG.random((50, 3))
    losses[losses < 0.2] = np.nan
    named, numbered = AdaNormalHedge(experts=["a", "b", "c"]), AdaNormalHedge(experts=3)
    for row in losses:
        by_name = {name: loss for name, loss in zip("abc", row, strict=True) if loss == loss}
        assert list(named.play().values()) == numbered.play().tolist()
        named.update(by_name)
        numbered.update(row)
    assert list(named.play()) == ["a", "b", "c"]
    assert list(named.play().values()) == numbered.play().tolist()


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_an_expert_that_comes_late_has_slept(cls: Any) -> None:
    losses = RNG.random((60, 4))
    late = cls()
    known = cls(experts=4)
    for t, row in enumerate(losses):
        awake = 2 + (t > 20) + (t > 40)
        late.update(dict(zip("abcd"[:awake], row[:awake].tolist(), strict=True)))
        known.update(np.where(np.arange(4) < awake, row, np.nan))
    assert np.array_equal(list(late.play().values()), known.play())
    assert late.regret_bound("a") == known.regret_bound(0)


def test_play_shows_newcomers_and_meets_nobody() -> None:
    player = AdaNormalHedge()
    player.update({"a": 0.0, "b": 1.0})
    before = state(player)
    assert player.play({"new": 1.0, "b": 0.0}) == {"a": 0.0, "b": 0.0, "new": 1.0}
    assert same(before, state(player))
    player.update({"a": 0.5, "new": math.nan})
    assert list(player.play()) == ["a", "b"]


def test_forgotten_experts_are_gone_and_stay_in_the_bound() -> None:
    player = AdaNormalHedge()
    rows = [dict(zip("abc", row, strict=True)) for row in np.random.default_rng(4).random((80, 3)).tolist()]
    player.run(rows)
    before, p = player.regret_bound("a").value, player.play()
    player.forget("b")
    after = player.play()
    assert list(after) == ["a", "c"]
    assert p["a"] + p["c"] > 0.0
    assert after["a"] == pytest.approx(p["a"] / (p["a"] + p["c"]))
    assert player.regret_bound("a").value == pytest.approx(before)
    assert build("ada-normal-hedge", {}, state(player)).regret_bound("a") == player.regret_bound("a")
    player.update({"a": 0.1, "b": 0.2})
    assert player.state()["experts"] == ["a", "c", "b"]
    with pytest.raises(ValueError, match="there is no expert `x`"):
        player.forget("x")
    with pytest.raises(ValueError, match="fixed set of experts"):
        Hedge(experts=["a"]).forget("a")


def test_run_takes_arrays_lists_iterables_and_tables() -> None:
    losses = RNG.random((30, 4))
    whole = AdaNormalHedge()
    expected = whole.run(losses, keep="weights")
    rows: list[Any] = [losses.tolist(), iter(losses), (row for row in losses.tolist()), np.asfortranarray(losses)]
    for given in rows:
        player = AdaNormalHedge()
        found = player.run(given, keep="weights")
        assert np.array_equal(found.weights, expected.weights)
        assert np.array_equal(found.loss, expected.loss)
        np.testing.assert_allclose(found.total, losses.sum(axis=0))
        assert same(state(player), state(whole))
    player = AdaNormalHedge()
    found = player.run(pd.DataFrame(losses, columns=list("abcd")), keep="weights")
    assert found.names == ("a", "b", "c", "d")
    assert np.array_equal(found.weights, expected.weights)
    found = player.run(pd.DataFrame(losses[:, :2], columns=["d", "e"]), keep="weights")
    assert found.names == ("a", "b", "c", "d", "e")
    assert not found.weights[:, :3].any()


def test_a_history_of_names_that_come_late_is_filled_up() -> None:
    player = NormalHedgeDT()
    history = player.run([{"a": 0.5}, {"a": 0.5, "b": 0.0}, {"b": 1.0}], keep="weights")
    assert history.names == ("a", "b")
    assert history.weights.shape == history.losses.shape == history.confidence.shape == (3, 2)
    assert history.weights[0].tolist() == [1.0, 0.0]
    assert history.confidence.tolist() == [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    assert history.total.tolist() == [1.0, 1.0]
    assert len(history) == 3


def test_a_history_keeps_losses_and_confidences() -> None:
    """As they were given; who sleeps has confidence 0 and no loss, said either way, whatever loss was given."""
    losses, I = RNG.random((6, 4)), RNG.choice([0.0, 0.25, 1.0], (6, 4))
    I[:, 3] = 0.5
    rated = AdaNormalHedge().run(losses, I, keep="weights")
    assert rated.confidence.tolist() == I.tolist()
    np.testing.assert_array_equal(rated.losses, np.where(I > 0.0, losses, np.nan))
    asleep = np.where(I > 0.0, losses, np.nan)
    silent = AdaNormalHedge().run(asleep, keep="weights")
    assert silent.confidence.tolist() == (I > 0.0).astype(float).tolist()
    np.testing.assert_array_equal(silent.losses, asleep)
    assert AdaNormalHedge().run(losses, I).confidence is None


def test_a_known_range_is_a_change_of_units() -> None:
    losses = RNG.random((200, 5))
    plain, scaled = AdaNormalHedge(), AdaNormalHedge(loss_range=(-4.0, 4.0))
    a, b = plain.run(losses, keep="weights"), scaled.run(8.0 * losses - 4.0, keep="weights")
    np.testing.assert_allclose(a.weights, b.weights, rtol=0, atol=1e-11)
    np.testing.assert_allclose(8.0 * a.loss - 4.0, b.loss, atol=1e-11)
    np.testing.assert_allclose(8.0 * a.regret, b.regret, atol=1e-9)
    assert scaled.regret_bound(2).value == pytest.approx(8.0 * plain.regret_bound(2).value)


def _iterable(last: Any) -> Iterator[Any]:
    yield from ([0.1, 0.2, 0.3], [0.4, 0.5, 0.6], last)


WRONG: list[tuple[str, Any, Any, str]] = [
    ("too few", [0.1, 0.2], None, r"losses has 2 entries, expected 3 \(one per expert\)"),
    ("too many", [0.1] * 4, None, r"losses has 4 entries, expected 3"),
    ("above", [0.1, 0.2, 1.5], None, r"losses\[.*2\] is `1.5`, expected a number from 0 to 1; .* `loss_range="),
    ("below", [-0.1, 0.2, 0.5], None, r"losses\[.*0\] is `-0.1`, expected a number from 0 to 1"),
    ("infinite", [0.1, math.inf, 0.5], None, r"losses\[.*1\] is `inf`"),
    ("above, rated", [0.1, 0.2, 1.5], [1.0, 0.5, 0.25], r"losses\[.*2\] is `1.5`, expected a number from 0 to 1"),
    ("below, rated", [-0.1, 0.2, 0.5], [0.25, 0.5, 1.0], r"losses\[.*0\] is `-0.1`, expected a number from 0 to 1"),
    ("below, beside a sleeper", [-0.1, math.nan, 0.5], None, r"losses\[.*0\] is `-0.1`, expected a number from 0 to 1"),
    ("NaN, awake", [0.1, math.nan, 0.5], [0.0, 0.5, 1.0], r"losses\[.*1\] is missing, but its confidence is 0.5"),
    (
        "confidence above",
        [0.1, 0.2, 0.3],
        [1.0, 1.0, 1.1],
        r"confidence\[.*2\] is `1.1`, expected a number from 0 to 1",
    ),
    ("confidence NaN", [0.1, 0.2, 0.3], [1.0, math.nan, 1.0], r"confidence\[.*1\] is `nan`"),
    ("confidences too few", [0.1, 0.2, 0.3], [1.0], r"confidence has 1 entries, expected 3"),
    ("a mapping", {"a": 0.5}, None, "a mapping was given to a player of 3 experts without names"),
    ("words", ["a", "b", "c"], None, "losses is not an array of numbers"),
    ("a number", 0.5, None, "losses has 0 dimensions, expected 1"),
]


@pytest.mark.parametrize(("losses", "confidence", "message"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_a_wrong_round_changes_nothing(losses: Any, confidence: Any, message: str) -> None:
    player = AdaNormalHedge()
    player.run(RNG.random((20, 3)))
    before = state(player)
    with pytest.raises((TypeError, ValueError), match=message):
        player.update(losses, confidence)
    assert same(before, state(player))
    if not isinstance(losses, float):
        rated = None if confidence is None else iter([[1.0] * 3, [1.0] * 3, confidence])
        with pytest.raises((TypeError, ValueError), match=message):
            player.run(_iterable(losses), rated)
        assert same(before, state(player))


def test_a_fault_names_its_row() -> None:
    losses = RNG.random((40, 3))
    losses[31, 2] = 2.0
    with pytest.raises(ValueError, match=r"losses\[31, 2\] is `2`"):
        AdaNormalHedge().run(losses)
    with pytest.raises(ValueError, match=r"losses\[31, 2\] is `2`"):
        AdaNormalHedge().run(iter(losses))
    with pytest.raises(ValueError, match=r"losses\[1, `b`\] is `7`"):
        AdaNormalHedge().run([{"a": 0.5}, {"b": 7.0}])


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: TwoNorm().update([0.1, math.nan]), "`TwoNorm` has no form for experts that sleep"),
        (lambda: TwoNorm(experts=2).update([0.1, 0.2], [1.0, 0.5]), "`TwoNorm` has no form for experts that sleep"),
        (lambda: TwoNorm(experts=2).play([1.0, 0.5]), "`TwoNorm` has no form for experts that sleep; give all losses"),
        (lambda: TwoNorm(experts=["a", "b"]).update({"a": 0.1}), r"losses\[`b`\] is missing"),
        (lambda: AdaNormalHedge(loss_range=None), "loss_range is `None`, expected .smallest, largest."),
        (
            lambda: Boa(2, None).update([0.0, 1e61]),
            r"losses\[1\] is `1e\+61`, expected a number from -1e\+60 to 1e\+60",
        ),
        (lambda: FollowTheLeadingHistory(Boa(2, None)), "base takes losses of any scale"),
        (
            lambda: Hedge(experts=["a"]).update({"a": 0.1, "c": 0.2}),
            "`c` is not among the 1 experts that `Hedge` began",
        ),
        (lambda: Hedge(rate=0.1, horizon=5), "rate and horizon are both given"),
        (lambda: Hedge(rate=0.0), "rate is `0.0`, expected a number above 0"),
        (lambda: Hedge(horizon=0), "horizon is `0`, expected a whole number"),
        (lambda: Hedge(eps=1.5), "eps is `1.5`, expected a number above 0 and at most 1"),
        (lambda: AdaNormalHedge().play(), "the experts are not known before the first round"),
        (lambda: AdaNormalHedge().regret_bound(), "the experts are not known before the first round"),
        (lambda: AdaNormalHedge(experts=0), "experts is `0`, expected a number from 1 on"),
        (lambda: AdaNormalHedge(experts="abc"), "experts is `'abc'`, expected how many"),
        (lambda: AdaNormalHedge(experts=["a", "a"]), "the expert `a` is there twice"),
        (lambda: AdaNormalHedge(prior=[0.0, 0.0]), "prior has no entry above 0"),
        (lambda: AdaNormalHedge(prior=[1.0, -1.0]), r"prior\[1\] is `-1`"),
        (lambda: AdaNormalHedge(prior=[1.0, 1.0], experts=3), "prior has 2 entries, expected 3"),
        (lambda: AdaNormalHedge(prior={"a": 1.0}).update({"b": 0.5}), "`b` has no entry in the prior"),
        (lambda: AdaNormalHedge(prior={"a": 1.0}).update([0.5]), "these experts have names; give losses by name"),
        (lambda: AdaNormalHedge(loss_range=(1.0, 1.0)), "loss_range is `.1, 1.`, expected two finite numbers"),
        (lambda: AdaNormalHedge(loss_range=(0.0, 1e200)), "the smaller one first, no larger than 1e.100 and at least"),
        (lambda: AdaNormalHedge(loss_range=(0.0, 1e-200)), "at least 1e-100 apart"),
        (lambda: AdaNormalHedge().update({"a": "x"}), "the loss of `a` is `'x'`, expected a number"),
        (lambda: AdaNormalHedge().update({1: 0.5}), "an expert's name is `1`, expected a string"),
        (lambda: AdaNormalHedge().update({"a": 0.5}, [1.0]), "losses is a mapping, confidence a `list`"),
        (lambda: AdaNormalHedge().update({"a": 0.5}, {"b": 1.0}), r"losses\[`b`\] is missing, but its confidence is 1"),
        (lambda: AdaNormalHedge().run([[0.5]], keep="all"), "keep is `'all'`"),
        (lambda: AdaNormalHedge().run(iter([[0.5]] * 2), iter([[1.0]])), "confidence has 1 rows, expected one more"),
        (lambda: AdaNormalHedge(experts=2).regret_bound([0.5, 0.6]), "competitor sums to `1.1`"),
        (lambda: AdaNormalHedge(experts=2).regret_bound(7), "the expert is `7`, expected a number from 0 to 1"),
        (lambda: AdaNormalHedge(experts=2).regret_bound(1.5), "competitor is `1.5`, expected a fraction"),
    ],
)
def test_what_is_wrong_says_so(act: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        act()


def test_memory_does_not_grow_with_rounds() -> None:
    """An iterable of rows, each a new array, is not kept: few of them are there at any time."""
    alive: list[weakref.ref[Any]] = []
    most = 0

    def rows() -> Iterator[Any]:
        nonlocal most
        for _ in range(20):
            row = np.full(300_000, 0.5)
            alive.append(weakref.ref(row))
            most = max(most, sum(each() is not None for each in alive))
            yield row

    AdaNormalHedge().run(rows())
    assert len(alive) == 20
    assert most <= 4


def test_load_knows_players(tmp_path: Any) -> None:
    player = aw.experts.AdaNormalHedge(prior={"a": 1.0, "b": 0.5})
    player.update({"a": 0.5, "b": 0.25})
    aw.save(player, tmp_path / "p.afterwit")
    again = aw.load(tmp_path / "p.afterwit")
    assert again.play() == player.play()
    assert repr(again) == repr(player)


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1e100, 1e308])
@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_a_prior_may_have_any_unit(cls: Any, unit: float) -> None:
    """The largest weight is 1, so that the sum of many of them is a number."""
    player, plain = cls(prior=[unit] * 3), cls(prior=[1.0] * 3)
    for each in (player, plain):
        each.run([[0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])
    assert player.play().tolist() == plain.play().tolist()
    assert player.regret_bound() == plain.regret_bound()
    late = cls(prior={"a": unit, "b": unit / 2})
    late.update({"a": 0.5})
    late.update({"a": 0.5, "b": 0.5})
    assert late.play()["b"] > 0.0


def test_columns_of_any_table_are_experts_and_no_two_have_one_name() -> None:
    losses = RNG.random((5, 2))
    frame = pd.DataFrame(losses, columns=["a", "column_names"])
    expected = AdaNormalHedge().run(frame)
    for table in (pa.Table.from_pandas(frame), pl.DataFrame(frame)):
        found = AdaNormalHedge().run(table)
        assert found.names == expected.names
        assert same(found.loss, expected.loss)
        assert same(Mixture().learn_many(table, losses[:, 0]), Mixture().learn_many(frame, losses[:, 0]))
    for columns in (["a", "a"], [1, "1"]):
        twice = pd.DataFrame(losses, columns=columns)
        for act in (lambda X: AdaNormalHedge().run(X), lambda X: Mixture().learn_many(X, losses[:, 0])):
            with pytest.raises(ValueError, match=f"two columns are named `{columns[0]}`; rename or drop one"):
                act(twice)
