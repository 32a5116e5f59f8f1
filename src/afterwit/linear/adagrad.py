"""AdaGrad, plain and normalised."""

from __future__ import annotations

from afterwit._core import AdaGradRule, NormalizedAdaGradRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.numbers import boolean, positive
from afterwit.registry import register
from afterwit.regret import bounds
from afterwit.regret.evidence import Bound, Evidence


@register("adagrad")
class AdaGrad(Linear):
    """Gradient descent with a rate of its own for every feature: w_i -= rate g_i / sqrt(sum of all g_i^2 so far).

    With `normalized=True` it is Vowpal Wabbit's default update: no prediction changes when a feature is rescaled, and a
    row of weight 2 is learned as by infinitely many small steps of total weight 2.

    Guarantee (plain): regret to every u at most (D^2/(2 rate) + rate) sum_i |g_{1..T,i}|, D the largest |w_t - u|_inf.
    Cost: O(non-zeros) per row.
    References: Duchi et al. 2011; Luo 2016, section 4.6; errata 10; normalised: Ross et al. 2013; Karampatziakis,
    Langford 2011; errata 11.

    >>> model = AdaGrad(normalized=True)
    >>> for _ in range(20):
    ...     model.learn_one({"bytes": 1e9, "city": "Rome"}, +1)
    >>> model.predict_one({"bytes": 1e9, "city": "Rome"}) > 1
    True
    """

    def __init__(
        self,
        rate: float = 0.5,
        normalized: bool = False,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        self.rate, self.normalized = positive("rate", rate), boolean("normalized", normalized)
        rule = NormalizedAdaGradRule(self.rate) if self.normalized else AdaGradRule(self.rate)
        super().__init__(rule, loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """The most regret to u that the theorem allows, with the gradients and distances that were met."""
        if self.normalized:
            return Bound.none("the normalised update has no theorem; the plain one has")
        most = bounds.adagrad(seen.distance, self.rate, seen.gradient_norms)
        return Bound(most, seen.regret, "regret", "Duchi et al. 2011, errata 10")
