"""What is checked, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from afterwit import registry

#: A factory without arguments, or a learner or player whose fresh copies are checked.
Make: TypeAlias = Callable[[], Any] | Any


def made(make: Make) -> Any:
    """A new one."""
    is_one = not isinstance(make, type) and (hasattr(make, "predict_one") or hasattr(make, "play"))
    return registry.fresh(make) if is_one else make()


def name(model: Any) -> str:
    """What to call one in a sentence."""
    return f"`{type(model).__name__}`"


def ensure(holds: bool, sentence: str) -> None:
    """Raises AssertionError, also under `python -O`."""
    if not holds:
        raise AssertionError(sentence)
