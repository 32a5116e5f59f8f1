"""A mixture whose truths come late, and one by players that know no scale."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit import registry
from afterwit.experts import AdaNormalHedge, Boa, Delayed, FixedShare, Halving, Hedge, Mixture, MLPol, Randomized
from afterwit.experts.forecasts import Array
from tests.experts.specimens.test_boa import free_boa
from tests.experts.specimens.test_ml_pol import free_ml_pol
from tests.experts.test_mixture import table


@pytest.mark.parametrize("delay", [0, 1, 5])
@pytest.mark.parametrize("player", [AdaNormalHedge(), Boa(), Hedge(), FixedShare(rate=0.3)], ids=repr)
def test_those_that_take_turns_are_mixtures_of_their_own(player: Any, delay: int) -> None:
    """Each with a scale of its own: what the others saw is not known yet."""
    F, y = table(asleep=0.2)
    F[7:9] = np.nan  # a round with nobody awake is one, too
    model = Mixture(Delayed(player, delay))
    m = model.learn_many(F, y)
    expected = np.full(len(y), np.nan)
    for first in range(delay + 1):
        expected[first :: delay + 1] = Mixture(player).learn_many(F[first :: delay + 1], y[first :: delay + 1])
    assert np.array_equal(m, expected, equal_nan=True)
    single = Mixture(Delayed(player, delay))
    for f, label in zip(F, y.tolist(), strict=True):
        single.learn_one(f, label)
    assert registry.plain.same(registry.state(single), registry.state(model))


@pytest.mark.parametrize("delay", [1, 5])
def test_forecasts_ahead_need_no_truth_that_is_late(delay: int) -> None:
    """The next delay + 1 rows are forecast at once as they are one by one, whatever came in between."""
    F, y = table()
    model = Mixture(Delayed(AdaNormalHedge(), delay))
    model.learn_many(F[:100], y[:100])
    before = registry.state(model)
    ahead = model.predict_many(F[100 : 101 + delay])
    assert model.predict_one(F[100]) == ahead[0]
    assert registry.plain.same(before, registry.state(model))
    wrong = y[100 : 101 + delay] * -3.0 + 7.0
    assert model.learn_many(F[100 : 101 + delay], wrong).tolist() == ahead.tolist()


def test_a_row_of_no_importance_is_a_round() -> None:
    """Whoever's turn it is lets it pass: in one call, alone, and with an expert that is met nowhere else."""
    F, y = table(60, 3)
    rows: list[Any] = [dict(zip("abc", f, strict=True)) for f in F.tolist()]
    rows[7]["late"], rows[20]["late"] = 1.0, 2.0
    h = np.ones(60)
    h[[7, 8, 30, 59]] = 0.0
    many, single = (Mixture(Delayed(AdaNormalHedge(), 3)) for _ in range(2))
    m = many.learn_many(rows, y, h)
    for t, (row, label, weight) in enumerate(zip(rows, y.tolist(), h.tolist(), strict=True)):
        assert single.predict_one(row) == m[t]
        single.learn_one(row, label, weight)
    assert registry.plain.same(registry.state(single), registry.state(many))
    assert many.state()["player"].state()["turn"] == 0.0
    assert many.predict_many(rows[:20]).tolist() == single.predict_many(rows[:20]).tolist()
    some: list[Any] = [{**row, "stranger": 0.5} if t == 2 else row for t, row in enumerate(rows[:9])]
    for row, forecast in zip(some, many.predict_many(some).tolist(), strict=True):
        assert single.predict_one(row) == forecast
        single.learn_one(row, 0.0, 0.0)


def test_the_bound_is_the_sum() -> None:
    F, y = table()
    low, high = min(F.min(), y.min()), max(F.max(), y.max())
    model = Mixture(Delayed(AdaNormalHedge(), 2), forecast_range=(low, high))
    regret = model.run(F, y).regret
    values = []
    for first in range(3):
        alone = Mixture(AdaNormalHedge(), forecast_range=(low, high))
        alone.learn_many(F[first::3], y[first::3])
        values.append(alone.regret_bound(4).value)
    assert model.regret_bound(4).value == pytest.approx(sum(values))
    assert model.regret_bound(4).theorem.endswith("Weinberger, Ordentlich 2002, and convexity of the loss")
    assert regret.max() <= model.regret_bound().value


def test_who_takes_no_losses_between_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError, match="player is `Delayed`, which takes losses 0 and 1 alone"):
        Mixture(Delayed(Halving(), 1))


