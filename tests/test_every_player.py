"""Every public player, in many settings, satisfies every check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import afterwit.experts
from afterwit import checks, registry
from afterwit.experts import (
    AdaNormalHedge,
    AdaNormalHedgeTV,
    AdaptMLProd,
    Boa,
    FixedShare,
    FollowTheLeadingHistory,
    Halving,
    Hedge,
    MLPol,
    NormalHedge,
    NormalHedgeDT,
    Randomized,
    TwoNorm,
)
from afterwit.protocols import Player

NAMES = ["a", "b", "ç", "d"]
#: Beside the defaults.
SETTINGS: dict[type, list[dict[str, Any]]] = {
    Halving: [{"experts": NAMES}],
    TwoNorm: [{"experts": 40, "loss_range": (-3.0, 2.0)}],
    NormalHedge: [{"experts": NAMES, "loss_range": (-3.0, 2.0)}],
    Hedge: [{"rate": 0.3}, {"horizon": 50, "eps": 0.25}, {"experts": NAMES}, {"experts": 1}, {"rate": 1e6}],
    AdaNormalHedgeTV: [{"exact": True}, {"experts": NAMES}, {"experts": 1}, {"experts": 40, "loss_range": (-3.0, 2.0)}],
    FollowTheLeadingHistory: [
        {"base": Hedge(rate=0.3), "rate": 0.5},
        {"base": Hedge(experts=NAMES), "exact": True},
        {"base": AdaNormalHedge(prior=[0.5, 0.0, 3.0], loss_range=(-3.0, 2.0)), "master": NormalHedgeDT()},
        {"base": AdaNormalHedgeTV(experts=40)},
        {"base": FixedShare(experts=1), "rate": 1e6},
    ],
    Randomized: [
        {"player": Hedge(rate=0.3), "seed": 1},
        {"player": NormalHedgeDT(experts=NAMES), "seed": 2**64 - 1, "delta": 0.5},
        {"player": TwoNorm(experts=40, loss_range=(-3.0, 2.0))},
        {"player": AdaNormalHedge(prior=[0.5, 0.0, 3.0, 1e-200])},
        {"player": FollowTheLeadingHistory(MLPol(), rate=0.5)},
        {"player": Halving(experts=1)},
    ],
    FixedShare: [{"rate": 0.3, "share": 0.1}, {"experts": NAMES}, {"experts": 1}, {"experts": 40}],
    **{
        cls: [{"experts": NAMES}, {"experts": 1}, {"experts": 40, "loss_range": (-3.0, 2.0)}]
        for cls in (AdaptMLProd, Boa, MLPol)
    },
    **{
        cls: [
            {"prior": [0.5, 0.0, 3.0, 1e-200]},
            {"prior": {"a": 1.0, "b": 2.0}},
            {"experts": 40, "loss_range": (-3.0, 2.0)},
        ]
        for cls in (AdaNormalHedge, NormalHedgeDT)
    },
}


#: These have no defaults for all that they take.
TAKES = {FollowTheLeadingHistory, Randomized}


def public_players() -> list[type]:
    public = [getattr(afterwit.experts, name) for name in afterwit.experts.__all__]
    return [cls for cls in public if callable(getattr(cls, "play", None))]


PLAYERS = [
    cls(**settings)
    for cls in public_players()
    for settings in [*([] if cls in TAKES else [{}]), *SETTINGS.get(cls, [])]
]


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
