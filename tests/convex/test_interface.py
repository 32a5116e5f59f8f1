"""What a wrong round says, and that it changes nothing; forged states; many rounds, huge and tiny slopes; threads."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest

import afterwit as aw
from afterwit.convex import (
    Ball,
    Box,
    Doubling,
    FollowTheLeader,
    FollowTheRegularizedLeader,
    OnlineGradientDescent,
    OptimisticFTRL,
    Reals,
    Simplex,
)
from afterwit.registry import build, name_of, settings, state
from afterwit.registry.plain import same
from tests.convex.specimen import every

RNG = np.random.default_rng(6)
V = RNG.normal(size=(20, 3))

WRONG: list[tuple[Any, str]] = [
    ([0.1, 0.2], r"gradient has 2 entries, expected 3 \(one per coordinate\)"),
    (0.5, "gradient has 0 dimensions, expected 1"),
    ([[0.1, 0.2, 0.3]], "gradient has 2 dimensions, expected 1"),
    ([0.1, math.nan, 0.2], r"gradient\[1\] is `nan`, expected a finite number"),
    ([0.1, 0.2, -math.inf], r"gradient\[2\] is `-inf`, expected a finite number"),
    ([1e61, 0.2, 0.3], r"gradient\[0\] is `1e\+61`, expected a finite number, the gradient there from -1e60 to 1e60"),
    (["a", "b", "c"], "gradient is not an array of numbers"),
    ({"a": 1.0}, "gradient is not an array of numbers: a `dict` is a mapping"),
    (np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]), "gradient has masked entries"),
]


@pytest.mark.parametrize(("gradient", "message"), WRONG)
def test_a_wrong_gradient_changes_nothing(gradient: Any, message: str) -> None:
    player = OnlineGradientDescent(Ball(1.0, 3))
    player.run(V)
    before = state(player)
    with pytest.raises((TypeError, ValueError), match=message):
        player.update(gradient)
    assert same(before, state(player))


def test_a_fault_names_its_row_and_none_is_learned() -> None:
    player = FollowTheRegularizedLeader(Ball(1.0, 3))
    wrong = V.copy()
    wrong[17, 2] = math.nan
    before = state(player)
    with pytest.raises(ValueError, match=r"losses\[17, 2\] is `nan`, expected a finite number"):
        player.run(wrong)
    with pytest.raises(ValueError, match=r"losses has 2 columns, expected 3 \(one per coordinate\)"):
        player.run(V[:, :2])
    with pytest.raises(ValueError, match="losses has 1 dimensions, expected 2"):
        player.run(V[0])
    with pytest.raises(ValueError, match="keep is `'all'`"):
        player.run(V, keep="all")
    with pytest.raises(ValueError, match="curvature is `-1`, expected 0, or a number from"):
        player.run(V, curvature=-1.0)
    assert same(before, state(player))


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: OnlineGradientDescent("ball"), "domain is `'ball'`, expected `Reals`, `Ball`, `Box` or `Simplex`"),
        (lambda: OnlineGradientDescent(Ball(1.0, 2), rate=0.0), "rate is `0.0`, expected a positive number"),
        (lambda: OnlineGradientDescent(Ball(1.0, 2), projection="none"), "projection is `'none'`"),
        (lambda: OnlineGradientDescent(Ball(1.0, 2), horizon=0), "horizon is `0`, expected a whole number from 1"),
        (
            lambda: OnlineGradientDescent(Ball(1.0, 2)).regret_bound([3.0, 0.0]),
            r"competitor is not in `Ball\(radius=1.0, size=2\)` but 2 away; `Ball.project` moves it",
        ),
        (lambda: FollowTheLeader(Simplex(2)).regret_bound([0.7, 0.7]), "competitor is not in `Simplex.size=2.`"),
        (lambda: FollowTheLeader(Simplex(2)).regret_bound([1.0]), "competitor has 1 entries, expected 2"),
    ],
)
def test_what_is_wrong_says_so(act: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        act()


def test_lists_frames_and_other_layouts_are_arrays() -> None:
    whole = OnlineGradientDescent(Ball(1.0, 3))
    expected = whole.run(V, keep="points")
    for given in (V.tolist(), np.asfortranarray(V), pd.DataFrame(V), np.repeat(V, 2, axis=0)[::2]):
        found = OnlineGradientDescent(Ball(1.0, 3)).run(given, keep="points")
        assert np.array_equal(found.points, expected.points)


def test_a_history_knows_the_best_point() -> None:
    found = OnlineGradientDescent(Simplex(3)).run(V)
    totals = V.sum(axis=0)
    assert found.best.tolist() == np.eye(3)[np.argmin(totals)].tolist()
    assert found.regret == pytest.approx(float(found.loss.sum()) - totals.min())
    assert len(found) == 20
    assert found.points is None
    nobody = OnlineGradientDescent(Reals(3), rate=0.1).run(V)
    assert nobody.best is None
    assert nobody.regret is None
    bent = OnlineGradientDescent(Reals(3), rate=0.1).run(V, curvature=2.0)
    np.testing.assert_allclose(bent.best, -V.mean(axis=0) / 2.0)
    assert bent.best_loss == pytest.approx(float((V @ bent.best + bent.best @ bent.best).sum()))
    assert OnlineGradientDescent(Simplex(3)).run(V[:0]).regret == 0.0


@pytest.mark.parametrize("name", every())
@pytest.mark.parametrize("scale", [1e-55, 1e-20, 1e20, 1e55])
def test_huge_and_tiny_slopes(name: str, scale: float) -> None:
    specimen = every()[name]
    for given in specimen.settings:
        player = specimen.cls(**given)
        bend = 0.0 if player.domain.bounded else 0.5
        for _ in range(3):
            player.run(scale * RNG.normal(size=(40, player.domain.size)), bend)
            assert np.isfinite(player.play()).all()
            assert player.play() in player.domain
        bound = player.regret_bound().value
        assert bound is None or math.isfinite(bound)
        again = build(name_of(player), settings(player), state(player))
        assert same(again.play(), player.play())


def test_curvature_of_every_size() -> None:
    for c in (1e-38, 1e38):
        player = FollowTheLeader(Ball(1.0, 2))
        history = player.run(np.full((40, 2), -0.5 * c), c)
        np.testing.assert_allclose(history.best, [0.5, 0.5])
        np.testing.assert_allclose(player.play(), [0.5, 0.5])


def test_arrays_of_the_caller_stay_the_callers() -> None:
    low, hint = np.zeros(2), np.ones(2)
    player = OptimisticFTRL(Box(low, np.ones(2)), 0.5, hint=hint)
    low[0], hint[0] = 0.5, 7.0
    assert player.domain == Box(np.zeros(2), np.ones(2))
    assert player.hint.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("name", every())
def test_a_million_rounds(name: str) -> None:
    specimen = every()[name]
    player = specimen.cls(**specimen.settings[0])
    rows = RNG.choice([-1.0, 0.0, 1.0], (1_000_000, player.domain.size))
    history = player.run(rows, getattr(player, "strength", 0.0 if player.domain.bounded else 0.5))
    assert player.play() in player.domain
    bound = player.regret_bound().value
    if bound is not None and history.regret is not None:
        assert history.regret <= bound * (1.0 + 1e-9)


def forged(player: Any, changes: dict[str, Any]) -> Any:
    return build(name_of(player), settings(player), {**state(player), **changes})


@pytest.mark.parametrize(
    ("player", "changes", "message"),
    [
        (OnlineGradientDescent(Ball(1.0, 3)), {"point": np.ones(3)}, "point is outside the domain"),
        (OnlineGradientDescent(Ball(1.0, 3)), {"point": np.zeros(2)}, "has not one number per coordinate"),
        (OnlineGradientDescent(Ball(1.0, 3)), {"point": np.full(3, math.nan)}, "`point` has a number that no game"),
        (OnlineGradientDescent(Ball(1.0, 3)), {"rounds": 0.5}, "`rounds` has a number that no game"),
        (OnlineGradientDescent(Ball(1.0, 3)), {"squares": -1.0}, "`squares` has a number that no game"),
        (FollowTheLeader(Ball(1.0, 3)), {"sum": np.full(3, math.inf)}, "`sum` has a number that no game"),
        (FollowTheLeader(Ball(1.0, 3)), {"cost": math.nan}, "`cost` has a number that no game"),
        (Doubling(FollowTheRegularizedLeader(Simplex(3))), {"epoch": 60}, "an epoch or a past that no game"),
        (Doubling(FollowTheRegularizedLeader(Simplex(3))), {"past": math.inf}, "an epoch or a past that no game"),
        (Doubling(FollowTheRegularizedLeader(Simplex(3))), {"player": {}}, "has not one number per coordinate"),
        (Doubling(FollowTheRegularizedLeader(Simplex(3))), {"player": 3}, "`player` is missing or of the wrong type"),
    ],
)
def test_a_forged_state_is_refused(player: Any, changes: dict[str, Any], message: str) -> None:
    assert forged(player, {}) is not None
    with pytest.raises(ValueError, match=message):
        forged(player, changes)


def test_a_file_that_asks_for_a_huge_domain_gets_no_memory() -> None:
    player = OnlineGradientDescent(Ball(1.0, 3))
    for huge in (OnlineGradientDescent(Simplex(1 << 40)), FollowTheLeader(Ball(1.0, 1 << 40))):
        for learned in (state(player), {}, {"rounds": 1.0}):
            with pytest.raises(ValueError, match="has not one number per coordinate"):
                build(name_of(huge), settings(huge), learned)
    doubling = Doubling(OnlineGradientDescent(Simplex(3)))
    given = settings(doubling)
    given["player"]["settings"]["domain"]["settings"]["size"] = 1 << 40
    with pytest.raises(ValueError, match="has not one number per coordinate"):
        build(name_of(doubling), given, state(doubling))


def test_a_file_keeps_domain_and_state(tmp_path: Any) -> None:
    player = Doubling(FollowTheRegularizedLeader(Simplex(3), regularizer="entropic"))
    player.run(V)
    aw.save(player, tmp_path / "player.afterwit")
    again = aw.load(tmp_path / "player.afterwit")
    assert same(state(again), state(player))
    assert repr(again) == repr(player)
    assert again.run(V).regret == player.run(V).regret


def test_no_round_is_lost_among_threads() -> None:
    for player in (OnlineGradientDescent(Ball(1.0, 3)), Doubling(OnlineGradientDescent(Ball(1.0, 3), horizon=1))):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _, p=player: [p.update(V[0]) for _ in range(50)] and p.run(V), range(8)))
        found = player.state()
        rounds = found["rounds"] if "rounds" in found else (1 << found["epoch"]) - 2 + found["player"]["rounds"]
        assert rounds == 8 * 70


def test_a_gradient_that_calls_the_player() -> None:
    player = OnlineGradientDescent(Ball(1.0, 1))

    class Calls:
        def __float__(self) -> float:
            player.update([1.0])
            return 1.0

    with pytest.raises((TypeError, ValueError, RuntimeError), match="from within another call"):
        player.update([Calls()])
    assert player.state()["rounds"] == 0.0


def test_a_slope_that_its_own_curvature_makes_too_large() -> None:
    """v is fine, but v + c w is not."""
    player = OnlineGradientDescent(Ball(1e30, 1), rate=1e30)
    with pytest.raises(ValueError, match=r"losses\[1, 0\] is `1e\+68`"):
        player.run([[-1.0], [0.0]], curvature=1e38)
    assert player.state()["rounds"] == 0.0
