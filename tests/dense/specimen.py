"""What the tests must know of a dense learner: `specimens/test_NAME.py` says it, the common tests find it there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from afterwit.dense.dense import Dense
from afterwit.features import Features
from tests import specimens
from tests.linear.formulas import Array

Settings = Mapping[str, Any]
LOSSES = ("logistic", "squared")


@dataclass(frozen=True)
class Specimen:
    """A dense learner: its class, its formula, and the settings in which it is tried, each with both losses."""

    make: type[Dense]
    settings: tuple[Settings, ...]
    #: (X, y, h, **settings) -> the raw predictions made before each row, the constant included.
    formula: Callable[..., Array]
    #: The settings with which learner and formula are compared.
    formula_at: tuple[Settings, ...]
    #: How far predictions may be from the formula's, relative to 1 or to theirs.
    accuracy: float = 1e-6
    #: Whether rescaling a feature by a power of two changes no bit.
    scale_free: bool = True

    def models(self, features: Features | None = None) -> list[Any]:
        """Every setting with every loss."""
        return [self.make(**settings, loss=loss, features=features) for settings in self.settings for loss in LOSSES]


@cache
def every() -> dict[str, Specimen]:
    """Name -> specimen of every dense learner."""
    return specimens.found(import_module("tests.dense.specimens"))
