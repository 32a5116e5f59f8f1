"""The table of registered classes: stable name -> class."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TypeVar

from afterwit.errors import AfterwitError

T = TypeVar("T")
_classes: dict[str, type] = {}
_names: weakref.WeakKeyDictionary[type, str] = weakref.WeakKeyDictionary()


def register(name: str) -> Callable[[type[T]], type[T]]:
    """Gives a class the name under which its objects are saved.

    A class that is defined again, as when a module is reloaded, takes the place of the old one.

    >>> @register("docs.mean")
    ... class Mean:
    ...     def __init__(self, start=0.0):
    ...         self.start, self.total, self.rows = start, start, 0
    >>> name_of(Mean())
    'docs.mean'
    """
    if not isinstance(name, str) or not name or not name.isprintable():
        raise AfterwitError(f'register was given {name!r}, expected a name: write `@register("my.name")`')

    def enter(cls: type[T]) -> type[T]:
        if not isinstance(cls, type):
            raise AfterwitError(f"register was given a `{type(cls).__name__}`, expected a class")
        old = _classes.get(name)
        if old is not None and _qualified(old) != _qualified(cls):
            raise AfterwitError(f"the name `{name}` belongs to `{_qualified(old)}`; register another name")
        if _names.get(cls, name) != name:
            raise AfterwitError(f"`{_qualified(cls)}` is already registered as `{_names[cls]}`; keep one name")
        _classes[name] = cls
        _names[cls] = name
        return cls

    return enter


def name_of(obj: object) -> str:
    """The registered name of an object's class; a subclass needs a name of its own.

    >>> name_of(3)
    Traceback (most recent call last):
    ...
    afterwit.errors.AfterwitError: `int` is not registered; put `@afterwit.register("my.name")` above the class
    """
    name = _names.get(type(obj))
    if name is None:
        cls = type(obj).__name__
        raise AfterwitError(f'`{cls}` is not registered; put `@afterwit.register("my.name")` above the class')
    return name


def is_registered(obj: object) -> bool:
    """Whether the class of an object has a name."""
    return type(obj) in _names


def classes() -> dict[str, type]:
    """All registered classes by their names, in the order of these."""
    return dict(sorted(_classes.items()))


def class_of(name: object) -> type:
    """The class of a name.

    >>> class_of("docs.nobody")
    Traceback (most recent call last):
    ...
    afterwit.errors.AfterwitError: no class is registered as `docs.nobody`; import the module that registers it
    """
    if not isinstance(name, str):
        raise AfterwitError(f"the name of a class is a `{type(name).__name__}`, expected a str")
    if name not in _classes:
        text = ascii(name[:80])[1:-1]
        raise AfterwitError(f"no class is registered as `{text}`; import the module that registers it")
    return _classes[name]


def _qualified(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
