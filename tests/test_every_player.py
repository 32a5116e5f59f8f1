"""Every public player, in many settings, satisfies every check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import afterwit.experts
from afterwit import checks, registry
from afterwit.experts import AdaNormalHedge, Halving, Hedge, NormalHedge, NormalHedgeDT, TwoNorm
from afterwit.protocols import Player

NAMES = ["a", "b", "ç", "d"]
#: Beside the defaults.
SETTINGS: dict[type, list[dict[str, Any]]] = {
    Halving: [{"experts": NAMES}],
    TwoNorm: [{"experts": 40, "loss_range": (-3.0, 2.0)}],
    NormalHedge: [{"experts": NAMES, "loss_range": (-3.0, 2.0)}],
    Hedge: [{"rate": 0.3}, {"horizon": 50, "eps": 0.25}, {"experts": NAMES}, {"experts": 1}, {"rate": 1e6}],
    **{
        cls: [
            {"prior": [0.5, 0.0, 3.0, 1e-200]},
            {"prior": {"a": 1.0, "b": 2.0}},
            {"experts": 40, "loss_range": (-3.0, 2.0)},
        ]
        for cls in (AdaNormalHedge, NormalHedgeDT)
    },
}


def public_players() -> list[type]:
    public = [getattr(afterwit.experts, name) for name in afterwit.experts.__all__]
    return [cls for cls in public if callable(getattr(cls, "play", None))]


PLAYERS = [cls(**settings) for cls in public_players() for settings in [{}, *SETTINGS.get(cls, [])]]


@pytest.mark.parametrize("check", checks.PLAYER, ids=lambda check: check.__name__)
@pytest.mark.parametrize("player", PLAYERS, ids=repr)
def test_every_player(player: Any, check: Callable[[Any], str | None]) -> None:
    reason = check(player)
    if check is checks.check_sleepers:
        assert reason in (None, "its experts have names", "it has no form for experts that sleep")
    else:
        assert reason is None


def test_every_player_is_registered() -> None:
    assert all(registry.name_of(player) for player in PLAYERS)
    assert all(isinstance(player, Player) for player in PLAYERS)
    assert {type(player) for player in PLAYERS} == set(public_players())
