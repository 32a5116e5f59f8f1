"""Online gradient descent in a domain."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from afterwit import numbers, regret
from afterwit._core import descent, leader
from afterwit.convex.domains import Domain
from afterwit.convex.player import (
    ANY_OF_ALL,
    QUADRATIC,
    Player,
    checked_domain,
    checked_horizon,
    penalty,
)
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("convex.online-gradient-descent")
class OnlineGradientDescent(Player):
    """Steps against the gradient or a subgradient, and back into the domain.

    projection="greedy" projects after every step, w becomes Pi(w - step g); "lazy" projects the sum of all gradients,
    Pi(-step (g_1 + ... + g_t)). The step is rate/sqrt(t); with `horizon`, the number of rounds, it does not fall. Where
    no `rate` is given it is the best for gradients of size |g| <= `gradient`. A curvature is of use to lazy projection
    alone.

    Guarantee, in T rounds, U the largest |u| of the domain, D its diameter (2 U for a ball), G the largest |g|: regret
    at most D² sqrt(T)/(2 rate) + G² rate sqrt(T), which is U G sqrt(8 T) in a ball; with a horizon |u|²/(2 rate) +
    (rate/2) sum |g_t|², which is U G sqrt(T). Lazy with a falling step: U²/(2 rate) in place of D²/(2 rate).
    Cost: O(d) per round. References: Cesa-Bianchi 2023, "Projected OGD"; Zinkevich 2003; Kashima lecture 11, "Online
    gradient descent"; Sharan lecture 19, Algorithm 1; errata 5, 7, 8, 42.

    >>> from afterwit.convex import Ball
    >>> player = OnlineGradientDescent(Ball(radius=1.0, size=2), rate=0.5)
    >>> player.update([1.0, -4.0])
    >>> player.play().round(3)
    array([-0.243,  0.97 ])
    """

    def __init__(
        self,
        domain: Domain,
        rate: float | None = None,
        projection: str = "greedy",
        horizon: int | None = None,
        gradient: float = 1.0,
    ) -> None:
        if projection not in ("greedy", "lazy"):
            raise ValueError(f'projection is `{projection!r}`, expected "greedy" or "lazy"')
        self.domain = checked_domain(domain)
        self.rate = None if rate is None else numbers.positive("rate", rate)
        self.projection, self.horizon = projection, checked_horizon(horizon)
        self.gradient = numbers.positive("gradient", gradient)
        if rate is None and not domain.bounded:
            raise ValueError("on all of R^d no rate is the best; give the rate, or a bounded domain")
        native, falls = domain.native(), horizon is None
        greedy = partial(descent, native, self._rate, falls=falls)
        super().__init__(domain, greedy if projection == "greedy" else partial(leader, native, self._rate, falls))

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        u = None if competitor is None else self.domain.point("competitor", competitor)
        seen, rate = self._seen, self._rate
        T = int(seen["rounds"])
        if u is None and not self.domain.bounded:
            return ANY_OF_ALL
        if self.projection == "lazy":
            return _of_leader(seen, penalty(self.domain, QUADRATIC, u), rate, self.horizon is None)
        if self.horizon is not None:
            distance = math.sqrt(2.0 * penalty(self.domain, QUADRATIC, u))
            return Bound(
                regret.gradient_descent(distance, seen["squares"], rate), "Sharan lecture 19, Theorem 2, errata 5"
            )
        if not self.domain.bounded:
            return Bound(None, reason="with falling steps the bound asks for a bounded domain; give a horizon")
        value = 0.0
        if self.domain.diameter > 0.0:
            value = regret.projected_gradient_descent(0.5 * self.domain.diameter, seen["largest"], T, rate)
        return Bound(value, "Cesa-Bianchi 2023, Eq. (7)")

    @property
    def _rate(self) -> float:
        """As it was given, or the best for gradients of this size."""
        if self.rate is not None:
            return self.rate
        if self.horizon is not None:
            return (self.domain.norm or 1.0) / (self.gradient * math.sqrt(self.horizon))
        reach = self.domain.diameter if self.projection == "greedy" else self.domain.norm
        return (reach or 1.0) / (math.sqrt(2.0) * self.gradient)


def _of_leader(seen: dict[str, float], most: float, rate: float, falls: bool) -> Bound:
    """The bound of lazy projection."""
    last = rate / math.sqrt(max(seen["rounds"], 1.0)) if falls else rate
    theorem = "Sharan lecture 19, Theorem 2, errata " + ("42" if falls else "5")
    return Bound(regret.regularized_leader(most, seen["cost"], last), theorem)
