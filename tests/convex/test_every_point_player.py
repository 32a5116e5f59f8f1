"""Every public player over a convex domain, in the settings of its specimen, satisfies every check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import afterwit.convex
from afterwit import checks, registry
from tests.convex.specimen import every

PLAYERS = [specimen.cls(**settings) for specimen in every().values() for settings in specimen.settings]


@pytest.mark.parametrize("check", checks.POINT_PLAYER, ids=lambda check: check.__name__)
@pytest.mark.parametrize("player", PLAYERS, ids=repr)
def test_every_point_player(player: Any, check: Callable[[Any], str | None]) -> None:
    assert check(player) is None


def test_every_point_player_has_a_specimen() -> None:
    public = {cls for cls in vars(afterwit.convex).values() if callable(getattr(cls, "play", None))}
    assert {specimen.cls for specimen in every().values()} == public
    assert {type(player) for player in PLAYERS} == public


def test_every_point_player_is_registered() -> None:
    assert all(registry.name_of(player).startswith("convex.") for player in PLAYERS)
