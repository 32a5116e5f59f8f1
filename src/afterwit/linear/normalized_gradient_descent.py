"""Normalised gradient descent."""

from __future__ import annotations

from afterwit._core import NormalizedGradientDescentRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.numbers import positive
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("normalized-gradient-descent")
class NormalizedGradientDescent(Linear):
    """Gradient descent that does not care about the scale of features, with a rate that never falls.

    With s_i the largest |x_i| so far, and N the sum of (x_i/s_i)^2 over all features and rows so far, T of them,

        w_i -= rate (T/N) g_i/s_i^2,   and w_i shrinks by the square of the ratio when s_i grows.

    The step is that of infinitely many small ones: a row of weight 2 is learned as by steps of total weight 2, and no
    step goes beyond its label. It follows a target that moves, where `AdaGrad` slows down. Numbers are predicted within
    the range of the labels and 0.

    Guarantee: none. Cost: O(non-zeros) per row. References: Ross et al. 2013 (algorithm NG); Karampatziakis, Langford
    2011 (the step).

    >>> model = NormalizedGradientDescent()
    >>> for _ in range(20):
    ...     model.learn_one({"bytes": 1e9, "city": "Rome"}, +1)
    >>> model.predict_one({"bytes": 1e9, "city": "Rome"}) > 0.5
    True
    """

    def __init__(self, rate: float = 0.1, loss: str | Loss = "logistic", features: Features | None = None) -> None:
        self.rate = positive("rate", rate)
        super().__init__(NormalizedGradientDescentRule(self.rate), loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """There is none."""
        return Bound.none("a rate that never falls has no theorem")
