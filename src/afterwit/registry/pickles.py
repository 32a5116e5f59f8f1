"""How an object of a registered class with `set_state` is pickled: as its settings and its state, by its stable name.

skops does not call functions that it does not know, so it asks for the same as a state of the empty object.
"""

from __future__ import annotations

from typing import Any

from afterwit.registry.names import name_of
from afterwit.registry.objects import build, restore, settings, state


def reduce(obj: object) -> tuple[Any, ...]:
    """For `__reduce__`."""
    return unpickled, (type(obj), name_of(obj), settings(obj), state(obj), *_schema(obj).values())


def unpickled(_: type, name: str, settings: dict[str, Any], state: dict[str, Any], schema: Any = None) -> Any:
    """The object again. To find its class pickle imports the module that registers it, also in a new process."""
    return _taught(build(name, settings, state), schema)


def getstate(obj: object) -> dict[str, Any]:
    """For `__getstate__`."""
    return {"settings": settings(obj), "state": state(obj), **_schema(obj)}


def setstate(obj: Any, kept: dict[str, Any]) -> None:
    """For `__setstate__`, of an object that was made but not constructed."""
    restore(obj, kept["settings"], kept["state"])
    _taught(obj, kept.get("schema"))


def _schema(obj: Any) -> dict[str, Any]:
    """What it was taught, if that is known."""
    schema = getattr(obj, "schema", None)
    return {} if schema is None else {"schema": schema}


def _taught(obj: Any, schema: Any) -> Any:
    if schema is not None:
        obj.schema = schema
    return obj
