"""Exponential weights."""

from __future__ import annotations

import math
from typing import Any

from afterwit import regret
from afterwit._core import HedgeRule
from afterwit.experts.competitors import epsilon
from afterwit.experts.player import Player
from afterwit.experts.roster import Experts
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("hedge")
class Hedge(Player):
    """Exponential weights: p_i proportional to exp(-rate L_i), L_i the total loss of expert i so far.

    With `horizon`, the number of rounds, the rate is the best for it, sqrt(2 ln(1/eps)/horizon); without horizon and
    rate the player begins anew after 2, 6, 14, ... rounds, tuned for 2, 4, 8, ... more (the doubling trick). `eps`
    says to which expert the regret is to be small: the ceil(N eps)-th best; 1/N, the best, if it is not given. Experts
    may sleep or speak with confidence I_i: L_i grows by I_i (loss of i) + (1 - I_i) (own loss).

    Guarantee: eps-regret at most ln(1/eps)/rate + T rate/2 for any rate; sqrt(2 T ln(1/eps)) after `horizon` rounds;
    sqrt(2)/(sqrt(2) - 1) times that for all T with the doubling trick. To a sleeper it is that of its rounds awake, T
    those of anybody. Cost: O(N) per round.
    References: Luo 2016, section 2.1.4 (EXP); Freund, Schapire 1997; Freund et al. 1997 (sleepers); Sharan lecture 19,
    example 1; Kashima lecture 11, "Doubling trick"; errata 16, 17, 18.

    >>> player = Hedge(rate=0.5, experts=2)
    >>> player.update([1.0, 0.0])
    >>> player.play().round(3)
    array([0.378, 0.622])
    """

    sleeps: bool = True

    def __init__(
        self,
        rate: float | None = None,
        horizon: int | None = None,
        eps: float | None = None,
        experts: Experts = None,
        loss_range: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        if rate is not None and horizon is not None:
            raise ValueError("rate and horizon are both given; give the rate, or the horizon that it is to be best for")
        self.rate = None if rate is None else _above_zero("rate", rate, 1e6)
        self.horizon, self.eps = horizon, None if eps is None else _above_zero("eps", eps, 1.0)
        if horizon is not None and not (isinstance(horizon, int) and 1 <= horizon <= 1 << 53):
            raise ValueError(f"horizon is `{horizon!r}`, expected a whole number of rounds, 1 to 2^53")
        super().__init__(HedgeRule(self.rate or 0.0, float(horizon or 0), self.eps or 0.0), experts, loss_range)

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert. Except for eps all are held to the bound of the best.
        """
        eps = epsilon(competitor, self._roster)
        T, scale = int(self._native.state()["rounds"]), self._width
        if self.rate is not None:
            return Bound(scale * regret.exponential_weights(T, eps, self.rate), "Luo 2016, section 2.1.4")
        root = math.sqrt(-2.0 * math.log(self.eps or 1.0 / (self._roster.size or 1)))  # of the tuned rate
        if root == 0.0:
            if eps == 1.0:
                return Bound(0.0, "Luo 2016, section 2.1.4, errata 18")
            return Bound(None, reason="tuned for eps = 1 it plays all experts alike; ask for competitor=1.0")
        if self.horizon is None:
            factor = -math.log(eps) / root + root / 2.0
            return Bound(scale * regret.doubling(T, factor), 'Kashima lecture 11, "Doubling trick", errata 16')
        rate = root / math.sqrt(self.horizon)
        return Bound(scale * regret.exponential_weights(T, eps, rate), "Luo 2016, section 2.1.4")


def _above_zero(name: str, value: float, most: float) -> float:
    if not (isinstance(value, (int, float)) and 0.0 < value <= most):
        raise ValueError(f"{name} is `{value!r}`, expected a number above 0 and at most {most:g}")
    return float(value)
