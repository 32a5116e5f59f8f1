"""Learners broken on purpose: subclasses of the shipped ones, which a check must refuse."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np


def flipped(shipped: type[Any]) -> type[Any]:
    """Learns the opposite of every label: it moves away from where it should."""

    class Flipped(shipped):  # type: ignore[misc]
        def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Any:
            return super().learn_many(X, -np.asarray(y), weight)

    return Flipped


def forgetful(shipped: type[Any]) -> type[Any]:
    """Is as new after every row."""

    class Forgetful(shipped):  # type: ignore[misc]
        def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Any:
            raw, new = np.zeros(len(X)), self.state()
            h = np.ones(len(X)) if weight is None else weight
            for t in range(len(X)):
                raw[t : t + 1] = super().learn_many(X[t : t + 1], y[t : t + 1], h[t : t + 1])
                self.set_state(new)
            return raw

    return Forgetful


def at_rate(factor: float, shipped: type[Any], pace: tuple[str, float] = ("rate", 1.0)) -> type[Any]:
    """Takes steps of `factor` times the length; `pace` is the setting that they are proportional to, and the power."""
    setting, power = pace

    class AtRate(shipped):  # type: ignore[misc]
        def __init__(self, **settings: Any) -> None:
            if setting in settings:
                settings[setting] *= factor**power
            super().__init__(**settings)

        def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Any:
            if setting == "weight":
                weight = np.full(len(X), factor) if weight is None else factor * weight
            return super().learn_many(X, y, weight)

    return AtRate


half = partial(at_rate, 0.5)
