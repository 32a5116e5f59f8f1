"""Newton's steps with a diagonal."""

from __future__ import annotations

from afterwit import losses
from afterwit._core import DiagonalNewtonRule, NormalizedDiagonalNewtonRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.numbers import boolean, positive
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("diagonal-newton")
class DiagonalNewton(Linear):
    """Newton's steps, or a Kalman filter, with a diagonal: a weight and its variance for every feature.

    With variances P_i, all `variance` at first, slope g and curvature c of the loss, and den = 1 + c sum_i P_i x_i^2,

        w_i -= g P_i x_i/den,   P_i -= c (P_i x_i)^2/den.

    Logistic loss has c = p(1 - p), here at least 1/1000, or a sure and wrong prediction would make a step of any
    length; half the squared loss has c = 1. A weight h multiplies g and c. With `normalized=True` each feature is
    divided by its root mean square so far and cut to +-20, and P_i grows by variance/10000 per row, so that it never
    stops learning: no prediction changes when a feature is rescaled.

    Plain it wants features of like sizes. Guarantee: none for the diagonal; the online Newton step has one.
    Cost: O(non-zeros) per row.
    References: Hazan et al. 2007 (the whole matrix); Penny, Roberts 1999 (the filter for logistic regression).

    >>> model = DiagonalNewton(loss="squared")
    >>> for _ in range(99):
    ...     model.learn_one({"x": 1.0}, 3.0)
    >>> round(model.predict_one({"x": 1.0}), 1)
    3.0
    """

    def __init__(
        self,
        variance: float = 1.0,
        normalized: bool = False,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        self.variance, self.normalized = positive("variance", variance), boolean("normalized", normalized)
        if str(losses.get(loss)) not in ("logistic", "squared"):
            raise ValueError(f"loss is `{loss}`, expected logistic or squared: a loss with a curvature")
        rule = NormalizedDiagonalNewtonRule if self.normalized else DiagonalNewtonRule
        super().__init__(rule(self.variance, str(losses.get(loss)) == "squared"), loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """There is none."""
        return Bound.none("a diagonal in place of the matrix has no theorem; the online Newton step has")
