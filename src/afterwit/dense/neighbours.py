"""The nearest of the last rows."""

from __future__ import annotations

from afterwit._core import neighbours_rule
from afterwit.dense.dense import Dense
from afterwit.features import Features
from afterwit.losses import Loss
from afterwit.numbers import whole
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("neighbours")
class Neighbours(Dense):
    """The nearest of the last rows, weighted by their distances: it keeps rows, and fits nothing.

    The last n rows are kept, n = 16384/d for d features met, but at least 64 and at most `window`. With sd_j the
    deviation of feature j in all rows so far, and x_i, y_i, h_i the features, label and weight of a row that is kept,

        D_i = sum_j ((x_j - x_ij)/sd_j)^2,   w_i = h_i exp(-2 D_i/D_k)   for the k = `neighbours` least D_i;

    numbers are predicted by sum w_i y_i/sum w_i, and p = (sum_{y_i = 1} w_i + .1)/(sum w_i + .2) by its margin
    ln(p/(1 - p)). A feature that is constant so far, or new, does not count. No prediction changes, to the bit, when a
    feature is rescaled by a power of two.

    Guarantee: none. Cost: O(n d) per row, which is at most 16384 differences up to 256 features and 64 d beyond: about
    a microsecond; features beyond the first 320 are left out. Memory: 4 n d + 24 n bytes, at most 0.5 MB.
    References: Cover, Hart 1967 (the nearest neighbour and its error).

    >>> model = Neighbours()
    >>> for k in range(400):
    ...     model.learn_one({"a": k % 7, "b": k % 5}, (k % 7 > 3) != (k % 5 > 2))
    >>> model.predict_one({"a": 5.0, "b": 1.0}) > 0 > model.predict_one({"a": 5.0, "b": 4.0})
    True
    """

    def __init__(
        self,
        neighbours: int = 7,
        window: int = 1000,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        self.neighbours, self.window = whole("neighbours", neighbours, 1, 64), whole("window", window, 64, 16384)
        super().__init__(neighbours_rule, (self.neighbours, self.window), loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """There is none."""
        return Bound.none("the theorems on nearest neighbours are about rows drawn at random, ever more of them")
