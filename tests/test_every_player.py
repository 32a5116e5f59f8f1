"""Every public player, in the settings of its specimen, satisfies every check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import afterwit.experts
from afterwit import checks, registry
from afterwit.protocols import Player
from tests.experts.specimen import every

PLAYERS = [specimen.cls(**settings) for specimen in every().values() for settings in specimen.settings]


@pytest.mark.parametrize("check", checks.PLAYER, ids=lambda check: check.__name__)
@pytest.mark.parametrize("player", PLAYERS, ids=repr)
def test_every_player(player: Any, check: Callable[[Any], str | None]) -> None:
    reason = check(player)
    if check is checks.check_sleepers:
        assert reason in (None, "its experts have names", "it has no form for experts that sleep")
    else:
        assert reason is None


def test_every_player_has_a_specimen() -> None:
    public = {cls for cls in vars(afterwit.experts).values() if callable(getattr(cls, "play", None))}
    assert {specimen.cls for specimen in every().values()} == public
    assert {type(player) for player in PLAYERS} == public


def test_every_player_is_registered() -> None:
    assert all(registry.name_of(player) for player in PLAYERS)
    assert all(isinstance(player, Player) for player in PLAYERS)
