"""The perceptron."""

from __future__ import annotations

from afterwit._core import PerceptronRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.registry import register
from afterwit.regret import bounds
from afterwit.regret.evidence import Bound, Evidence


@register("perceptron")
class Perceptron(Linear):
    """Rosenblatt's perceptron: on a mistake, y (w.x) <= 0, it adds the example, w += y x.

    Guarantee: for every u, mistakes <= H + |u| X sqrt(H) + (|u| X)^2, with H the hinge loss of u on the rounds with a
    mistake and X the largest |x|; (X/gamma)^2 when the rows are separable with margin gamma.
    Cost: O(non-zeros) per row. Reports show its hinge loss.
    References: Sharan lecture 19, Algorithm 2 and Theorem 4; Rosenblatt 1958; Novikoff 1962; errata 2, 3.

    >>> model = Perceptron()
    >>> model.learn_one({"free": 1, "money": 1}, +1)
    >>> model.predict_one({"money": 1})
    2.0
    """

    def __init__(self, features: Features | None = None) -> None:
        super().__init__(PerceptronRule(), "hinge", features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """The most mistakes that the theorem allows, with the hinge loss of u over all rows."""
        if seen.weighted:
            return Bound.none("the perceptron's theorem counts mistakes, and some rows have another weight than 1")
        most = bounds.perceptron(seen.best_loss, seen.norm, seen.reach)
        return Bound(most, seen.mistakes, "mistakes", "Sharan lecture 19, Theorem 4, errata 2")
