"""Settings and state of a class that offers no methods for them: read from its attributes, and set there."""

from __future__ import annotations

import inspect
from typing import Any

from afterwit.errors import AfterwitError

_HEAP_TYPE = 1 << 9


def arguments(obj: object) -> dict[str, str]:
    """Each argument of the constructor, and the attribute that keeps it.

    >>> class Mean:
    ...     def __init__(self, start, decay=1.0):
    ...         self.start, self._decay, self.rows = start, decay, 0
    >>> arguments(Mean(2.0))
    {'start': 'start', 'decay': '_decay'}
    """
    cls = type(obj)
    try:
        parameters = inspect.signature(cls).parameters.values()
    except ValueError:
        raise AfterwitError(f"the arguments of `{cls.__name__}` are not known; give it a `settings()` method") from None
    kept = {}
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise AfterwitError(f"`{cls.__name__}` takes `{parameter}`; name its arguments, or give it `settings()`")
        kept[parameter.name] = _attribute(obj, parameter.name)
    return kept


def rest(obj: object, taken: set[str]) -> dict[str, Any]:
    """All attributes that are not `taken`."""
    _check_readable(obj, taken)
    found = {name: value for name, value in getattr(obj, "__dict__", {}).items() if name not in taken}
    _check_names(obj, found)
    return found


def put(obj: object, state: dict[str, Any], taken: set[str]) -> None:
    """Sets attributes, past any property or `__setattr__`, so that nothing runs; those `taken` stay."""
    _check_names(obj, state)
    for name in taken.intersection(state):
        raise AfterwitError(
            f"`{type(obj).__name__}` has the setting `{name}` in its state; leave it among the settings"
        )
    if state and not hasattr(obj, "__dict__"):
        raise AfterwitError(f"`{type(obj).__name__}` has no attribute `{min(state)}` to set")
    if state:
        vars(obj).update(state)


def _attribute(obj: object, name: str) -> str:
    """An attribute of the object itself first: beside `_rate`, a property `rate` is only a view of it."""
    own = getattr(obj, "__dict__", {})
    for candidate in (name, "_" + name):
        if candidate in own:
            return candidate
    for candidate in (name, "_" + name):
        if hasattr(obj, candidate):
            return candidate
    raise AfterwitError(
        f"`{type(obj).__name__}` takes `{name}` but has no attribute `{name}` or `_{name}`; keep it there, or give the "
        "class a `settings()` method"
    )


def _check_readable(obj: object, taken: set[str]) -> None:
    """Refuses a state that `vars` does not show: in slots, or in a type written in C."""
    bases = [cls for cls in type(obj).__mro__ if cls is not object]
    slots = [cls.__dict__["__slots__"] for cls in bases if "__slots__" in cls.__dict__]
    hidden = {name for names in slots for name in ([names] if isinstance(names, str) else names)}
    hidden -= taken | {"__dict__", "__weakref__"}
    in_c = any(not cls.__flags__ & _HEAP_TYPE for cls in bases) or not (slots or hasattr(obj, "__dict__"))
    if hidden or in_c:
        where = f"the slot `{min(hidden)}`" if hidden else "a base class that is not written in Python"
        raise AfterwitError(
            f"`{type(obj).__name__}` keeps state in {where}, which cannot be read; give it `state()` and `set_state()`"
        )


def _check_names(obj: object, names: dict[str, Any]) -> None:
    for name in names:
        if name.startswith("__"):
            raise AfterwitError(
                f"`{type(obj).__name__}` has the attribute `{ascii(name)[1:-1]}` in its state; names that begin with "
                "two underscores are Python's own, choose another"
            )
