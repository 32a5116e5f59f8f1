"""Newton's steps with the whole matrix."""

from __future__ import annotations

from collections.abc import Iterable

from afterwit._core import online_newton_rule
from afterwit.dense.dense import Dense
from afterwit.features import Features
from afterwit.learners import weights
from afterwit.losses import Loss
from afterwit.numbers import boolean, positive, whole
from afterwit.registry import register
from afterwit.regret.evidence import Bound, Evidence


@register("online-newton")
class OnlineNewton(Dense):
    """Newton's steps, or a Kalman filter, with the whole matrix: it learns how features go together.

    With z the row and a constant, each feature divided by its root mean square so far and cut to +-20, slope g and
    curvature c of the loss, P = I/penalty at first, and den = 1 + c z'Pz,

        w -= g P z/den,   P -= (c/den) P z z'P.

    Then P_ii grows by `walk`/penalty where it is below 1/penalty: a weight may walk at random, so that it never stops
    learning. With `fading`, P is divided by t/(t + 1) in round t: rounds long ago count less. A weight h multiplies g
    and c. No prediction changes when a feature is rescaled.

    Guarantee: none in this form, for features that are scaled as they come. Cost: O(d^2) per row for d features met,
    8 d^2 bytes; features beyond the first `width` are left out.
    References: Hazan et al. 2007 (the step); Penny, Roberts 1999 (the filter for logistic regression).

    >>> model = OnlineNewton(loss="squared")
    >>> for k in range(99):
    ...     model.learn_one({"a": k % 7, "b": k % 5}, 3 * (k % 7) - 2 * (k % 5))
    >>> round(model.predict_one({"a": 5.0, "b": 1.0}))
    13
    """

    def __init__(
        self,
        penalty: float = 1.0,
        walk: float = 0.0,
        fading: bool = False,
        width: int = 1024,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        self.penalty, self.fading = positive("penalty", penalty), boolean("fading", fading)
        self.width = whole("width", width, 1, 4096)
        self.walk = 0.0 if walk == 0.0 else positive("walk", walk)
        super().__init__(online_newton_rule, (self.penalty, self.walk, self.fading), loss, features, self.width)

    def coef(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """The weights by feature name (`price`, `city=Rome`, `user^17`): all that are not zero, or those of `names`."""
        return weights.coef(self, names)

    def regret_bound(self, seen: Evidence) -> Bound:
        """There is none in this form."""
        return Bound.none("the scales of the features are learned on the way; the theorem has them fixed")
