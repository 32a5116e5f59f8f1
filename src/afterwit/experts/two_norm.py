"""The 2-norm algorithm."""

from __future__ import annotations

from typing import Any

from afterwit import regret
from afterwit._core import TwoNormRule
from afterwit.experts.competitors import epsilon
from afterwit.experts.player import Player
from afterwit.experts.roster import Experts
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("two-norm")
class TwoNorm(Player):
    """The 2-norm algorithm: p_i proportional to [s_i - 1]_-^2 - [s_i + 1]_-^2, s_i the loss of i beyond the player's.

    Nothing to tune, and no exponential; an expert that has lost by 1 or more has exactly no weight.

    Guarantee: eps-regret at most sqrt(T/eps), for all T and eps at once. Cost: O(N) per round.
    References: Luo 2016, Lemma 1, Corollary 1, Table 2.1 (Luo, Schapire 2014); errata 22.

    >>> player = TwoNorm(experts=2)
    >>> player.update([0.0, 1.0])
    >>> player.play()
    array([0.9, 0.1])
    """

    def __init__(self, experts: Experts = None, loss_range: tuple[float, float] = (0.0, 1.0)) -> None:
        super().__init__(TwoNormRule(), experts, loss_range)

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert. Except for eps all are held to the bound of the best.
        """
        T, scale = int(self._native.state()["rounds"]), self._width
        return Bound(scale * regret.two_norm(T, epsilon(competitor, self._roster)), "Luo 2016, Corollary 1")
