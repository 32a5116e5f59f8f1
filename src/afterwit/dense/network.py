"""A network with one hidden layer."""

from __future__ import annotations

from afterwit import losses
from afterwit._core import network_rule
from afterwit.dense.dense import Dense
from afterwit.features import Features
from afterwit.losses import Loss
from afterwit.numbers import positive, whole
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("network")
class Network(Dense):
    """A small network, one hidden layer of leaky units, trained row by row by Adam: it learns what is not linear.

    With z the row and a constant, each feature less its mean so far, divided by its deviation so far and cut to +-4,

        a_k = W_k . z,   h_k = max(a_k, a_k/100),   margin = u_0 + sum_k u_k h_k;

    for numbers it is the mean of the labels so far plus their range times that. All weights make Adam's step of size
    `rate` (by default .01, for numbers .003). They begin at random, drawn by `seed`: a fresh network already has
    predictions, small ones. A weight multiplies the slopes; Adam divides by their size, so that weights which are all
    the same are hardly noticed. No prediction changes when a feature is rescaled by a power of two.

    Guarantee: none. Cost: O(d hidden) per row for d features met, 12 (d + 1) hidden bytes; features beyond the first
    320 are left out. References: Kingma, Ba 2015 (Adam, algorithm 1).

    >>> model = Network()
    >>> for k in range(2000):
    ...     model.learn_one({"a": k % 2, "b": k // 2 % 2}, (k + k // 2) % 2)
    >>> [model.predict_one({"a": a, "b": b}) > 0 for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))]
    [False, True, True, False]
    """

    def __init__(
        self,
        hidden: int = 32,
        rate: float | None = None,
        seed: int = 0,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        self.hidden, self.seed = whole("hidden", hidden, 1, 1024), whole("seed", seed, 0, 2**64 - 1)
        self.rate = None if rate is None else positive("rate", rate)
        usual = 0.003 if str(losses.get(loss)) == "squared" else 0.01
        super().__init__(network_rule, (self.hidden, self.rate or usual, self.seed), loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """There is none."""
        return Bound.none("the loss of a network is not convex in its weights")
