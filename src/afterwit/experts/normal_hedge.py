"""NormalHedge."""

from __future__ import annotations

from typing import Any

from afterwit._core import NormalHedgeRule
from afterwit.experts.competitors import epsilon
from afterwit.experts.player import Player
from afterwit.experts.roster import Experts
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("normal-hedge")
class NormalHedge(Player):
    """NormalHedge: p_i proportional to [R_i]_+ exp([R_i]_+^2/c), R_i the regret to i, c such that the mean of the
    exponentials is e.

    Nothing to tune. An expert to which there is no regret has exactly no weight; while there is none, all are alike.

    Guarantee: none with constants in our sources (Luo 2016, Table 2.1 has its order, sqrt(T ln(1/eps) + ln^2 N)).
    Cost: O(N) per round times the few steps of the search for c.
    References: Luo 2016, Table 2.1 (Chaudhuri et al. 2009); errata 23, 24.

    >>> player = NormalHedge(experts=3)
    >>> player.update([0.0, 0.5, 1.0])
    >>> player.play()
    array([1., 0., 0.])
    """

    def __init__(self, experts: Experts = None, loss_range: tuple[float, float] = (0.0, 1.0)) -> None:
        super().__init__(NormalHedgeRule(), experts, loss_range)

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """No theorem with constants: `value` is None, and `reason` says so."""
        epsilon(competitor, self._roster)
        return Bound(None, reason="the sources have the order of NormalHedge's regret, but no constants")
