"""Which experiments there are."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def experiments() -> dict[str, ModuleType]:
    """The modules of this room that have a `SOURCE`, by the name that the command line knows them by.

    >>> experiments()["optimistic-perceptron"].SOURCE
    'Hanashiro, Abernethy 2020, Figure 1'
    """
    room = importlib.import_module(__package__ or "")
    names = sorted(module.name for module in pkgutil.iter_modules(room.__path__))
    found = {name.replace("_", "-"): importlib.import_module(f"{room.__name__}.{name}") for name in names}
    return {name: module for name, module in found.items() if hasattr(module, "SOURCE")}
