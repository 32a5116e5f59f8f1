"""Online learning in one pass: predict before each answer, need no tuning, say what hindsight would have gained.

>>> import afterwit as aw
>>> model = aw.Auto()
>>> report = aw.learn(model, aw.read([({"price": 3.5, "city": "Rome"}, 1), ({"price": 0.5, "city": "Oslo"}, 0)]))
>>> report.rows
2
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from afterwit import (
        bandits,
        checks,
        convex,
        dense,
        experts,
        games,
        linear,
        losses,
        panel,
        plots,
        potentials,
        regret,
        trees,
    )
    from afterwit.errors import AfterwitError, DataError, ModelFileError
    from afterwit.experts import Mixture
    from afterwit.features import Features
    from afterwit.games import separate
    from afterwit.learning import Report, collisions, compare, evaluate, label, learn, predict, probability
    from afterwit.linear import OneVsAll
    from afterwit.panel import Auto, Panel
    from afterwit.registry import fresh, register
    from afterwit.storage import load, save
    from afterwit.streams import read

__version__ = "0.1.0"

# Loaded when first used: `afterwit --help` must not wait for NumPy.
_HOME = {
    "AfterwitError": "errors",
    "Auto": "panel",
    "DataError": "errors",
    "Features": "features",
    "Mixture": "experts",
    "ModelFileError": "errors",
    "OneVsAll": "linear",
    "Panel": "panel",
    "Report": "learning",
    "collisions": "learning",
    "compare": "learning",
    "evaluate": "learning",
    "fresh": "registry",
    "label": "learning",
    "learn": "learning",
    "load": "storage",
    "predict": "learning",
    "probability": "learning",
    "read": "streams",
    "register": "registry",
    "save": "storage",
    "separate": "games",
}
_ROOMS = (
    "checks",
    "convex",
    "dense",
    "experts",
    "games",
    "linear",
    "losses",
    "panel",
    "plots",
    "potentials",
    "regret",
    "trees",
)

__all__ = [
    "AfterwitError",
    "Auto",
    "DataError",
    "Features",
    "Mixture",
    "ModelFileError",
    "OneVsAll",
    "Panel",
    "Report",
    "bandits",
    "checks",
    "collisions",
    "compare",
    "convex",
    "dense",
    "evaluate",
    "experts",
    "fresh",
    "games",
    "label",
    "learn",
    "linear",
    "load",
    "losses",
    "panel",
    "plots",
    "potentials",
    "predict",
    "probability",
    "read",
    "register",
    "regret",
    "save",
    "separate",
    "trees",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"afterwit.{name}")
    if name in _HOME:
        found = globals()[name] = getattr(importlib.import_module(f"afterwit.{_HOME[name]}"), name)
        return found
    raise AttributeError(f"module `afterwit` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted(__all__)
