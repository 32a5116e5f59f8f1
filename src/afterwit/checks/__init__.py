"""What every supervised learner, player over experts and player over points must satisfy; try it on your own.

`check_learner(make)` runs all of `ALL`. A check raises AssertionError with a sentence, returns None where it held, and
returns the reason where it does not apply: a learner needs `predict_one` and `learn_one`, all else is optional.
`check_player(make)` runs all of `PLAYER`: a player needs `play` and `update`. `check_point_player(make)` runs all of
`POINT_PLAYER`, for players over convex domains, which need the same.

>>> from afterwit.linear import AdaGrad
>>> check_learner(AdaGrad(normalized=True))["check_threads"] is None
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from afterwit.checks.learners import (
    check_face,
    check_fresh,
    check_prototype_is_copied,
    check_round_trips,
    check_threads,
)
from afterwit.checks.making import Make
from afterwit.checks.players import (
    check_play_is_pure,
    check_player_face,
    check_player_fresh,
    check_player_round_trips,
    check_player_threads,
    check_plays_a_distribution,
    check_run_equals_updates,
    check_sleepers,
    check_wrong_rounds,
)
from afterwit.checks.points import (
    check_plays_in_the_domain,
    check_point_face,
    check_point_fresh,
    check_point_is_pure,
    check_point_round_trips,
    check_point_run_equals_updates,
    check_point_threads,
    check_wrong_gradients,
)
from afterwit.checks.steps import check_empty_row, check_many_equal_single, check_predict_is_pure, check_weight_zero
from afterwit.checks.wrong_input import check_wrong_labels, check_wrong_rows, check_wrong_weights

ALL: tuple[Callable[[Make], str | None], ...] = (
    check_face,
    check_predict_is_pure,
    check_many_equal_single,
    check_weight_zero,
    check_empty_row,
    check_wrong_rows,
    check_wrong_labels,
    check_wrong_weights,
    check_fresh,
    check_round_trips,
    check_prototype_is_copied,
    check_threads,
)

PLAYER: tuple[Callable[[Make], str | None], ...] = (
    check_player_face,
    check_play_is_pure,
    check_plays_a_distribution,
    check_run_equals_updates,
    check_player_fresh,
    check_player_round_trips,
    check_wrong_rounds,
    check_sleepers,
    check_player_threads,
)

POINT_PLAYER: tuple[Callable[[Make], str | None], ...] = (
    check_point_face,
    check_point_is_pure,
    check_plays_in_the_domain,
    check_point_run_equals_updates,
    check_point_fresh,
    check_point_round_trips,
    check_wrong_gradients,
    check_point_threads,
)

__all__ = [
    *("ALL", "PLAYER", "POINT_PLAYER", "check_learner", "check_player", "check_point_player"),
    *(check.__name__ for check in (*ALL, *PLAYER, *POINT_PLAYER)),
]


def check_learner(make: Callable[[], Any] | Any) -> dict[str, str | None]:
    """Runs every check on the learners that `make()` returns, or on fresh copies of a learner.

    Raises AssertionError at the first that fails; returns, by name, why a check did not apply, or None where it held.
    """
    return {check.__name__: check(make) for check in ALL}


def check_player(make: Callable[[], Any] | Any) -> dict[str, str | None]:
    """The same for the players that `make()` returns, or for fresh copies of a player.

    >>> from afterwit.experts import AdaNormalHedge
    >>> check_player(AdaNormalHedge())["check_sleepers"] is None
    True
    """
    return {check.__name__: check(make) for check in PLAYER}


def check_point_player(make: Callable[[], Any] | Any) -> dict[str, str | None]:
    """The same for players over convex domains.

    >>> from afterwit.convex import Ball, OnlineGradientDescent
    >>> check_point_player(OnlineGradientDescent(Ball(radius=1.0, size=2)))["check_wrong_gradients"] is None
    True
    """
    return {check.__name__: check(make) for check in POINT_PLAYER}
