"""Calls on one object, one after another, whatever thread they come from (docs/threads.md)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from afterwit._core import Lock

P = ParamSpec("P")
R = TypeVar("R")


class HasLock(Protocol):
    """An object with a lock of its own, which its calls hold from beginning to end."""

    _lock: Lock


Self = TypeVar("Self", bound=HasLock)


def locked(method: Callable[Concatenate[Self, P], R]) -> Callable[Concatenate[Self, P], R]:
    """A method that holds the lock of its object; the shortest say `with self._lock:` themselves, which is quicker.

    One that reads what it was given and then changes its object says `self._lock.refuse_nested()` as well: what it was
    given may be code that calls the object.
    """

    @functools.wraps(method)
    def held(self: Self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with self._lock:
            return method(self, *args, **kwargs)

    return held
