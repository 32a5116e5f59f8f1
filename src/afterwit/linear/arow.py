"""Adaptive regularisation of weights."""

from __future__ import annotations

from afterwit import losses
from afterwit._core import ArowRule, NormalizedArowRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.numbers import boolean, positive
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("arow")
class Arow(Linear):
    """A weight and its variance, at first 1, for every feature; it shrinks with each row that it helps to explain.

    With weights w_i and variances S_i,

        beta = 1/(sum_i S_i x_i^2 + noise),   w_i += beta e S_i x_i,   S_i -= beta (S_i x_i)^2.

    With hinge loss e = y max(0, 1 - y w.x), and a row of margin 1 changes nothing; with squared loss e = y - w.x, a
    Kalman filter with a diagonal. A row of weight h has noise/h. With `normalized=True` each feature is divided by its
    largest size so far, and numbers are predicted within the range of the labels and 0: no prediction changes when a
    feature is rescaled. Plain it wants features of like sizes: one that is 1e8 times the others hides them.

    Guarantee: none for the diagonal; AROW with the whole matrix bounds its mistakes. Cost: O(non-zeros) per row.
    References: Crammer et al. 2009, Figure 1; for numbers Vaits, Crammer 2011.

    >>> model = Arow()
    >>> model.learn_one({"free": 1.0}, +1)
    >>> round(model.predict_one({"free": 1.0}), 4)  # the intercept has its half of 2/3
    0.6667
    """

    def __init__(
        self,
        noise: float = 1.0,
        normalized: bool = False,
        loss: str | Loss = "hinge",
        features: Features | None = None,
    ) -> None:
        self.noise, self.normalized = positive("noise", noise), boolean("normalized", normalized)
        if str(losses.get(loss)) not in ("hinge", "squared"):
            raise ValueError(f"loss is `{loss}`, expected hinge or squared: the errors that AROW has an update for")
        rule = NormalizedArowRule if self.normalized else ArowRule
        super().__init__(rule(self.noise, losses.get(loss).labels == "real"), loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """There is none."""
        return Bound.none("AROW's theorem is about the whole matrix; its diagonal has none")
