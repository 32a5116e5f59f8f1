"""What every linear learner has in common: weights by name."""

from __future__ import annotations

from collections.abc import Iterable

from afterwit.learners import Native, weights


class Linear(Native):
    """A learner of the one kernel, whose prediction is a sum of weights times values."""

    def coef(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """The weights by feature name (`price`, `city=Rome`, `user^17`): all that are not zero, or those of `names`."""
        return weights.coef(self, names)
