"""The doubling trick."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from afterwit import registry
from afterwit._core import Lock
from afterwit.convex.domains import Array, Domain
from afterwit.convex.player import History, Player, in_hindsight, played
from afterwit.registry import register
from afterwit.registry.plain import count
from afterwit.regret import Bound
from afterwit.shown import model_html
from afterwit.threads import locked


@register("convex.doubling")
class Doubling:
    """Begins anew in epochs of 2, 4, 8, ... rounds, each with the given player tuned for as many: no horizon is needed.

    The player is any of this room that takes a `horizon`, and is copied; the horizon that it has does not matter.

    Guarantee: sqrt(2)/(sqrt(2) - 1) times the regret alpha sqrt(T) of a player that knew T. Cost: that of the player.
    References: Kashima lecture 11, "Doubling trick"; errata 16.

    >>> from afterwit.convex import Ball, OnlineGradientDescent
    >>> player = Doubling(OnlineGradientDescent(Ball(radius=1.0, size=1), horizon=1))
    >>> player.run([[1.0], [1.0], [0.0]], keep="points").points.round(3).ravel()
    array([ 0.   , -0.707,  0.   ])
    """

    def __init__(self, player: Player) -> None:
        if not isinstance(player, Player):
            raise TypeError(f"player is `{player!r}`, expected one of `afterwit.convex` that takes a horizon")
        if "horizon" not in inspect.signature(type(player)).parameters:
            raise ValueError(f"`{type(player).__name__}` has no horizon; `FollowTheRegularizedLeader` has one")
        if getattr(player, "rate", None) is not None:
            raise ValueError("the player has a rate of its own, which no horizon changes; leave its rate out")
        self._lock = Lock()
        self.player = registry.fresh(player)
        self._take(1, 0.0, self._of_epoch(1), 2)

    @property
    def domain(self) -> Domain:
        """The domain of the player."""
        return self.player.domain

    @property
    def curves(self) -> bool:
        """Whether it can use a curvature."""
        return self.player.curves

    @locked
    def play(self) -> Array:
        """The point of the next round; changes nothing."""
        now: Array = self._now.play()
        return now

    @locked
    def update(self, gradient: Any, curvature: float = 0.0) -> None:
        """Learns one round from a gradient of its loss at the point that was played (`Player.update`)."""
        self._lock.refuse_nested()
        self._now.update(gradient, curvature)
        self._left -= 1
        if self._left == 0:
            self._take(*self._next(self._epoch, self._past, self._now))

    @locked
    def run(self, losses: Any, curvature: float = 0.0, keep: str = "loss") -> History:
        """Plays and learns many rounds natively (`Player.run`)."""
        self._lock.refuse_nested()
        V, c, kept = self._now.checked(losses, curvature, keep)
        epoch, past, now, left = self._epoch, self._past, self._of_epoch(self._epoch), self._left
        now.set_state(self._now.state())
        loss, points, done = [np.zeros(0)], [np.zeros((0, self.domain.size))], 0
        while done < len(V):
            native, some = now.native(), V[done : done + left]
            own, where = played(native, some, c, kept, done)
            now.set_state(native.state())
            loss.append(own)
            points += [] if where is None else [where]
            done, left = done + len(some), left - len(some)
            if left == 0:
                epoch, past, now, left = self._next(epoch, past, now)
        history = in_hindsight(self.domain, V, c, np.concatenate(loss), np.vstack(points) if kept else None)
        self._take(epoch, past, now, left)
        return history

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """The bounds of all epochs, which hold for any point of the domain."""
        if competitor is not None:
            self.domain.point("competitor", competitor)
        now = self._now.regret_bound().value if self._left < 1 << self._epoch else 0.0
        return Bound(self._past + (now or 0.0), 'Kashima lecture 11, "Doubling trick", errata 16')

    @locked
    def state(self) -> dict[str, Any]:
        return {"epoch": self._epoch, "past": self._past, "player": self._now.state()}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        epoch, past = count(state.get("epoch"), "the state's `epoch`"), state.get("past")
        if not 1 <= epoch <= 53 or not isinstance(past, float) or not 0.0 <= past < np.inf:
            raise ValueError("the state has an epoch or a past that no game leads to")
        now = self._of_epoch(epoch)
        if not isinstance(state.get("player"), dict):
            raise ValueError("the state's `player` is missing or of the wrong type")
        now.set_state(state["player"])
        left = (1 << epoch) - int(now.state()["rounds"])
        if left < 1:
            raise ValueError("the state has more rounds than its epoch")
        self._take(epoch, past, now, left)

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        return f"Doubling({self.player!r})"

    def _take(self, epoch: int, past: float, now: Any, left: int) -> None:
        """This epoch, the bounds of those before, the player of this one, and how many rounds it still has."""
        self._epoch, self._past, self._now, self._left = epoch, past, now, left

    def _next(self, epoch: int, past: float, now: Any) -> tuple[int, float, Any, int]:
        return epoch + 1, past + (now.regret_bound().value or 0.0), self._of_epoch(epoch + 1), 2 << epoch

    def _of_epoch(self, epoch: int) -> Any:
        given = {name: getattr(self.player, name) for name in inspect.signature(type(self.player)).parameters}
        return type(self.player)(**{**given, "horizon": 1 << epoch})
