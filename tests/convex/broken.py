"""Shipped players broken on purpose: a sign, the memory, the rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from afterwit.convex import History
from afterwit.convex.player import in_hindsight
from tests.convex.formulas import Array


def outcome(player: Any, V: Array, c: float, points: Array) -> History:
    """The history of these points on the true losses."""
    loss = (points * V).sum(axis=1) + 0.5 * c * (points * points).sum(axis=1)
    return in_hindsight(player.domain, V, c, loss, points)


def seeing(change: Callable[[Array], Array], shipped: type[Any]) -> type[Any]:
    """Learns other slopes than it suffers."""

    class Seeing(shipped):  # type: ignore[misc]
        def update(self, gradient: Any, curvature: float = 0.0) -> None:
            super().update(change(np.asarray(gradient)), curvature)

        def run(self, losses: Any, curvature: float = 0.0, keep: str = "loss") -> History:
            V = np.asarray(losses)
            return outcome(self, V, curvature, super().run(change(V), curvature, "points").points)

    return Seeing


def forgetful(shipped: type[Any]) -> type[Any]:
    """Is as new after every round."""

    class Forgetful(shipped):  # type: ignore[misc]
        def update(self, gradient: Any, curvature: float = 0.0) -> None:
            """It forgets."""

        def run(self, losses: Any, curvature: float = 0.0, keep: str = "loss") -> History:
            V = np.asarray(losses)
            return outcome(self, V, curvature, np.tile(self.play(), (len(V), 1)))

    return Forgetful


flipped = partial(seeing, lambda V: -V)
half = partial(seeing, lambda V: 0.5 * V)
unbroken = partial(seeing, lambda V: V)
BREAKS = {"sign": flipped, "memory": forgetful, "rate": half}
