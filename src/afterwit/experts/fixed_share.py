"""Fixed Share."""

from __future__ import annotations

from typing import Any

from afterwit import regret
from afterwit._core import FixedShareRule
from afterwit._core import Player as CorePlayer
from afterwit.experts.competitors import epsilon
from afterwit.experts.player import Player
from afterwit.experts.roster import Experts, Roster
from afterwit.numbers import real_array
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("fixed-share")
class FixedShare(Player):
    """Fixed Share: exponential weights that after each round give the part `share` of their weight to all alike.

    p becomes (1 - share) v + share/N, v proportional to p_i exp(-rate l_i), so that an expert that was bad comes back
    fast when it is good. Without a share it is 1/(t + 1) in round t; without both, the rate is
    sqrt(ln(N (t + 1))/(t + 1)) as well. At rate 1 over log losses it is Bayes' rule with a share for all. Experts may
    sleep or speak with confidence I_i: to those l_i is I_i (loss of i) + (1 - I_i) (own loss).

    Guarantee: regret to the best expert on each of K segments at most (ln N + (K - 1) ln(N/share) - (T - K)
    ln(1 - share))/rate + rate T/8, for all K at once; without a share (ln N + (K - 1) ln(N T) + ln T)/rate + rate T/8,
    without both K times order sqrt(T ln(N T)).
    Cost: O(N) per round.
    References: Luo 2016, Table 2.3 (Cesa-Bianchi et al. 2012); Herbster, Warmuth 1998; Freund et al. 1997 (sleepers);
    errata 30, 31.

    >>> player = FixedShare(rate=1.0, share=0.1, experts=2)
    >>> player.update([1.0, 0.0])
    >>> player.play().round(3)
    array([0.292, 0.708])
    """

    sleeps: bool = True

    def __init__(
        self,
        rate: float | None = None,
        share: float | None = None,
        experts: Experts = None,
        loss_range: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        if rate is None and share is not None:
            raise ValueError("share is given without rate; give both, rate alone, or neither")
        if rate is not None and not (isinstance(rate, (int, float)) and 0.0 < rate <= 1e6):
            raise ValueError(f"rate is `{rate!r}`, expected a number above 0 and at most 1e+06")
        if share is not None and not (isinstance(share, (int, float)) and 1e-300 <= share < 1.0):
            raise ValueError(f"share is `{share!r}`, expected a number from 1e-300 on and below 1")
        self.rate, self.share = rate, share
        super().__init__(FixedShareRule(float(rate or 0.0), float(share or 0.0)), experts, loss_range)

    @locked
    def regret_bound(self, competitor: Any = None, segments: int = 1) -> Bound:
        """At most how much regret there is to a competitor after what was seen, and by which theorem.

        The competitor is an expert's name or number, a fraction eps (the ceil(N eps)-th best), a distribution, or None
        for the best expert; all are held to the same. `segments` is of how many pieces, each with its own best expert,
        the rounds are made.
        """
        epsilon(competitor, self._roster)
        if not (isinstance(segments, int) and segments >= 1):
            raise ValueError(f"segments is `{segments!r}`, expected a whole number, 1 or more")
        N, T = self._roster.size or 1, int(self._native.state()["rounds"])
        scale, K = self._width, max(1, min(segments, T))
        if self.rate is not None and self.share is None:
            most = scale * regret.fixed_share_falling(N, self.rate, T, K)
            return Bound(most, "Cesa-Bianchi et al. 2012, errata 31, with shares that fall")
        if self.rate is None or self.share is None:
            return Bound(scale * regret.fixed_share_tuned(N, T, K), "Luo 2016, Table 2.3, errata 30")
        # Linear in the number of shifts, of which there may be fewer.
        bounds = [regret.fixed_share(N, self.rate, self.share, T, k) for k in (1, K)] if T else [0.0]
        return Bound(scale * max(bounds), "Cesa-Bianchi et al. 2012, errata 31")

    def _recalled(self, state: dict[str, Any], roster: Roster) -> CorePlayer:
        p = real_array("the state's `p`", state["p"])
        # Everybody has a share: a weight of 0 could be all that is left.
        if state["rounds"] > 0.0 and not ((p >= 1e-307).all() and abs(p.sum() - 1.0) < 1e-6):
            raise ValueError(f"the state's `p` sums to `{p.sum():g}`, expected weights above 0 that sum to 1")
        return super()._recalled(state, roster)
