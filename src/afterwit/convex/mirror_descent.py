"""Mirror descent."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from afterwit import numbers, regret
from afterwit._core import descent, leader
from afterwit.convex.domains import Domain
from afterwit.convex.player import ANY_OF_ALL, ENTROPIC, QUADRATIC, Player, checked_domain, checked_regularizer, penalty
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("convex.mirror-descent")
class MirrorDescent(Player):
    """Moves to the point that minimises rate g . w + D(w, where it stands), D the divergence of a mirror R.

    mirror="quadratic", R = |w|²/2, has D = |w - v|²/2: gradient descent with a fixed step and greedy projection.
    mirror="entropic", on a `Simplex`, has the sum of w_i ln(w_i/v_i): w_i becomes proportional to w_i exp(-rate g_i),
    exponential weights.

    Guarantee: what it loses where it has moved to, sum g_t . w_{t+1}, is at most D(u, w_1)/rate - sum |w_{t+1} -
    w_t|²/(2 rate) more than u's loss (`regret.mirror_descent`); so its regret is at most D(u, w_1)/rate + (rate/2) sum
    |g_t|². The norms are |w| and |g|, or with the entropic mirror the sum of the |w_i| and the largest |g_i|.
    Cost: O(d) per round. References: Hanashiro, Abernethy 2020, Theorem 2 and appendix A.2.

    >>> from afterwit.convex import Simplex
    >>> player = MirrorDescent(Simplex(2), rate=0.5, mirror="entropic")
    >>> player.update([1.0, 0.0])
    >>> player.play().round(3)
    array([0.378, 0.622])
    """

    def __init__(self, domain: Domain, rate: float, mirror: str = QUADRATIC) -> None:
        self.domain, self.rate = checked_domain(domain), numbers.positive("rate", rate)
        self.mirror = checked_regularizer(domain, "mirror", mirror)
        self.curves = mirror != ENTROPIC
        native = domain.native()
        entropic = partial(leader, native, rate, entropic=True)
        super().__init__(domain, entropic if mirror == ENTROPIC else partial(descent, native, rate))

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        u = None if competitor is None else self.domain.point("competitor", competitor)
        if u is None and not self.domain.bounded:
            return ANY_OF_ALL
        most, seen = penalty(self.domain, self.mirror, u), self._seen
        if self.mirror == ENTROPIC:
            value = regret.regularized_leader(most, seen["cost"], self.rate)
        else:
            value = regret.gradient_descent(math.sqrt(2.0 * most), seen["squares"], self.rate)
        return Bound(value, "Hanashiro, Abernethy 2020, Theorem 2")
