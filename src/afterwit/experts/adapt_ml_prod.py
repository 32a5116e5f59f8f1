"""Adapt-ML-Prod."""

from __future__ import annotations

from typing import Any

from afterwit import regret
from afterwit._core import AdaptMLProdRule
from afterwit.experts.competitors import mixture
from afterwit.experts.player import Player
from afterwit.experts.roster import Experts
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("adapt-ml-prod")
class AdaptMLProd(Player):
    """Adapt-ML-Prod: multiplicative weights with a rate per expert that falls with its squared regrets.

    p_k is proportional to I_k eta_k w_k; w_k becomes (w_k (1 + eta_k r_k))^(new eta_k/eta_k), where r_k = I_k (own loss
    - loss of k) and eta_k = min{1/2, sqrt(ln K/(1 + V_k))}, V_k the sum of r_k^2. Nothing to tune. Experts may sleep or
    speak with confidence I_k, but all K are known from the first round on.

    Guarantee: regret to k at most C/sqrt(ln K) sqrt(1 + V_k) + 2 C, C = 3 ln K + ln(1 + (K/2e)(1 + ln(T + 1))); V_k is
    at most T, and far less when an expert has small loss or is the best by a gap. Cost: O(K) per round.
    References: Gaillard et al. 2014 (Adapt-ML-Prod); Luo 2016, section 2.3; errata 29.

    >>> player = AdaptMLProd(experts=2)
    >>> player.update([1.0, 0.0])
    >>> player.play().round(3)
    array([0.375, 0.625])
    """

    sleeps: bool = True

    def __init__(self, experts: Experts = None, loss_range: tuple[float, float] = (0.0, 1.0)) -> None:
        super().__init__(AdaptMLProdRule(), experts, loss_range)

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert.
        """
        state, scale = self._native.state(), self._width
        u = mixture(competitor, self._roster, state["R"])
        value = scale * regret.adapt_ml_prod(u, state["V"], int(state["rounds"]))
        return Bound(value, "Gaillard et al. 2014, Adapt-ML-Prod; errata 29")
