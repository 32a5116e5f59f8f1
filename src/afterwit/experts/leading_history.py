"""Follow the leading history."""

from __future__ import annotations

from typing import Any

import numpy as np

from afterwit import registry, regret
from afterwit._core import Player as CorePlayer
from afterwit._core import alive
from afterwit.experts.ada_normal_hedge import AdaNormalHedge, NormalHedgeDT
from afterwit.experts.player import Player
from afterwit.experts.roster import Roster
from afterwit.numbers import real_array
from afterwit.registry import register
from afterwit.registry.plain import count, same
from afterwit.regret import Bound
from afterwit.threads import locked


@register("follow-the-leading-history")
class FollowTheLeadingHistory(Player):
    """Follow the leading history: any player made adaptive, so that its regret is small on every interval of rounds.

    A new copy of `base` is born in each round, and a master plays the copies as experts: AdaNormalHedge, or with a
    `rate` exponential weights that give the newcomer the share 1/t in round t. `exact` keeps all copies; without, O(log
    t) of them are kept, so that in every interval some copy was born in the first half.

    Guarantee: in the rounds r to s, regret to any expert at most that of the base in s - r + 1 rounds, and ln(s)/rate +
    rate (s - r + 1)/8 more; with AdaNormalHedge sqrt(3 (s - r + 1)(ln(r^2 Z) + ln B + 1)), Z <= 1.65, B = 5/2 + (3/2)
    ln(1 + s). If not exact, `aw.regret.leading_history` has the factors. Cost: that of O(log t) copies in round t.
    References: Luo 2016, section 2.3.3 (Hazan, Seshadhri 2007); errata 33, 34.

    >>> from afterwit.experts import Hedge
    >>> player = FollowTheLeadingHistory(Hedge(rate=0.3, experts=2))
    >>> history = player.run([[0.0, 1.0]] * 1000 + [[1.0, 0.0]] * 40)
    >>> bool(player.play()[1] > 0.8)
    True
    """

    def __init__(
        self, base: Player, rate: float | None = None, master: Player | None = None, exact: bool = False
    ) -> None:
        if not isinstance(base, Player):
            raise TypeError(f"base is a `{type(base).__name__}`, expected a player of `afterwit.experts`")
        if type(base)._new is not Player._new:
            raise TypeError(f"base is a `{type(base).__name__}`, which holds another player; give that one")
        if base.loss_range is None:
            raise ValueError("base takes losses of any scale; give it the loss_range that the master is to know")
        if rate is not None and master is not None:
            raise ValueError("rate and master are both given; the rate is for the master that is exponential weights")
        if rate is not None and not (isinstance(rate, (int, float)) and 0.0 < rate <= 1e6):
            raise ValueError(f"rate is `{rate!r}`, expected a number above 0 and at most 1e+06")
        if master is not None and not _is_master(master):
            raise TypeError(f"master is `{master!r}`, expected AdaNormalHedge() or NormalHedgeDT()")
        if not isinstance(exact, bool):
            raise TypeError(f"exact is `{exact!r}`, expected True or False")
        self.base, self.rate, self.exact = registry.fresh(base), rate, exact
        self.master = None if master is None else registry.fresh(master)
        self.prior = getattr(base, "prior", None)
        super().__init__(None, base.experts, base.loss_range, self.prior)

    @locked
    def regret_bound(self, competitor: Any = None, first: int = 1) -> Bound:
        """At most how much regret there is to a competitor in the rounds from number `first` on, and by which theorem.

        The competitor is what the base's `regret_bound` takes. It is the bound of the copy that was born in round
        `first`, if it is kept, and the master's regret to this copy.
        """
        T = int(self._native.state()["rounds"])
        if not (isinstance(first, int) and 1 <= first <= T + 1):
            raise ValueError(f"first is `{first!r}`, expected the number of a round, 1 to {T + 1}")
        births, scale = alive(T + 1, self.exact), self._width
        if first not in births:
            return Bound(None, reason=f"the copy that was born in round {first} is not kept; `exact=True` keeps all")
        copy: Any = registry.fresh(self.base)
        copy.team.take(self._native.memory()[0][births.index(first)], self._roster)
        own = copy.regret_bound(competitor)
        if own.value is None or first > T:
            return Bound(own.value, own.theorem, own.reason)
        value = own.value + scale * regret.leading_history(first, T, 0.0, self.rate)
        return Bound(value, f"{own.theorem}; Luo 2016, section 2.3.3, errata 34")

    @locked
    def state(self) -> dict[str, Any]:
        if not self._roster.size:
            return super().state()
        copies, shares, master = self._native.memory()
        return {
            **super().state(),
            "copies": [copy.state() for copy in copies],
            "master": {"shares": shares} if master is None else master.state(),
        }

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        roster, rounds = self.team.roster_in(state), count(state["rounds"], "the state's `rounds`")
        if roster.size:
            native = self._remembering(state, roster, rounds)
        else:
            native = self._new()
            native.set_state({"rounds": rounds})
        self.team.take(native, roster)

    def _wrong(self, fault: tuple[str, int, int, float], roster: Roster, row: str) -> ValueError:
        return super()._wrong(fault, roster, row) if fault[0] == "asleep" else self.base._wrong(fault, roster, row)

    def _remembering(self, state: dict[str, Any], roster: Roster, rounds: int) -> CorePlayer:
        """The player of this state; its copies are there before memory is taken for as many births and experts."""
        copies = [self.base._recalled(each, roster) for each in state["copies"]]
        births = alive(rounds + 1, self.exact) if not self.exact or rounds + 1 == len(copies) else []
        if not copies or len(births) != len(copies):
            raise ValueError("the state's `copies` are not those of its round")
        native, master, shares = self.team.joined(self._new(), roster), None, np.zeros(0)
        if self.rate is not None:
            shares = real_array("the state's `shares`", state["master"]["shares"])
        else:
            master = self._new_master().clone()
            master.add(1.0 / np.array(births, dtype=np.float64) ** 2)
            master.set_state(state["master"])
        native.set_memory(rounds, copies, shares, master)
        return native

    def _new(self) -> CorePlayer:
        master = None if self.rate is not None else self._new_master()
        return CorePlayer.leading_history(self.base._new(), master, self.rate or 0.0, self.exact, *self._limits)

    def _new_master(self) -> CorePlayer:
        return (self.master or AdaNormalHedge())._new()


def _is_master(player: Any) -> bool:
    """Whether it takes copies that come late, and leaves it to the history who they are and what prior they have."""
    kind = type(player)
    return kind in (AdaNormalHedge, NormalHedgeDT) and same(registry.settings(player), registry.settings(kind()))
