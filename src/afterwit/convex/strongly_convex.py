"""Gradient descent for strongly convex losses."""

from __future__ import annotations

from functools import partial
from typing import Any

from afterwit import numbers, regret
from afterwit._core import descent
from afterwit.convex.domains import Domain
from afterwit.convex.player import Player, checked_domain
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("convex.strongly-convex-gradient-descent")
class StronglyConvexGradientDescent(Player):
    """Gradient descent with the steps 1/(strength t), for losses that are `strength`-strongly convex.

    A loss is so if it less (strength/2) |w|² is still convex, as any convex loss with this penalty is. The domain may
    be all of R^d. What `update` and `run` are told of a curvature is not looked at.

    Guarantee: regret at most G²/(2 strength) (1 + 1/2 + ... + 1/T) to any u, G the largest |gradient|, the penalty's
    included. Cost: O(d) per round.
    References: Cesa-Bianchi 2023, "OGD with strongly convex losses"; Hazan et al. 2007; errata 1, 39.

    >>> from afterwit.convex import Reals
    >>> player = StronglyConvexGradientDescent(Reals(1), strength=2.0)
    >>> for z in (1.0, 4.0):  # the losses (w - z)^2
    ...     player.update(2.0 * (player.play() - z))
    >>> player.play()
    array([2.5])
    """

    def __init__(self, domain: Domain, strength: float) -> None:
        self.strength = numbers.positive("strength", strength)
        super().__init__(checked_domain(domain), partial(descent, domain.native(), 0.0, self.strength))

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        if competitor is not None:
            self.domain.point("competitor", competitor)
        seen = self._seen
        value = regret.strongly_convex_gradient_descent(seen["largest"], self.strength, int(seen["rounds"]))
        return Bound(value, 'Cesa-Bianchi 2023, "OGD with strongly convex losses", errata 1')
