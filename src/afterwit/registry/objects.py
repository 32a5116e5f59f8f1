"""Any object as its settings and its state, and back."""

from __future__ import annotations

from typing import Any, TypeVar

from afterwit.errors import AfterwitError
from afterwit.registry import attributes, plain
from afterwit.registry.names import class_of, is_registered, name_of
from afterwit.registry.plain import Path, shown

T = TypeVar("T")


def settings(obj: object, *, copy: bool = True) -> dict[str, Any]:
    """The constructor's arguments as plain data; with `copy=False` the arrays may be the object's own.

    >>> from afterwit.registry import register
    >>> @register("docs.scaled")
    ... class Scaled:
    ...     def __init__(self, base, rate=0.5):
    ...         self.base, self._rate = base, rate
    >>> settings(Scaled(Scaled(None)))["base"]
    {'$object': 'docs.scaled', 'settings': {'base': None, 'rate': 0.5}, 'state': {}}
    """
    return _encoded(_settings(obj), "settings", copy, True, 0)


def state(obj: object, *, copy: bool = True) -> dict[str, Any]:
    """What an object has learned, as plain data; with `copy=False` the arrays may be the object's own.

    >>> class Words:
    ...     def __init__(self):
    ...         self.seen = [{"a"}]
    >>> state(Words())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    afterwit.errors.AfterwitError: state["seen"][0] is a `set`; use None, bool, int, float, str, list, tuple, ...
    """
    return _encoded(_state(obj), "state", copy, True, 0)


def fresh(obj: T) -> T:
    """A new object with the same settings that has learned nothing, and neither have the objects among its settings.

    >>> class Count:
    ...     def __init__(self, step=1):
    ...         self.step, self.total = step, 0
    >>> count = Count(step=5)
    >>> count.total = 10
    >>> vars(fresh(count))
    {'step': 5, 'total': 0}
    """
    given = _encoded(_settings(obj), "settings", False, False, 0)
    new = type(obj)(**_decoded(given, "settings", True, False, 0))
    if not offers(obj, "settings"):
        kept = _encoded(_settings(new), "settings", False, False, 0)
        changed = [key for key in given if not plain.same(given[key], kept[key])]
        if changed:
            raise AfterwitError(
                f"`{type(obj).__name__}` does not keep its argument `{changed[0]}` as it was given; keep it so, or "
                "give the class a `settings()` method"
            )
    return new


def build(name: str, settings: dict[str, Any], state: dict[str, Any] | None = None, *, copy: bool = True) -> Any:
    """The object of a registered class with these settings and this state (None: as constructed).

    Calls nothing but constructors and `set_state` of registered classes. With `copy=False` it may keep the arrays.

    >>> from afterwit.registry import register
    >>> @register("docs.sum")
    ... class Sum:
    ...     def __init__(self, start=0):
    ...         self.start, self.total = start, start
    >>> vars(build("docs.sum", {"start": 1}, {"total": 7}))
    {'start': 1, 'total': 7}
    """
    return _build({"$object": name, "settings": settings, "state": state}, "", copy, True, 0)


def restore(obj: Any, settings: dict[str, Any], state: dict[str, Any]) -> None:
    """Constructs an object that was only made, with these settings and this state."""
    obj.__init__(**_decoded(settings, "settings", True, True, 0))
    obj.set_state(_decoded(state, "state", True, True, 0))


def offers(obj: object, method: str) -> bool:
    """Whether the class of an object has this method."""
    return callable(getattr(type(obj), method, None))


def _settings(obj: Any) -> dict[str, Any]:
    if offers(obj, "settings"):
        return _dict(obj.settings(), f"`{type(obj).__name__}.settings()`")
    return {name: getattr(obj, attribute) for name, attribute in attributes.arguments(obj).items()}


def _state(obj: Any) -> dict[str, Any]:
    if offers(obj, "state"):
        if not offers(obj, "set_state"):
            raise AfterwitError(f"`{type(obj).__name__}` has `state()` but no `set_state(state)`; add it")
        return _dict(obj.state(), f"`{type(obj).__name__}.state()`")
    return attributes.rest(obj, _kept_settings(obj))


def _kept_settings(obj: Any) -> set[str]:
    """The attributes that are settings, and so not state."""
    return set() if offers(obj, "settings") else set(attributes.arguments(obj).values())


def _dict(value: Any, what: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise AfterwitError(f"{what} is a `{type(value).__name__}`, expected a dict")
    return value


def _encoded(values: dict[str, Any], path: Path, copy: bool, learned: bool, depth: int) -> dict[str, Any]:
    def other(value: Any, path: Path, depth: int) -> dict[str, Any]:
        if not is_registered(value):
            raise plain.not_plain(path, value)
        plain.check_depth(path, depth)
        within = shown(path)
        return {
            "$object": name_of(value),
            "settings": _encoded(_settings(value), f"{within}.settings", copy, learned, depth + 1),
            "state": _encoded(_state(value), f"{within}.state", copy, learned, depth + 1) if learned else None,
        }

    return _dict(plain.encode(values, path, other, copy=copy, depth=depth), shown(path))


def _decoded(values: Any, path: str, copy: bool, learned: bool, depth: int) -> dict[str, Any]:
    def make(value: dict[str, Any], path: Path, depth: int) -> Any:
        if learned and value.get("state") is None:
            raise AfterwitError(f"{shown(path)} is an object without a state")
        return _build(value, f"{shown(path)}.", copy, learned, depth + 1)

    return _dict(plain.decode(values, path, make, copy=copy, depth=depth), path)


def _build(value: dict[str, Any], path: str, copy: bool, learned: bool, depth: int) -> Any:
    plain.check_depth(path, depth)
    if set(value) != {"$object", "settings", "state"}:
        raise AfterwitError(f"{path} has {len(value)} keys, expected `$object`, `settings` and `state`")
    cls = class_of(value["$object"])
    obj = cls(**(getattr(cls, "UNSAID", {}) | _decoded(value["settings"], f"{path}settings", copy, learned, depth)))
    if value["state"] is not None:
        state = _decoded(value["state"], f"{path}state", copy, learned, depth)
        if offers(obj, "state"):
            obj.set_state(state)
        else:
            attributes.put(obj, state, _kept_settings(obj))
    return obj
