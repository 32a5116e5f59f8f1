"""A player whose losses come late."""

from __future__ import annotations

from typing import Any

from afterwit import registry
from afterwit._core import Player as CorePlayer
from afterwit.experts.player import Player
from afterwit.experts.roster import Roster
from afterwit.numbers import whole
from afterwit.registry import register
from afterwit.registry.plain import count
from afterwit.regret import Bound
from afterwit.threads import locked


@register("delayed")
class Delayed(Player):
    """Any player where losses come `delay` rounds late: delay + 1 of it take turns, round after round.

    What it plays in round t depends on the losses of the rounds t - (delay + 1), t - 2 (delay + 1), ... alone: those of
    the last `delay` rounds may be unknown when it plays, and are learned as the others, in their order. So it also
    plays the next n = delay + 1 rounds at once, as 24 hours at midnight; then each of the 24 has a player of its own.

    Guarantee: the sum of the bounds of those that take turns, in their own rounds; (delay + 1) R(T/(delay + 1)) where
    the player's is R(T), and concave. Cost: that of the player, (delay + 1) times its memory.
    References: Weinberger, Ordentlich 2002.

    >>> from afterwit.experts import Hedge
    >>> player = Delayed(Hedge(rate=0.5, experts=2), delay=1)
    >>> player.update([1.0, 0.0])
    >>> player.play()  # the other one's turn, which has seen nothing
    array([0.5, 0.5])
    """

    def __init__(self, player: Player, delay: int) -> None:
        if not isinstance(player, Player):
            raise TypeError(f"player is a `{type(player).__name__}`, expected a player of `afterwit.experts`")
        if type(player)._new is not Player._new:
            raise TypeError(f"player is a `{type(player).__name__}`, which holds another player; give that one")
        self.player, self.delay = registry.fresh(player), whole("delay", delay, 0, 10_000)
        self.sleeps, self.grows, self.binary = player.sleeps, player.grows, getattr(player, "binary", False)
        self.free, self.prior = player.free, getattr(player, "prior", None)
        super().__init__(None, player.experts, player.loss_range, self.prior)

    def forget(self, expert: str) -> None:
        """Is refused: what an expert has cost would be lost to the bound."""
        raise ValueError(f"`Delayed` cannot forget `{expert}`; let it sleep")

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is an expert's name or number, a distribution, or None for the best expert: what the player
        takes, but for a fraction eps.
        """
        if isinstance(competitor, float):
            return Bound(None, reason="the ceil(N eps)-th best of each turn may be another; ask for an expert")
        bounds: list[Bound] = [each.regret_bound(competitor) for each in self._views()]
        values = [each.value for each in bounds if each.value is not None]
        if len(values) < len(bounds):
            return next(each for each in bounds if each.value is None)
        return Bound(sum(values), f"{bounds[0].theorem}; Weinberger, Ordentlich 2002")

    @locked
    def state(self) -> dict[str, Any]:
        return {**super().state(), "players": [each.state() for each in self._native.players()]}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        roster, turn = self.team.roster_in(state), count(state["turn"], "the state's `turn`")
        if len(state["players"]) != self.delay + 1:
            raise ValueError(
                f"the state's `players` are {len(state['players'])}, expected {self.delay + 1} to take turns"
            )
        players = [self.player._recalled(each, roster) for each in state["players"]]
        self.team.take(CorePlayer.delayed(players, turn, *self._limits), roster)

    def _views(self) -> list[Any]:
        """Those that take turns, as they are now."""
        views = [registry.fresh(self.player) for _ in range(self.delay + 1)]
        for view, native in zip(views, self._native.players(), strict=True):
            view.team.take(native, self._roster)
        return views

    def _new(self) -> CorePlayer:
        return CorePlayer.delayed([self.player._new()] * (self.delay + 1), 0, *self._limits)

    def _wrong(self, fault: tuple[str, int, int, float], roster: Roster, row: str) -> ValueError:
        return self.player._wrong(fault, roster, row)
