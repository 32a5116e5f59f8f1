"""Coin betting."""

from __future__ import annotations

import math

from afterwit import losses
from afterwit._core import CoinBettingRule, NormalizedCoinBettingRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.numbers import boolean, positive
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("coin-betting")
class CoinBetting(Linear):
    """No rate: every feature has a purse and bets a part of it on its next gradient; the bet is its weight.

        w_i = tanh(Z_i/(A_i + 2)) (endowment + R_i)/L_i,
        Z_i = -sum g_i/L_i,   A_i = sum |g_i|/L_i,   R_i = -sum g_i w_i.

    L_i is the largest |x_i| or |g_i| so far; a gradient above it is cut to it, once. A weight h multiplies gradients.
    With `normalized=True` and an endowment of 4 it is about Vowpal Wabbit's --coin: a part Z_i/(A_i + 1), and
    predictions are divided by the mean square of a row so far.

    Guarantee (plain, weights 1, slopes up to 1): regret to every u at most
    sum_i endowment + |u_i| L_i sqrt((1 + A_i) ln(1 + ((1 + A_i) u_i L_i/endowment)^2)). No prediction changes when a
    feature is rescaled. A purse holds at most 3.4e38 endowments. Cost: O(non-zeros) per row.
    References: Orabona, Tommasi 2017 (COCOB); Orabona, Pal 2016.

    >>> model = CoinBetting()
    >>> for _ in range(20):
    ...     model.learn_one({"bytes": 1e9, "city": "Rome"}, +1)
    >>> model.predict_one({"bytes": 1e9, "city": "Rome"}) > 1
    True
    """

    def __init__(
        self,
        endowment: float = 1.0,
        normalized: bool = False,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        self.endowment, self.normalized = positive("endowment", endowment), boolean("normalized", normalized)
        chosen = losses.get(loss)
        numbers, squared = chosen.labels == "real", str(chosen) == "squared"
        plain, scaled = CoinBettingRule, NormalizedCoinBettingRule
        rule = scaled(self.endowment, numbers, squared) if self.normalized else plain(self.endowment)
        super().__init__(rule, loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """The most regret to u that the theorem allows: A_i is at most T, L_i at most the largest |x|, and the sum of
        |u_i| at most sqrt(d) |u|, d the number of features."""
        if self.normalized:
            return Bound.none("the normalised update has no theorem; the plain one has")
        if seen.weighted or self.loss == "squared":
            return Bound.none("coin betting's theorem wants slopes up to 1: rows of weight 1, no squared loss")
        features, T = len(seen.gradient_norms), seen.rounds
        reach = seen.norm * seen.reach
        if reach > 1e37 * self.endowment:
            return Bound.none("the best fixed weights need more than a purse may hold, 3.4e38 endowments")
        root = math.sqrt((1.0 + T) * math.log1p(((1.0 + T) * reach / self.endowment) ** 2))
        most = features * self.endowment + math.sqrt(features) * reach * root
        return Bound(most, seen.regret, "regret", "Orabona, Tommasi 2017")
