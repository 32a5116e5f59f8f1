"""Gradient descent on a strongly convex objective."""

from __future__ import annotations

from afterwit._core import PegasosRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.numbers import positive
from afterwit.registry import register
from afterwit.regret import bounds
from afterwit.regret.evidence import Bound, Evidence


@register("pegasos")
class Pegasos(Linear):
    """Gradient descent on loss + (strength/2)|w|^2 with steps 1/(strength t); with hinge loss, an SVM.

    Guarantee: regret in that sum to every u at most (G^2/(2 strength))(1 + ln T), G the largest |gradient|.
    Cost: O(non-zeros) per row. Reports leave the penalty out.
    References: Cesa-Bianchi 2023, "OGD with strongly convex losses"; Shalev-Shwartz et al. 2011; errata 1.

    >>> model = Pegasos(strength=0.1)
    >>> model.learn_one({"x": 1.0}, +1)
    >>> model.predict_one({"x": 1.0})
    20.0
    """

    def __init__(self, strength: float = 1e-4, loss: str | Loss = "hinge", features: Features | None = None) -> None:
        self.strength = positive("strength", strength)
        super().__init__(PegasosRule(self.strength), loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """The most regret in the loss alone that the theorem allows: its own, and the penalty of u in every round.

        strength w_t is a mean of gradients of the loss, so a gradient with its penalty is at most twice the largest.
        """
        most = bounds.strongly_convex_gradient_descent(2.0 * seen.gradient, self.strength, seen.rounds)
        penalty = 0.5 * self.strength * seen.norm**2 * seen.rounds
        return Bound(most + penalty, seen.regret, "regret", "Cesa-Bianchi 2023, strongly convex losses, errata 1")
