"""A player in the core and the experts that it knows: what a player and a mixture by it have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from afterwit._core import Player as CorePlayer
from afterwit.errors import quoted
from afterwit.experts.priors import Prior, Priors
from afterwit.experts.roster import Experts, Roster, number, roster_of


class Team:
    """The experts of a `player`, which errors call by this name, and its native half, which learns.

    `new` is a native player that knows nobody, and stays so. A call asks for the experts after its rounds (`met`) and
    for a native player of these (`joined`), lets it learn, and keeps both (`take`).
    """

    def __init__(self, player: str, new: CorePlayer, grows: bool, experts: Experts, prior: Prior = None) -> None:
        self._player, self._new, self._grows = player, new, grows
        self._experts, self._priors = experts, Priors(prior)
        self.roster = self._given()
        self._core = new.clone()

    @property
    def native(self) -> CorePlayer:
        """The player in the core, which takes memory for its experts now: a file may ask for any number of them."""
        if self._core.size == 0 and self.roster.size:
            self._core = self.joined(self._core, self.roster)
        return self._core

    def take(self, native: CorePlayer, roster: Roster) -> None:
        """This player, of these experts, from now on."""
        self._core, self.roster = native, roster

    def met(self, roster: Roster, losses: Mapping[Any, Any], confidence: Mapping[Any, Any] | None) -> Roster:
        """The experts after a round by names; one that sleeps is not met."""
        new = roster.new({**losses, **(confidence or {})})
        if not self._grows and roster.size is not None and new:
            raise ValueError(
                f"{quoted(new[0])} is not among the {roster.size} experts that `{self._player}` began with; "
                "`AdaNormalHedge` takes experts that come late"
            )
        if self._grows:
            rated = losses if confidence is None else confidence
            new = [name for name in new if _awake(name, rated, confidence is not None)]
        return roster if not new and roster.named else roster.joined(new)

    def joined(self, native: CorePlayer, roster: Roster) -> CorePlayer:
        """A player of these experts: the same one where it knows them all, else a copy that has met the others."""
        if roster.size is None or roster.size == native.size:
            return native
        q = self._priors.of(roster, native.size)
        native = native.clone()
        native.add(q)
        return native

    def roster_in(self, state: dict[str, Any]) -> Roster:
        """The experts of a state: those that the constructor was given, and where it grows any others with names."""
        roster, given = roster_of(state["experts"]), self._given()
        as_given = given.size is None or (roster.size, roster.names) == (given.size, given.names)
        grown = self._grows and roster.names is not None and given.names is not None
        if not as_given and not grown:
            raise ValueError(f"the state's `experts` are not the {given.size} that the player has")
        return roster

    def recalled(self, state: dict[str, Any], roster: Roster) -> CorePlayer:
        """The player of these experts in this state; takes memory for no more of them than its arrays hold."""
        native = self._new.clone()
        for field, kept in native.state().items():
            if isinstance(kept, np.ndarray) and np.size(state[field]) < (roster.size or 0):
                raise ValueError(f"the state's `{field}` has not one number per expert")
        native = self.joined(native, roster)
        native.set_state({key: value for key, value in state.items() if key != "experts"})
        return native

    def _given(self) -> Roster:
        return self._priors.agreed(roster_of(self._experts))


def _awake(name: str, row: Mapping[Any, Any], rated: bool) -> bool:
    if name not in row:
        return False
    value = number(name, row[name], "confidence" if rated else "loss")
    return value != 0.0 if rated else value == value
