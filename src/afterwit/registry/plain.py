"""Plain data: what settings and states are made of, and all that a model file can hold.

None, bool, int, float, str, list, tuple, dict with str keys, numpy arrays and scalars of bools, ints and floats; and
objects, which the caller turns into {"$object": name, "settings": ..., "state": ...} and back. A dict that has the key
"$object" or "$dict" itself is written {"$dict": it}. Types are exact: a subclass would come back as something else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias, Union

import numpy as np

from afterwit.errors import AfterwitError

#: How deep plain data may be nested; a list that contains itself ends here too.
DEEPEST = 64
#: The numbers that arrays may be made of.
NUMBERS = frozenset({"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"})
LEAVES = frozenset({type(None), bool, int, float, str})
#: What is an array of plain memory; a mapped one comes back as one in memory.
_ARRAYS = (np.ndarray, np.memmap)
_MARKERS = frozenset({"$object", "$dict"})

#: Where a value is: a word such as `state`, or (where its parent is, its key there).
Path: TypeAlias = Union[str, "tuple[Any, str | int]"]
Step: TypeAlias = Callable[[Any, Path, int], Any]


def encode(value: Any, path: Path, other: Step, *, copy: bool, depth: int = 0) -> Any:
    """The same data in new lists and dicts; `other(value, path, depth)` says what anything else becomes.

    >>> encode({"rate": 0.5, "seen": {"a"}}, "state", lambda value, path, depth: sorted(value), copy=True)
    {'rate': 0.5, 'seen': ['a']}
    """

    def each(value: Any, path: Path, depth: int) -> Any:
        if type(value) is dict and not _MARKERS.isdisjoint(value):
            return {"$dict": rebuild(value, path, each, copy=copy, depth=depth + 1)}
        if type(value) in (list, tuple, dict) or type(value) in LEAVES or is_number(value):
            return rebuild(value, path, each, copy=copy, depth=depth)
        return other(value, path, depth)

    return each(value, path, depth)


def decode(value: Any, path: Path, make: Step, *, copy: bool, depth: int = 0) -> Any:
    """Undoes `encode`; `make(value, path, depth)` gets each {"$object": ...} and returns the object.

    >>> decode([{"$dict": {"$dict": 1}}], "state", lambda value, path, depth: None, copy=True)
    [{'$dict': 1}]
    """

    def each(value: Any, path: Path, depth: int) -> Any:
        if type(value) is dict and "$object" in value:
            return make(value, path, depth)
        if type(value) is dict and "$dict" in value:
            value, path, depth = value["$dict"], (path, "$dict"), depth + 1
            if type(value) is not dict:
                raise AfterwitError(f"{shown(path)} is a `{type(value).__name__}`, expected a dict")
        return rebuild(value, path, each, copy=copy, depth=depth)

    return each(value, path, depth)


def rebuild(value: Any, path: Path, each: Step, *, copy: bool, depth: int) -> Any:
    """A list, tuple or dict anew, from what `each` makes of its values; a leaf or an array as it is or copied."""
    kind = type(value)
    if kind in LEAVES:
        return value
    if is_number(value):
        if isinstance(value, np.generic):
            return value
        return np.array(value) if copy else np.asarray(value)
    if kind not in (list, tuple, dict):
        raise not_plain(path, value)
    check_depth(path, depth)
    values = value.values() if kind is dict else value
    flat = LEAVES.issuperset(map(type, values))
    if kind is not dict:
        return kind(value if flat else [each(v, (path, i), depth + 1) for i, v in enumerate(value)])
    check_keys(path, value)
    return dict(value) if flat else {k: each(v, (path, k), depth + 1) for k, v in value.items()}


def is_number(value: Any) -> bool:
    """Whether this is a numpy array or scalar of bools, ints or floats of a size that every machine has."""
    return (type(value) in _ARRAYS or isinstance(value, np.generic)) and value.dtype.str[1:] in NUMBERS


def count(value: Any, what: str) -> int:
    """A number of rounds or rows in a state, which may be kept as a float.

    >>> count(3.0, "rounds")
    3
    """
    if type(value) not in (int, float) or not (0 <= value < 1 << 53) or value != int(value):
        raise ValueError(f"{what} is `{value!r}`, expected a whole number from 0 on")
    return int(value)


def check_depth(path: Path, depth: int, deepest: int = DEEPEST) -> None:
    """Refuses what is nested too deep."""
    if depth > deepest:
        raise AfterwitError(f"{shown(path)} is nested more than {deepest} deep; make it flatter")


def check_keys(path: Path, value: dict[Any, Any]) -> None:
    """Refuses a dict whose keys are not all of type str."""
    for key in value:
        if type(key) is not str:
            raise AfterwitError(f"{shown(path)} has the key {key!r}, expected keys of type str")


def not_plain(path: Path, value: Any) -> AfterwitError:
    """The refusal of a value that is not plain data."""
    found = f"a `{type(value).__name__}`"
    if type(value) in _ARRAYS:
        found = f"an array of `{value.dtype}`"
    return AfterwitError(
        f"{shown(path)} is {found}; use None, bool, int, float, str, list, tuple, dict, a numpy array of numbers or an "
        "object of a registered class, or give the class `settings()`, `state()` and `set_state()`"
    )


def shown(path: Path) -> str:
    """A path as Python would write it.

    >>> shown((("state", "cache"), 2))
    'state["cache"][2]'
    """
    keys: list[str] = []
    while not isinstance(path, str):
        path, key = path
        keys.append(f"[{json.dumps(key)}]")
    steps = [path, *reversed(keys)]
    return "".join(steps if len(steps) < 10 else [*steps[:8], "..."])


def same(a: Any, b: Any) -> bool:
    """Whether two values of plain data are equal in every type and bit; NaN equals NaN.

    >>> same({"a": (1, np.zeros(2))}, {"a": (1, np.zeros(2))}), same(1, 1.0)
    (True, False)
    """
    if type(a) is not type(b):
        return False
    if isinstance(a, (np.ndarray, np.generic)):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b or (a != a and b != b))
