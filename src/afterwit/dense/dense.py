"""What every dense learner has in common: columns, and one of two losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from afterwit import losses
from afterwit._core import LearningRule, holdings
from afterwit.features import Features
from afterwit.learners import Native
from afterwit.losses import Loss


class Dense(Native):
    """A learner over the features met so far as columns, in the order met; what a row does not have is 0.

    The first `WIDTH` features that are met have a column, any later one is left out: so memory is bounded whatever
    comes. Logistic loss is for two classes, squared loss for numbers, whose first is only noted; margins are cut to
    +-50, values to the range of the labels so far.
    """

    WIDTH = 320
    #: On a panel, up to so many where a row has values in at least an eighth of them.
    WIDE = 0

    def __init__(
        self,
        rule: Callable[..., LearningRule],
        settings: tuple[Any, ...],
        loss: str | Loss,
        features: Features | None,
        width: int | None = None,
    ) -> None:
        name = str(losses.get(loss))
        if name not in ("logistic", "squared"):
            raise ValueError(f"loss is `{loss}`, expected logistic or squared")
        super().__init__(rule(*settings, name == "squared", width or self.WIDTH, self.WIDE), loss, features)

    def holds(self) -> dict[str, int]:
        """What it keeps: columns, and rows or trees, of how many at most."""
        numbers, slots, _ = holdings(self)
        return {"columns": len(slots), **numbers}