def test_a_saved_one_goes_on(tmp_path: Path) -> None:
    F, y = table(asleep=0.2)
    whole, half = (Mixture(Delayed(Boa(), 4)) for _ in range(2))
    m = whole.learn_many(F, y)
    assert half.learn_many(F[:141], y[:141]).tolist() == pytest.approx(m[:141].tolist(), nan_ok=True)
    aw.save(half, tmp_path / "m")
    again = aw.load(tmp_path / "m")
    assert np.array_equal(again.learn_many(F[141:], y[141:]), m[141:], equal_nan=True)
    assert registry.plain.same(registry.state(again), registry.state(whole))
    state = again.state()
    for scale, message in (
        (state["scale"][:2], r"has the shape \(2,\), expected \(5,\)"),
        (-state["scale"], "expected finite numbers from 0 on"),
        (np.full(5, math.inf), "expected finite numbers from 0 on"),
    ):
        with pytest.raises(ValueError, match=message):
            again.set_state({**state, "scale": scale})


def linear_losses(model: Mixture, F: Array, y: Array) -> tuple[Array, Array]:
    """The weights that were played, and the linear losses that were learned."""
    history = model.run(F, y)
    return history.weights, 2.0 * (history.forecast - y)[:, None] * F


@pytest.mark.parametrize("asleep", [0.0, 0.3])
@pytest.mark.parametrize(("player", "formula"), [(Boa(), free_boa), (MLPol(), free_ml_pol)], ids=["boa", "ml-pol"])
def test_without_a_range_no_scale_is_known(player: Any, formula: Any, asleep: float) -> None:
    """The weights are those of the formula on the losses as they are, though the core scales them as it goes."""
    F, y = table(asleep=asleep)
    P, l = linear_losses(Mixture(player), F, y)
    np.testing.assert_allclose(P, formula(l), rtol=0.0, atol=1e-8)
    for scale in (1e-40, 1e40):
        other = Mixture(player).run(F * scale, y * scale)
        np.testing.assert_allclose(other.weights, P, rtol=0.0, atol=1e-6)


def test_a_range_is_made_use_of() -> None:
    F, y = table()
    low, high = min(F.min(), y.min()) - 1.0, max(F.max(), y.max()) + 1.0
    for kind in (Boa, MLPol):
        expected = Mixture(kind(), forecast_range=(low, high))
        m = expected.learn_many(F, y)
        assert type(expected.state()["player"])(loss_range=(0.0, 1.0)).loss_range == (0.0, 1.0)
        assert Mixture(kind(loss_range=None), forecast_range=(low, high)).learn_many(F, y).tolist() == m.tolist()
        assert Mixture(kind()).learn_many(F, y).tolist() != m.tolist()
        assert Mixture(kind(loss_range=None)).learn_many(F, y).tolist() == Mixture(kind()).learn_many(F, y).tolist()
        assert expected.regret_bound().value > 0.0
    assert Mixture(Randomized(Boa()))._playing.player.loss_range is None
    assert Mixture(Delayed(Boa(), 2), forecast_range=(0.0, 1.0))._playing.player.loss_range == (0.0, 1.0)


def test_a_state_from_before_goes_on_in_its_form() -> None:
    F, y = table()
    old = Mixture(MLPol())
    old.set_state({"player": MLPol(), "scale": 0.0})
    new = Mixture(MLPol())
    assert old.learn_many(F, y).tolist() != new.learn_many(F, y).tolist()
    again = Mixture(MLPol())
    again.set_state(old.state())
    again.set_state(new.state())
    assert again.predict_many(F).tolist() == new.predict_many(F).tolist()
    with pytest.raises(ValueError, match="the player of the state is not that of the mixture"):
        again.set_state({"player": MLPol(loss_range=(0.0, 2.0)), "scale": 0.0})


def test_who_is_level_with_the_player_does_not_take_all() -> None:
    """The mean of the others has no regret in the first round: its rate must not be beyond all others."""
    rng = np.random.default_rng(5)
    y = rng.normal(size=200)
    F = np.column_stack([y - 1.0, y + 1.0, np.full(200, 0.0)])
    F[0] = [y[0] - 1.0, y[0] + 2.0, y[0] + 0.5]
    P = Mixture(Boa()).run(F, y).weights
    assert P[1, 2] < 0.5
    assert P[-1, 2] < 0.01
    exact = Boa(experts=3, loss_range=None)
    exact.update([1.0, 3.0, 2.0 + 1e-15])
    assert exact.play()[2] < 0.5


def test_experts_that_come_late_to_boa() -> None:
    model = Mixture(Boa())
    for t in range(50):
        row = {"a": 1.0 + t % 2, "b": 5.0} | ({"late": 1.5} if t > 30 else {})
        model.learn_one(row, 1.5)
    assert model.weights()["late"] > 0.5
    ranged = Mixture(Boa(), forecast_range=(0.0, 9.0))
    with pytest.raises(ValueError, match="`c` is not among the 2 experts"):
        ranged.learn_many([{"a": 1.0, "b": 2.0}, {"c": 1.0}], [1.0, 1.0])
