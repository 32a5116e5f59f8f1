"""AdaNormalHedge.TV."""

from __future__ import annotations

from typing import Any

import numpy as np

from afterwit import regret
from afterwit._core import AdaNormalHedgeTVRule, alive
from afterwit.experts.competitors import mixture
from afterwit.experts.player import Player
from afterwit.experts.roster import Experts
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("ada-normal-hedge-tv")
class AdaNormalHedgeTV(Player):
    """AdaNormalHedge.TV: nothing to tune, and small regret on every interval of rounds, so to whoever is best just now.

    p_i is proportional to the sum over past rounds tau of tau^-2 w(R, C), R the regret to i from tau on, C the sum of
    its absolute values, w as in AdaNormalHedge. `exact` keeps all rounds tau; without, O(log t) of them are kept.

    Guarantee: regret to i on [t1, t2] at most sqrt(A C), A = 3 (ln(N t1^2 Z) + ln B + 1) with Z <= 1.65 and B = 5/2 +
    (3/2) ln(1 + t2), C the sum of |r_i| there; and at most sqrt(A V(u) sum_t u_t.|r_t|) to a competitor that moves,
    t1 = T in A. If not exact, with t2 for t1 and 1 + log2(t2 - t1 + 1) times A.
    Cost: O(N log t) in round t; O(N t) if exact. References: Luo 2016, section 2.3.3, Theorem 7; errata 32, 33.

    >>> player = AdaNormalHedgeTV(experts=2)
    >>> history = player.run([[0.0, 1.0]] * 1000 + [[1.0, 0.0]] * 20)
    >>> player.play().round(2)
    array([0.02, 0.98])
    """

    def __init__(
        self, exact: bool = False, experts: Experts = None, loss_range: tuple[float, float] = (0.0, 1.0)
    ) -> None:
        if not isinstance(exact, bool):
            raise TypeError(f"exact is `{exact!r}`, expected True or False")
        self.exact = exact
        super().__init__(AdaNormalHedgeTVRule(exact), experts, loss_range)

    @locked
    def regret_bound(self, competitor: Any = None, first: int = 1) -> Bound:
        """At most how much regret there is to a competitor in the rounds from number `first` on, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert. Where the regrets since `first` are not kept, C is at most the number of rounds.
        """
        state, N = self._native.state(), self._roster.size or 0
        T, scale = int(state["rounds"]), self._width
        if not (isinstance(first, int) and 1 <= first <= T + 1):
            raise ValueError(f"first is `{first!r}`, expected the number of a round, 1 to {T + 1}")
        births = alive(T + 1, self.exact)
        kept = first in births
        row = slice(births.index(first) * N, (births.index(first) + 1) * N) if kept else slice(0, 0)
        u = mixture(competitor, self._roster, state["R"][row] if kept else np.zeros(N))
        if first > T:
            return Bound(0.0, "Luo 2016, section 2.3.3")
        C = state["C"][row] if kept else np.full(N, T - first + 1.0)
        roots = [regret.ada_normal_hedge_tv(N, first, T, float(c), streaming=not kept) for c in C]
        return Bound(scale * float(u @ roots), "Luo 2016, section 2.3.3, errata 32" + ("" if kept else ", 33"))
