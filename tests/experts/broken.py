"""Shipped players broken on purpose: a sign, the memory, the rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from afterwit.experts import History
from tests.adversaries import Array


def outcome(history: History, losses: Array, confidence: Array | None) -> History:
    """The history of these weights on the true losses."""
    I = np.ones(losses.shape) if confidence is None else confidence * history.weights.any(axis=1)[:, None]
    loss = (history.weights * losses).sum(axis=1)
    regret = (I * (loss[:, None] - losses)).sum(axis=0)
    return replace(history, loss=loss, total=(I * losses).sum(axis=0), regret=regret)


def seeing(change: Callable[[Array], Array], shipped: type[Any]) -> type[Any]:
    """Learns other losses than it suffers."""

    class Seeing(shipped):  # type: ignore[misc]
        def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> History:
            return outcome(super().run(change(losses), confidence, "weights"), losses, confidence)

    return Seeing


def forgetful(shipped: type[Any]) -> type[Any]:
    """Is as new after every round."""

    class Forgetful(shipped):  # type: ignore[misc]
        def run(self, losses: Any, confidence: Any = None, keep: str = "loss") -> History:
            weights, new = np.zeros(losses.shape), self.state()
            for t in range(len(losses)):
                I = None if confidence is None else confidence[t : t + 1]
                weights[t] = super().run(losses[t : t + 1], I, "weights").weights
                self.set_state(new)
            return outcome(History(weights[:, 0], weights[0], weights[0], weights=weights), losses, confidence)

    return Forgetful


flipped = partial(seeing, lambda losses: 1.0 - losses)
half = partial(seeing, lambda losses: 0.5 * losses)
unbroken = partial(seeing, lambda losses: losses)
BREAKS = {"sign": flipped, "memory": forgetful, "rate": half}
