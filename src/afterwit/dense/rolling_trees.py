"""Boosted trees over a window of rows."""

from __future__ import annotations

from collections.abc import Iterable

from afterwit._core import holdings, rolling_trees_rule
from afterwit.dense.dense import Dense
from afterwit.features import Features
from afterwit.learners import weights
from afterwit.losses import Loss
from afterwit.numbers import whole
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("rolling-trees")
class RollingTrees(Dense):
    """Boosted trees over the last rows: every now and then one more tree, and beyond `trees` the oldest goes.

    The last `window` rows are kept. After 8 rows, then after every 32nd part of the kept rows, a tree of depth five is
    grown for the slopes and curvatures of the loss in the kept rows, over at most 32 columns in at most 32 bins, and
    added with `rate`; with more than 32 columns each tree draws its own, by `seed`. A weight h multiplies the slope
    and the curvature of its row in every tree that sees it. No prediction changes, to the bit, when the order of a
    feature's values does not: scales and logarithms do not matter.

    Of a full window there are `trees` of them. While it fills they are fewer, in proportion, but 30 where `trees` is
    that many: more would follow the noise of few rows. A window of more than 4,096 rows has at most 2^21 values, but
    4,096 rows at least, by the features that there are when so many rows have come.

    Guarantee: none. Cost: O(trees) to predict a row, and a tree of O(window d) every window/32 rows, for which the
    stream pauses: 0.15 ms at ten features, 0.4 at fifty, 0.6 at 300, and 5.5 at 300 when the bins are made anew, every
    window rows. Memory: window (5 d + 24) bytes and 376 a tree; features beyond the first
    320 are left out. (On a panel it takes 1,000, where a row has values in at least an eighth of them.)
    References: Chen, Guestrin 2016 (the tree and its steps).

    >>> model = RollingTrees()
    >>> for k in range(400):
    ...     model.learn_one({"a": k % 7, "b": k % 5}, (k % 7 > 3) != (k % 5 > 2))
    >>> model.predict_one({"a": 5.0, "b": 1.0}) > 0 > model.predict_one({"a": 5.0, "b": 4.0})
    True
    """

    WIDE = 1000

    def __init__(
        self,
        trees: int = 100,
        window: int = 4096,
        rate: float = 0.1,
        loss: str | Loss = "logistic",
        features: Features | None = None,
        seed: int = 0,
    ) -> None:
        self.trees, self.window = whole("trees", trees, 1, 4096), whole("window", window, 8, 32768)
        self.seed = whole("seed", seed, 0, (1 << 64) - 1)
        if not (isinstance(rate, (int, float)) and 1e-6 <= rate <= 1.0):
            raise ValueError(f"rate is `{rate!r}`, expected a number from 1e-6 to 1")
        self.rate = float(rate)
        super().__init__(rolling_trees_rule, (self.trees, self.window, self.rate, self.seed), loss, features)

    def gains(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """What the splits of its trees have gained, by feature: of all that were split on, or of `names`."""
        _, slots, gains = holdings(self)
        return weights.by_name(self, self.features, weights.not_zero(slots, gains), names)

    def regret_bound(self, seen: Evidence) -> Bound:
        """There is none."""
        return Bound.none("trees grown greedily over a window of rows have no theorem")
