"""The perceptron."""

from __future__ import annotations

from afterwit._core import PerceptronRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.registry import register


@register("perceptron")
class Perceptron(Linear):
    """Rosenblatt's perceptron: on a mistake, y (w.x) <= 0, it adds the example, w += y x.

    Guarantee: for every u, mistakes <= H + |u| X sqrt(H) + (|u| X)^2, with H the hinge loss of u on the rounds with a
    mistake and X the largest |x|; (X/gamma)^2 when the rows are separable with margin gamma.
    Cost: O(non-zeros) per row. Reports show its hinge loss.
    References: 003 Algorithm 2 and Theorem 4; ERRATA E2.

    >>> model = Perceptron()
    >>> model.learn_one({"free": 1, "money": 1}, +1)
    >>> model.predict_one({"money": 1})
    2.0
    """

    def __init__(self, features: Features | None = None) -> None:
        super().__init__(PerceptronRule(), "hinge", features)
