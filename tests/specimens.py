"""Finds the specimens of a room: one file per algorithm, `specimens/test_NAME.py`, each with a SPECIMEN."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def found(package: ModuleType) -> dict[str, Any]:
    """Name of the algorithm -> its SPECIMEN, in the order of the names."""
    names = sorted(module.name for module in iter_modules(package.__path__))
    return {name.removeprefix("test_"): import_module(f"{package.__name__}.{name}").SPECIMEN for name in names}
