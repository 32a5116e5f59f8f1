"""Follow the leader."""

from __future__ import annotations

from functools import partial
from typing import Any

from afterwit._core import leader
from afterwit.convex.domains import Domain
from afterwit.convex.player import Player, checked_domain
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("convex.follow-the-leader")
class FollowTheLeader(Player):
    """Plays the point that would have been best so far; of several, the one nearest to 0.

    Squares (c/2) |w - z|² are told by their gradients and the curvature c: the leader is then the mean of the z, in the
    domain. Strongly convex losses are taken to be such squares, which they are at least. Linear losses need a bounded
    domain, and may cost it a constant in every round: `FollowTheRegularizedLeader` does not fall for them.

    Guarantee: regret at most the sum of f_t(w_t) - f_t(w_{t+1}), what each loss would have gained from being known;
    G²/(2c) (1 + 1/2 + ... + 1/T) for squares of curvature c. Cost: O(d) per round.
    References: Kashima lecture 11, "Follow-the-leader"; Sharan lecture 19.

    >>> from afterwit.convex import Box
    >>> player = FollowTheLeader(Box(low=[-1.0], high=[1.0]))
    >>> player.run([[0.5], [-1.0], [1.0], [-1.0]]).loss  # it is always wrong
    array([0., 1., 1., 1.])
    """

    def __init__(self, domain: Domain) -> None:
        super().__init__(checked_domain(domain), partial(leader, domain.native(), 0.0))

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        if competitor is not None:
            self.domain.point("competitor", competitor)
        return Bound(self._seen["cost"], 'Kashima lecture 11, "Follow-the-leader"')
