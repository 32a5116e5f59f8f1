"""ML-Poly."""

from __future__ import annotations

import math
from typing import Any

from afterwit import regret
from afterwit._core import FreeMLPolRule, MLPolRule
from afterwit.experts.competitors import mixture
from afterwit.experts.player import UNKNOWN_RANGE, Player
from afterwit.experts.roster import Experts
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("ml-pol")
class MLPol(Player):
    """ML-Poly: p_k proportional to I_k [R_k]_+/(1 + V_k): polynomial weights with a rate per expert.

    R_k is the sum of r_k = I_k (own loss - loss of k), V_k that of r_k^2. Nothing to tune, no exponential; an expert
    to which there is no regret has exactly no weight, and while there is none to those awake, they are all alike.
    Experts may sleep, speak with confidence I_k and appear in mid-stream.

    With loss_range=None losses may have any scale: the largest r^2 so far, of all experts, takes the place of the 1. A
    `Mixture` without a forecast_range plays this form.

    Guarantee: with a range, regret to k at most sqrt((1 + V_k) S), S the sum of 1 + ln(1 + V_j) over all K experts, so
    at most sqrt(K (1 + V_k)(1 + ln(1 + T))). Cost: O(K) per round.
    References: Gaillard et al. 2014 (ML-Poly).

    >>> player = MLPol(experts=3)
    >>> player.update([0.0, 0.5, 1.0])
    >>> player.play()
    array([1., 0., 0.])
    """

    sleeps: bool = True
    free: bool = True
    grows: bool = True

    def __init__(self, experts: Experts = None, loss_range: tuple[float, float] | None = (0.0, 1.0)) -> None:
        self._gone = 0.0  # the part of S of experts that were forgotten
        super().__init__(MLPolRule() if loss_range else FreeMLPolRule(), experts, loss_range)

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
        value = scale * regret.ml_pol(u, state["V"], self._gone)
        return Bound(value, "Gaillard et al. 2014, ML-Poly")

    @locked
    def state(self) -> dict[str, Any]:
        return {**super().state(), "gone": self._gone}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        gone = float(state["gone"])
        if not 0.0 <= gone < math.inf:
            raise ValueError(f"the state's `gone` is `{gone!r}`, expected a finite number, 0 or more")
        super().set_state({key: value for key, value in state.items() if key != "gone"})
        self._gone = gone

    def _leaves(self, i: int) -> None:
        self._gone += 1.0 + math.log1p(self._native.state()["V"][i])
