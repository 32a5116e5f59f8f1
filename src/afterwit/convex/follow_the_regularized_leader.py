"""Follow the regularised leader."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from afterwit import numbers, regret
from afterwit._core import leader
from afterwit.convex.domains import Domain
from afterwit.convex.player import (
    ANY_OF_ALL,
    ENTROPIC,
    QUADRATIC,
    Player,
    checked_domain,
    checked_horizon,
    checked_regularizer,
    penalty,
)
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("convex.follow-the-regularized-leader")
class FollowTheRegularizedLeader(Player):
    """Plays the point that is best for the losses so far and R(w)/rate together.

    R is |w|²/2 ("quadratic"), or on a `Simplex` the sum of w_i ln w_i ("entropic": exponential weights, as `Hedge`).
    The rate is the one given; with `horizon`, the number of rounds, the best for it; without either it falls as
    1/sqrt(t). The best is that for gradients of size `gradient`: |g| with the quadratic, the largest |g_i| with the
    entropic regulariser. Losses are linear, or squares, or convex and known by their gradients and curvature.

    Guarantee: regret to u at most (R(u) - min R)/rate + (rate/2) sum |g_t|² in those norms. For the horizon T that is
    U G sqrt(T), U the largest |u|, so sqrt(d T) for d losses in [0, 1]; G sqrt(2 T ln d) with the entropic one. At
    falling rates sqrt(2) times that; curvature C_t so far makes of rate 1/(1/rate + C_t) in the sum. Cost: O(d) per
    round. References: Kashima lecture 11, "Follow-the-regularized-leader"; Sharan lecture 19, Theorem 1, Corollary 3;
    errata 5, 42.

    >>> from afterwit.convex import Simplex
    >>> player = FollowTheRegularizedLeader(Simplex(2), rate=0.5, regularizer="entropic")
    >>> player.update([1.0, 0.0])
    >>> player.play().round(3)
    array([0.378, 0.622])
    """

    def __init__(
        self,
        domain: Domain,
        rate: float | None = None,
        regularizer: str = QUADRATIC,
        horizon: int | None = None,
        gradient: float = 1.0,
    ) -> None:
        if rate is not None and horizon is not None:
            raise ValueError("rate and horizon are both given; give the rate, or the horizon that it is to be best for")
        self.domain = checked_domain(domain)
        self.rate = None if rate is None else numbers.positive("rate", rate)
        self.regularizer = checked_regularizer(domain, "regularizer", regularizer)
        self.horizon, self.gradient = checked_horizon(horizon), numbers.positive("gradient", gradient)
        if rate is None and not domain.bounded:
            raise ValueError("on all of R^d no rate is the best; give the rate, or a bounded domain")
        self.curves = regularizer != ENTROPIC
        falls = rate is None and horizon is None
        super().__init__(domain, partial(leader, domain.native(), self._rate, falls, regularizer == ENTROPIC))

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        u = None if competitor is None else self.domain.point("competitor", competitor)
        if u is None and not self.domain.bounded:
            return ANY_OF_ALL
        seen, rate, theorem = self._seen, self._rate, "Sharan lecture 19, Theorem 1, errata 5"
        if self.rate is None and self.horizon is None:
            rate, theorem = rate / math.sqrt(max(seen["rounds"], 1.0)), "Sharan lecture 19, Theorem 1, errata 42"
        return Bound(regret.regularized_leader(penalty(self.domain, self.regularizer, u), seen["cost"], rate), theorem)

    @property
    def _rate(self) -> float:
        """As it was given, or the best for gradients of this size."""
        if self.rate is not None:
            return self.rate
        most = math.log(self.domain.size) if self.regularizer == ENTROPIC else 0.5 * self.domain.norm**2
        best = (math.sqrt(most) or 1.0) / self.gradient
        return best if self.horizon is None else best * math.sqrt(2.0 / self.horizon)
