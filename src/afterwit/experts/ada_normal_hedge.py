"""AdaNormalHedge, and NormalHedge.DT, which it grew from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from afterwit import regret
from afterwit._core import AdaNormalHedgeRule, NormalHedgeDTRule
from afterwit.experts.competitors import epsilon, mixture
from afterwit.experts.history import Array
from afterwit.experts.player import Player
from afterwit.experts.priors import Prior
from afterwit.experts.roster import Experts
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


class Normal(Player):
    """What both have in common: sleeping experts, a prior, and the theorem for any competitor."""

    sleeps: bool = True
    grows: bool = True

    def __init__(self, rule: Any, prior: Prior, experts: Experts, loss_range: tuple[float, float]) -> None:
        self.prior = prior
        self._gone = [0.0, 0.0, 0.0]  # how many experts were forgotten, their prior, and their part of B
        super().__init__(rule, experts, loss_range, prior)

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert.
        """
        state = self._native.state()
        u = mixture(competitor, self._roster, state["R"])
        return self._normal_bound(u, state["C"])

    @locked
    def state(self) -> dict[str, Any]:
        return {**super().state(), "gone": list(self._gone)}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        count, prior, share = map(float, state["gone"])
        # Of each: at most 1, and that times 1 + ln(1 + C), C at most the rounds.
        if not 0.0 <= prior <= count < 2.0**53 or not prior <= share <= 100.0 * prior:
            raise ValueError(f"the state's `gone` is `{state['gone']}`, expected how many, their prior and their share")
        super().set_state({key: value for key, value in state.items() if key != "gone"})
        self._gone = [count, prior, share]

    def _leaves(self, i: int) -> None:
        C, q = self._native.state()["C"], self._native.prior()
        count, prior, share = self._gone
        self._gone = [count + 1.0, prior + float(q[i]), share + float(q[i] * (1.0 + math.log1p(C[i])))]

    def _normal_bound(self, u: Array, C: Array) -> Bound:
        """The better of (2.5) and (2.6); those who are gone stand together as one expert with their prior and part."""
        q, experts = self._native.prior(), len(u)
        count, prior, share = self._gone
        if prior > 0.0:
            u, C, q = np.append(u, 0.0), np.append(C, math.expm1(share / prior - 1.0)), np.append(q, prior)
            experts += int(count)
        q = q / q.sum()
        if (q[u > 0.0] == 0.0).any():
            return Bound(None, reason="the competitor has experts whose prior is 0: they are never played")
        scale = self._width
        bounds = [(scale * regret.ada_normal_hedge(u, C, q, experts), "Luo 2016, Theorem 6, Eq. (2.5)")]
        if np.ptp(u[u > 0.0]) <= 1e-12:
            bounds.append((scale * regret.ada_normal_hedge_subset(u, C, q), "Luo 2016, Theorem 6, Eq. (2.6)"))
        return Bound(*min(bounds))


@register("ada-normal-hedge")
class AdaNormalHedge(Normal):
    """AdaNormalHedge: nothing to tune, and small regret to every mixture of experts when the problem is easy.

    p_i is proportional to q_i I_i w(R_i, C_i), with q the prior (uniform if there is none; numbers, or by name), I_i in
    [0, 1] the confidence of expert i, 0 while it sleeps, R_i the sum of r = I_i (own loss - loss of i) and C_i that of
    |r|. An expert that has lost by 1 or more has exactly no weight. Experts may appear in mid-stream by a new name.

    Guarantee: for every distribution u over the experts, regret at most sqrt(3 (u.C)(RE(u||q) + ln B + ln(1 + ln N))),
    B <= 5/2 + (3/2) ln(1 + T); C is at most T, and far less when an expert has small loss or is the best by a gap.
    Cost: O(N) per round.
    References: Luo 2016, Algorithm 6, Eq. (2.8), Theorems 4 to 6 (Luo, Schapire 2015); errata 20, 21, 22, 25.

    >>> player = AdaNormalHedge()
    >>> player.update({"arima": 0.4, "naive": 0.9})
    >>> player.update({"arima": 0.3, "naive": 0.8, "late": 0.1})
    >>> [name for name, p in player.play({"naive": 1, "late": 0.5}).items() if p > 0.5]
    ['late']
    """

    def __init__(
        self, prior: Prior = None, experts: Experts = None, loss_range: tuple[float, float] = (0.0, 1.0)
    ) -> None:
        super().__init__(AdaNormalHedgeRule(), prior, experts, loss_range)


@register("normal-hedge-dt")
class NormalHedgeDT(Normal):
    """NormalHedge.DT: nothing to tune, and for all T and eps at once a small regret to the ceil(N eps)-th best expert.

    AdaNormalHedge with C_i the number of rounds in which expert i was awake.

    Guarantee: eps-regret at most sqrt(3 T ln((e^(4/3) - 1)(ln T + 1)/(2 eps) + 1)) with a uniform prior and everybody
    awake; that of AdaNormalHedge otherwise. Cost: O(N) per round; who has lost by 1 or more costs no exponential.
    References: Luo 2016, Table 2.1, Lemma 2, Corollary 2, end of section 2.3.1 (Luo, Schapire 2014); errata 19, 25, 26.

    >>> player = NormalHedgeDT(experts=3)
    >>> history = player.run([[0.0, 1.0, 0.5]] * 100)
    >>> player.play()
    array([1., 0., 0.])
    """

    def __init__(
        self, prior: Prior = None, experts: Experts = None, loss_range: tuple[float, float] = (0.0, 1.0)
    ) -> None:
        super().__init__(NormalHedgeDTRule(), prior, experts, loss_range)

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert.
        """
        other = super().regret_bound(competitor)
        C, q = self._native.state()["C"], self._native.prior()
        if other.value is None or np.ptp(C) > 0.0 or np.ptp(q) > 0.0 or self._gone[0] > 0.0:
            return other
        T, scale = int(C[0]), self._width
        value = scale * regret.normal_hedge_dt(T, epsilon(competitor, self._roster))
        return min(other, Bound(value, "Luo 2016, Corollary 2"), key=lambda bound: bound.value or 0.0)
