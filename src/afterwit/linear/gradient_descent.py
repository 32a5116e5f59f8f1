"""Projected online gradient descent."""

from __future__ import annotations

import math

from afterwit._core import GradientDescentRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.numbers import positive
from afterwit.registry import register
from afterwit.regret import bounds
from afterwit.regret.evidence import Bound, Evidence


@register("gradient-descent")
class GradientDescent(Linear):
    """Online gradient descent with steps rate/sqrt(t), projected to the ball |w| <= radius when one is given.

    Guarantee: with rate = sqrt(2) radius/G, G the largest |gradient|, the regret to the best u in the ball is at most
    radius G sqrt(8 T) after T rows. Cost: O(non-zeros) per row, projection included.
    References: Cesa-Bianchi 2023, "Projected OGD", Eq. (7); Zinkevich 2003.

    >>> model = GradientDescent(rate=0.1, loss="squared")
    >>> for _ in range(200):
    ...     model.learn_one({"x": 1.0}, 3.0)
    >>> round(model.predict_one({"x": 1.0}), 2)
    3.0
    """

    def __init__(
        self,
        rate: float = 0.5,
        radius: float | None = None,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        self.rate, self.radius = positive("rate", rate), None if radius is None else positive("radius", radius)
        rule = GradientDescentRule(self.rate, math.inf if self.radius is None else self.radius)
        super().__init__(rule, loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """The most regret to a u in the ball that the theorem allows for this rate and the gradients that were met."""
        if self.radius is None:
            return Bound.none("without a radius gradient descent has no theorem; give it one")
        most = bounds.projected_gradient_descent(self.radius, seen.gradient, seen.rounds, self.rate)
        return Bound(most, seen.regret, "regret", "Cesa-Bianchi 2023, Eq. (7)")
