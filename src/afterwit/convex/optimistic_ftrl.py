"""Optimistic follow the regularised leader."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import numpy as np

from afterwit import numbers, regret
from afterwit._core import leader
from afterwit.convex.domains import Domain
from afterwit.convex.player import ANY_OF_ALL, ENTROPIC, QUADRATIC, Player, checked_domain, checked_regularizer, penalty
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("convex.optimistic-ftrl")
class OptimisticFTRL(Player):
    """Follows the regularised leader as if the last gradient came once more: it pays for surprises alone.

    `hint` is what it expects of the first round, nothing if it is not given. Regularisers are those of
    `FollowTheRegularizedLeader`.

    Guarantee: regret to u at most (R(u) - min R)/rate + (rate/2) sum |g_t - g_{t-1}|², g_0 the hint, in the norm of
    the regulariser; at rate 1 on all of R^d that is |u|²/2 + sum |g_t - g_{t-1}|²/2. Cost: O(d) per round.
    References: Hanashiro, Abernethy 2020, Theorem 1.

    >>> from afterwit.convex import Reals
    >>> player = OptimisticFTRL(Reals(2), rate=1.0)
    >>> player.update([1.0, -0.5])
    >>> player.play()
    array([-2.,  1.])
    """

    def __init__(self, domain: Domain, rate: float, regularizer: str = QUADRATIC, hint: Any = None) -> None:
        self.domain, self.rate = checked_domain(domain), numbers.positive("rate", rate)
        self.regularizer = checked_regularizer(domain, "regularizer", regularizer)
        self.curves, self.hint = regularizer != ENTROPIC, copy.copy(hint)
        first = None if hint is None else domain.vector("hint", hint)
        if first is not None and float(np.abs(first).max()) > 1e60:
            raise ValueError(f"hint has `{np.abs(first).max():g}` in it, expected numbers from -1e60 to 1e60")
        super().__init__(domain, partial(leader, domain.native(), rate, False, regularizer == ENTROPIC, True, first))

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        u = None if competitor is None else self.domain.point("competitor", competitor)
        if u is None and not self.domain.bounded:
            return ANY_OF_ALL
        most = penalty(self.domain, self.regularizer, u)
        value = regret.regularized_leader(most, self._seen["cost"], self.rate)
        return Bound(value, "Hanashiro, Abernethy 2020, Theorem 1")
