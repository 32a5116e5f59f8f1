"""One expert drawn in each round."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from afterwit import registry, regret
from afterwit._core import Player as CorePlayer
from afterwit.experts.ada_normal_hedge import NormalHedgeDT
from afterwit.experts.competitors import epsilon
from afterwit.experts.hedge import Hedge
from afterwit.experts.player import Player
from afterwit.experts.roster import Roster
from afterwit.experts.two_norm import TwoNorm
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("randomized")
class Randomized(Player):
    """Draws one expert in each round from the weights of a player, and loses what that expert loses.

    For who must act, not mix: `draw` says whom, `play` has all the weight on this one. A draw depends on the seed and
    the number of the round alone, so that looking changes nothing. TwoNorm and NormalHedgeDT are told the loss that was
    drawn as their own (Algorithm 3 with z_i = l_i - l_drawn; to Hedge that would say nothing); any other player its
    expected loss, as ever.

    Guarantee, for losses that do not depend on the draw of their round, at any T with probability 1 - delta: regret to
    the best expert at most that of Hedge at its rate, TwoNorm or NormalHedgeDT for eps = delta/N, so sqrt(2 T
    ln(N/delta)) for `Hedge(horizon=T, eps=delta/N)`; for another player its own bound and sqrt(T ln(1/delta)).
    Cost: that of the player. References: Luo 2016, section 2.1.5; errata 27, 28.

    >>> from afterwit.experts import NormalHedgeDT
    >>> player = Randomized(NormalHedgeDT(experts=["rock", "paper"]), seed=7)
    >>> history = player.run([{"rock": 0.0, "paper": 1.0}] * 50)
    >>> player.draw()
    'rock'
    """

    def __init__(self, player: Player, seed: int = 0, delta: float = 0.05) -> None:
        if not isinstance(player, Player) or isinstance(player, Randomized):
            raise TypeError(f"player is a `{type(player).__name__}`, expected another player of `afterwit.experts`")
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
            raise ValueError(f"seed is `{seed!r}`, expected a whole number from 0 to 2^64 - 1")
        if not (isinstance(delta, (int, float)) and 0.0 < delta < 1.0):
            raise ValueError(f"delta is `{delta!r}`, expected a probability above 0 and below 1")
        self.player, self.seed, self.delta = registry.fresh(player), seed, delta
        self.sleeps, self.grows, self.binary = player.sleeps, player.grows, getattr(player, "binary", False)
        self.free, self.prior = player.free, getattr(player, "prior", None)
        super().__init__(None, player.experts, player.loss_range, self.prior)

    @locked
    def draw(self, confidence: Any = None) -> str | int | None:
        """The expert of the next round, by name or number; None when nobody is awake. Changes nothing."""
        p = self.play(confidence)
        if isinstance(p, dict):
            return next((name for name, weight in p.items() if weight > 0.0), None)
        return int(np.argmax(p)) if p.any() else None

    @locked
    def weights(self, confidence: Any = None) -> Any:
        """The weights that the expert of the next round is drawn from. Changes nothing."""
        return self._view().play(confidence)

    def forget(self, expert: str) -> None:
        """Is refused: what an expert has cost would be lost to the bound."""
        raise ValueError(f"`Randomized` cannot forget `{expert}`; let it sleep")

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is with probability 1 - delta, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert. Those that are told the loss that was drawn are held to the bound of the best.
        """
        epsilon(competitor, self._roster)
        numbers, view, N = self._native.state(), self._view(), self._roster.size or 1
        T, slept, scale = int(numbers["draws"]), numbers["slept"] > 0.0, self._width
        eps, theorem = self.delta / N, "Luo 2016, section 2.1.5, errata 27"
        if isinstance(view, TwoNorm):
            return Bound(scale * regret.two_norm(T, eps), f"{theorem}; Corollary 1")
        if isinstance(view, NormalHedgeDT):
            if slept or np.ptp(view.team.native.prior()) > 0.0:
                return Bound(None, reason="the theorem is for a uniform prior and experts that never sleep")
            return Bound(scale * regret.normal_hedge_dt(T, eps), f"{theorem}; Corollary 2")
        own = view.regret_bound(competitor)
        if own.value is None:
            return Bound(None, reason=own.reason)
        # Who sleeps may miss the lucky draws: then the theorem is for each expert, and holds for all by delta/N.
        bound = Bound(
            regret.sampled(own.value / scale, T, eps if slept else self.delta) * scale, f"{own.theorem}; {theorem}"
        )
        rate = _rate(view, N) if isinstance(view, Hedge) and not slept else 0.0
        if rate > 0.0:
            told = Bound(scale * regret.exponential_weights(T, eps, rate), theorem)
            return min(bound, told, key=lambda each: each.value or 0.0)
        return bound

    @locked
    def state(self) -> dict[str, Any]:
        return {**self._native.state(), "player": self._view().state()}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        view = registry.fresh(self.player)
        view.set_state(state["player"])
        native = self._around(view.team.native, float(state["draws"]), float(state["slept"]))
        self.team.take(native, view.team.roster)

    def _view(self) -> Any:
        """The player inside, as it is now."""
        view = registry.fresh(self.player)
        view.team.take(self._native.inner(), self._roster)
        return view

    def _new(self) -> CorePlayer:
        return self._around(self.player._new(), 0.0, 0.0)

    def _around(self, inner: CorePlayer, draws: float, slept: float) -> CorePlayer:
        told = isinstance(self.player, (TwoNorm, NormalHedgeDT))
        return CorePlayer.randomized(inner, self.seed, told, *self._limits, draws, slept)

    def _wrong(self, fault: tuple[str, int, int, float], roster: Roster, row: str) -> ValueError:
        return super()._wrong(fault, roster, row) if fault[0] == "asleep" else self.player._wrong(fault, roster, row)


def _rate(player: Hedge, experts: int) -> float:
    """The one rate of a game of Hedge, or 0: it is none, or there are several."""
    if player.rate is not None or player.horizon is None:
        return player.rate or 0.0
    return math.sqrt(-2.0 * math.log(player.eps or 1.0 / experts) / player.horizon)
