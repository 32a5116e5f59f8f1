"""Bernstein online aggregation."""

from __future__ import annotations

from typing import Any

from afterwit import regret
from afterwit._core import BoaRule, FreeBoaRule
from afterwit.experts.competitors import mixture
from afterwit.experts.player import UNKNOWN_RANGE, Player
from afterwit.experts.roster import Experts
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("boa")
class Boa(Player):
    """BOA, Bernstein online aggregation: exponential weights with a second-order term and a rate per expert.

    p_k is proportional to I_k eta_k exp(eta_k M_k), M_k the sum of r_k - eta_k r_k^2, where r_k = I_k (own loss - loss
    of k) and eta_k = min{1/2, sqrt(ln K/V_k)}, V_k the sum of r_k^2 so far. Nothing to tune. Experts may sleep or speak
    with confidence I_k, but all K are known from the first round on.

    With loss_range=None losses may have any scale, and experts may come late: eta_k = 1/sqrt(2.2 V_k), and M_k takes
    r_k - eta_k r_k^2 with the new rate. A `Mixture` without a forecast_range plays this form.

    Guarantee: with a range, regret to k at most (ln K + ln B) max{2, sqrt(V_k/ln K)} + 2 sqrt(V_k ln K) + 1/2, B =
    O(ln T) (see `aw.regret.boa`); V_k is at most T, and far less when an expert has small loss or is the best by a gap.
    Cost: O(K) per round. References: Wintenberger 2017 (BOA with several learning rates).

    >>> player = Boa(experts=2)
    >>> player.update([1.0, 0.0])
    >>> player.play().round(3)
    array([0.378, 0.622])
    """

    sleeps: bool = True
    free: bool = True

    def __init__(self, experts: Experts = None, loss_range: tuple[float, float] | None = (0.0, 1.0)) -> None:
        self.grows = loss_range is None
        super().__init__(BoaRule() if loss_range else FreeBoaRule(), experts, loss_range)

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert.
        """
        if self.loss_range is None:
            return UNKNOWN_RANGE
        state, scale = self._native.state(), self._width
        u = mixture(competitor, self._roster, state["R"])
        return Bound(scale * regret.boa(u, state["V"]), "Wintenberger 2017, multiple learning rates")
