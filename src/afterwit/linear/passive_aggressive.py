"""Passive-aggressive learning."""

from __future__ import annotations

from afterwit import losses
from afterwit._core import NormalizedPassiveAggressiveRule, PassiveAggressiveRule
from afterwit.features import Features
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.numbers import boolean, positive
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("passive-aggressive")
class PassiveAggressive(Linear):
    """Where a row has a loss, the smallest change of weights that leaves none, but no step above an aggressiveness C.

    With hinge loss w += y min(C, loss/|x|^2) x (PA-I); absolute and quantile loss likewise, for numbers. A row of
    weight h has the aggressiveness h C. With `normalized=True` each feature is divided by its largest size so far and,
    for numbers, C is multiplied by the range of the labels and 0, to which predictions are clipped: no prediction
    changes when a feature is rescaled.

    Guarantee (plain): regret to every u at most |u|^2/(2 C) + (C/2) sum_t |g_t|^2, as of any implicit step; with hinge
    loss and weights 1 at most max(X^2, 1/C) (|u|^2 + 2 C H) mistakes, X the largest |x|, H the hinge loss of u.
    Cost: O(non-zeros) per row, and a row without a loss costs only its prediction.
    References: Crammer et al. 2006, Theorem 4; Kulis, Bartlett 2010 (implicit steps).

    >>> model = PassiveAggressive()
    >>> model.learn_one({"free": 1, "money": 1}, +1)
    >>> round(model.predict_one({"free": 1, "money": 1}), 6)
    1.0
    """

    def __init__(
        self,
        aggressiveness: float = 1.0,
        normalized: bool = False,
        loss: str | Loss = "hinge",
        features: Features | None = None,
    ) -> None:
        self.aggressiveness, self.normalized = (
            positive("aggressiveness", aggressiveness),
            boolean("normalized", normalized),
        )
        if losses.get(loss).smoothness is not None:
            raise ValueError(f"loss is `{loss}`, expected hinge, absolute or quantile: a loss with a kink")
        numbers = losses.get(loss).labels == "real"
        plain, scaled = PassiveAggressiveRule, NormalizedPassiveAggressiveRule
        rule = scaled(self.aggressiveness, numbers) if self.normalized else plain(self.aggressiveness)
        super().__init__(rule, loss, features)

    def regret_bound(self, seen: Evidence) -> Bound:
        """The most regret to u that the theorem allows, with the gradients that were met."""
        if self.normalized:
            return Bound.none("the normalised update has no theorem; the plain one has")
        C, squares = self.aggressiveness, float((seen.gradient_norms**2).sum())
        return Bound(seen.norm**2 / (2.0 * C) + C / 2.0 * squares, seen.regret, "regret", "Kulis, Bartlett 2010")
