"""The second-order bounds and those of competitors that change; `python -m tests.experts.test_tracking` prints how near
each comes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from afterwit._core import alive
from afterwit.experts import AdaNormalHedgeTV, AdaptMLProd, Boa, FixedShare, FollowTheLeadingHistory, MLPol
from tests import adversaries
from tests.adversaries import Array
from tests.experts import second_order_theorems as second
from tests.experts import tracking_theorems as tracking
from tests.experts.formulas import survivors
from tests.experts.games import confidences
from tests.experts.theorems import BoundBroken

SECOND = {"adapt-ml-prod": second.adapt_ml_prod, "boa": second.boa, "ml-pol": second.ml_pol}


def rated(check: Callable[..., float], losses: Array) -> float:
    return check(losses, I=confidences(losses))


EVERY: dict[str, Callable[[Array], float]] = {
    **SECOND,
    **{f"{name}, rated": partial(rated, check) for name, check in SECOND.items()},
    "fixed-share": tracking.fixed_share,
    "fixed-share, fast": partial(tracking.fixed_share, rate=2.0, share=0.3),
    "fixed-share, tuned": tracking.fixed_share_tuned,
    "ada-normal-hedge-tv": tracking.ada_normal_hedge_tv,
    "leading history, rate": tracking.leading_history,
    "leading history, ada-normal-hedge": partial(tracking.leading_history, rate=None),
}
EXACT: dict[str, Callable[[Array], float]] = {
    "ada-normal-hedge-tv": partial(tracking.ada_normal_hedge_tv, exact=True),
    "leading history, rate": partial(tracking.leading_history, exact=True),
    "leading history, ada-normal-hedge": partial(tracking.leading_history, rate=None, exact=True),
}


@pytest.mark.parametrize("game", adversaries.GAMES)
@pytest.mark.parametrize("theorem", EVERY)
def test_a_theorem_holds(theorem: str, game: str) -> None:
    EVERY[theorem](adversaries.GAMES[game](2000))


@pytest.mark.slow
@pytest.mark.parametrize("game", adversaries.GAMES)
@pytest.mark.parametrize("theorem", EVERY)
def test_a_theorem_holds_for_long(theorem: str, game: str) -> None:
    EVERY[theorem](adversaries.GAMES[game](100_000))


@pytest.mark.parametrize("theorem", EVERY)
@given(losses=st.data())
@settings(max_examples=25, deadline=None)
def test_a_theorem_holds_on_any_sequence(theorem: str, losses: st.DataObject) -> None:
    shape = losses.draw(st.tuples(st.integers(1, 60), st.integers(2, 9)))
    some = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0.0, 1.0)
    EVERY[theorem](losses.draw(arrays(np.float64, shape, elements=some)))


@pytest.mark.parametrize("cls", [AdaptMLProd, Boa, MLPol])
def test_small_squares_make_small_bounds(cls: type[Any]) -> None:
    """One expert never loses: after 10,000 rounds the bound is still below sqrt(T), and the regret below the bound."""
    player = cls(experts=10)
    history = player.run(adversaries.one_good(10_000))
    bound = player.regret_bound().value
    assert history.regret.max() <= bound < 100.0
    assert player.regret_bound(0).value == bound <= player.regret_bound(3).value
    assert player.regret_bound(np.full(10, 0.1)).theorem is not None
    wide = cls(experts=10, loss_range=(-4.0, 4.0))
    wide.run(8.0 * adversaries.one_good(10_000) - 4.0)
    assert wide.regret_bound().value == pytest.approx(8.0 * bound)
    assert cls(experts=2).regret_bound().value > 0.0


@pytest.mark.parametrize("cls", [AdaptMLProd, Boa])
def test_the_number_of_experts_is_fixed(cls: type[Any]) -> None:
    player = cls()
    player.update({"a": 0.5, "b": np.nan})
    player.update({"b": 0.5})
    with pytest.raises(ValueError, match="`c` is not among the 2 experts"):
        player.update({"c": 0.5})
    with pytest.raises(ValueError, match="has a fixed set of experts"):
        player.forget("a")


def test_ml_pol_takes_newcomers_and_keeps_the_cost_of_the_forgotten() -> None:
    rng = np.random.default_rng(4)
    player = MLPol()
    player.run([dict(zip("abc", row, strict=True)) for row in rng.random((50, 3)).tolist()])
    player.update({"late": 0.0, "a": 1.0})
    before = player.regret_bound("a").value
    player.forget("b")
    assert player.regret_bound("a").value == pytest.approx(before)
    again = MLPol()
    again.set_state(player.state())
    assert again.regret_bound("a") == player.regret_bound("a")


def test_a_state_of_fixed_share_is_a_distribution() -> None:
    player = FixedShare(experts=2)
    player.update([0.0, 1.0])
    history = FollowTheLeadingHistory(player)
    history.update([0.0, 1.0])
    copies = history.state()["copies"]
    for p in ([0.5, 0.6], [-1.0, 2.0], [np.nan, 1.0], [0.0, 1.0], [1e-320, 1.0]):
        with pytest.raises(ValueError, match="the state's `p` sums to"):
            player.set_state({**player.state(), "p": np.array(p)})
        with pytest.raises(ValueError, match="the state's `p` sums to"):
            history.set_state({**history.state(), "copies": [{**copies[0], "p": np.array(p)}, *copies[1:]]})


def test_the_bound_of_fixed_share() -> None:
    losses = adversaries.switch_at_half(2000)
    for player in (FixedShare(rate=0.2, share=0.01, experts=10), FixedShare(experts=10)):
        assert player.regret_bound().value == 0.0
        loss = player.run(losses).loss
        one, two = player.regret_bound().value, player.regret_bound(3, segments=2).value
        assert loss.sum() - losses.sum(axis=0).min() <= one < two
        assert loss.sum() - losses[:1000, 1].sum() - losses[1000:, 0].sum() <= two
        with pytest.raises(ValueError, match="segments is `0`"):
            player.regret_bound(segments=0)
    for given_, message in (({"rate": 1.0}, "without the other"), ({"rate": 0.0, "share": 0.5}, "rate is `0.0`")):
        with pytest.raises(ValueError, match=message):
            FixedShare(**given_)
    for share in (1.0, 0.0, 5e-324):  # of which two experts would have no half
        with pytest.raises(ValueError, match=rf"share is `{share}`, expected a number from 1e-300 on and below 1"):
            FixedShare(rate=1.0, share=share)


@pytest.mark.parametrize("game", adversaries.GAMES)
@pytest.mark.parametrize("theorem", EXACT)
def test_an_exact_form_keeps_its_bounds(theorem: str, game: str) -> None:
    EXACT[theorem](adversaries.GAMES[game](600))


@pytest.mark.parametrize("theorem", EXACT)
@given(losses=st.data())
@settings(max_examples=25, deadline=None)
def test_an_exact_form_keeps_its_bounds_on_any_sequence(theorem: str, losses: st.DataObject) -> None:
    shape = losses.draw(st.tuples(st.integers(1, 60), st.integers(2, 9)))
    EXACT[theorem](
        losses.draw(arrays(np.float64, shape, elements=st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0.0, 1.0)))
    )


def test_who_survives() -> None:
    """Errata 33, for all t up to 2^11, and beside its definition."""
    before: set[int] = set()
    for t in range(1, 2049):
        now = alive(t)
        assert now == sorted(now)
        assert set(now) - before == {t}
        assert len(now) <= 2 * (1 + math.log2(t))
        before = set(now)
        if t < 300:
            assert now == survivors(t)
            assert all(any(s <= tau <= (s + t) / 2 for tau in now) for s in range(1, t + 1))
    assert alive(5, True) == [1, 2, 3, 4, 5]


def test_tv_says_its_bound_on_an_interval() -> None:
    losses = adversaries.switch_at_half(1000)
    exact, kept = AdaNormalHedgeTV(exact=True, experts=10), AdaNormalHedgeTV(experts=10)
    for player in (exact, kept):
        assert player.regret_bound().value == 0.0
        loss = player.run(losses).loss
        for first in (1, 2, 501, 993, 1000):
            R = (loss[first - 1 :, None] - losses[first - 1 :]).sum(axis=0)
            assert R.max() <= player.regret_bound(first=first).value
            assert R[3] <= player.regret_bound(3, first=first).value
        assert player.regret_bound(first=1001).value == 0.0
        with pytest.raises(ValueError, match="first is `1002`, expected the number of a round, 1 to 1001"):
            player.regret_bound(first=1002)
    assert exact.regret_bound(first=501).value < kept.regret_bound(first=501).value
    with pytest.raises(TypeError, match="exact is `1`"):
        AdaNormalHedgeTV(exact=1)


def test_a_state_of_tv_has_the_rows_of_its_round() -> None:
    player = AdaNormalHedgeTV(experts=3)
    player.run(np.random.default_rng(0).random((100, 3)))
    state = player.state()
    assert len(state["R"]) == 3 * len(alive(101))
    for wrong in ({"rounds": 10.0}, {"rounds": -1.0}, {"rounds": np.nan}, {"R": state["R"][:-3]}):
        with pytest.raises(ValueError, match=r"has not one number per expert and birth|is no number of rounds"):
            AdaNormalHedgeTV(experts=3).set_state({**state, **wrong})


def test_who_does_not_share_is_found_out() -> None:
    """With almost no share the bound for the right share breaks after a switch."""
    losses = adversaries.switch_at_half(20_000)
    losses[:, 2:] = 1.0
    losses[:10_000, 0], losses[:10_000, 1] = 1.0, 0.0
    losses[10_000:, 0], losses[10_000:, 1] = 0.0, 1.0
    tracking.fixed_share(losses)
    with pytest.raises(BoundBroken):
        tracking.fixed_share(losses, lambda rate, share, experts: FixedShare(rate, 1e-300, experts))


if __name__ == "__main__":
    for theorem, check in EVERY.items():
        ratios = {game: check(make(100_000)) for game, make in adversaries.GAMES.items()}
        print(f"{theorem:36}", "  ".join(f"{game} {ratio:.2f}" for game, ratio in ratios.items()))
