"""Changes of plain data: other numbers, types, lengths, keys and nesting, here or everywhere under one name."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

NUMBERS: list[Any] = [
    *(0, 1, 2, 3, 7, 17, 26, 30, 31, 63, 64, -1, -5, 5 * 10**7, 4 * 10**9),
    *(2**31, 2**32, 2**52, 2**53, 2**63, 2**64, 10**300),
    *(0.0, -0.0, 0.5, 2.5, -1e-9, 1e-320, 1e-20, 1e38, 1e300, -1e300, 4e9, 2.0**52, 2.0**53, 2.0**63, 1e19),
    *(math.nan, math.inf, -math.inf, True, False, np.float32(3.5), np.int64(-7), np.bool_(True)),
]  # fmt: skip
WORDS: list[Any] = ["", "\x1b[31mred\n", "a", "\udcff", "quantile:nan", "exact", "x" * 5000, "hedge", "one-vs-all"]
OTHERS: list[Any] = [
    None,
    [],
    {},
    (),
    [None],
    {"\x1b[0m": 1},
    [[[]]],
    "\x9b2J",
    np.zeros(3),
    np.zeros((0, 2**60), "<f4"),
]
DTYPES = ["b1", "i1", "u1", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """(parent, key) of everything in a tree of dicts and lists."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def numbers_of(content: Any) -> list[str]:
    """The names of all numbers in a tree, and of what may be one."""
    kinds = (bool, int, float, np.generic, type(None))
    return sorted({key for parent, key in places(content) if type(key) is str and isinstance(parent[key], kinds)})


def with_number(content: Any, name: str, value: Any) -> Any:
    """The content with this value for all numbers of this name."""
    content = copy.deepcopy(content)
    for parent, key in list(places(content)):
        if key == name and not isinstance(parent[key], (dict, list, str, np.ndarray)):
            parent[key] = value
    return content


def mutated(content: Any, others: list[Any], random: Random) -> tuple[Any, str]:
    """The content with one to three changes, and what they are; parts of `others` may take the place of its own."""
    content = copy.deepcopy(content)
    said = []
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        parent, key = random.choice(_by_name(content, random))
        before = parent[key]
        value, what = _other(before, others, random)
        everywhere = isinstance(key, str) and random.random() < 0.3
        for where, name in list(places(content)) if everywhere else [(parent, key)]:
            if everywhere and (name != key or type(name) is not str or name not in where):
                continue
            where[name] = copy.deepcopy(value)
        if random.random() < 0.05:
            if isinstance(parent, dict):
                parent[random.choice(["more", "__class__", "$object", "bits"])] = parent.pop(key)
            what += ", under another name"
        said.append(f"{'all ' * everywhere}{key}: {what}")
    return content, "; ".join(said)


def _by_name(content: Any, random: Random) -> list[tuple[Any, Any]]:
    """The places of one name: a long list counts no more than a number beside it."""
    named: dict[Any, list[tuple[Any, Any]]] = {}
    for parent, key in places(content):
        named.setdefault(key if isinstance(key, str) else 0, []).append((parent, key))
    return named[random.choice(sorted(named, key=str))]


def _other(value: Any, others: list[Any], random: Random) -> tuple[Any, str]:
    """Something in the place of a value, most often of its own kind."""
    roll = random.random()
    if roll < 0.06:
        parent, key = random.choice(list(places(random.choice(others))))
        return parent[key], "a part of another file"
    if roll < 0.12 or value is None:
        other = random.choice([*OTHERS, *NUMBERS, *WORDS])
        return other, f"{type(other).__name__} {str(other)[:40]!r}"
    if isinstance(value, np.ndarray):
        return _array(value, random)
    if isinstance(value, (bool, int, float, np.generic)):
        other = random.choice(NUMBERS)
        return other, repr(other)[:40]
    if isinstance(value, str):
        other = random.choice(WORDS)
        return other, repr(other[:40])
    if isinstance(value, dict):
        left = dict(value)
        if left:
            gone = random.choice(sorted(left))
            del left[gone]
            return left, f"without {gone}"
        return {"more": random.choice(NUMBERS)}, "with more"
    return _list(list(value), type(value), random)


def _list(value: list[Any], kind: type, random: Random) -> tuple[Any, str]:
    nested: Any = value
    for _ in range(50):
        nested = [nested]
    extreme = random.choice([*NUMBERS, *WORDS, *OTHERS])
    what, new = random.choice(
        [
            ("cut", value[:-1]),
            ("doubled", value * 2),
            ("turned", value[::-1]),
            ("nested", nested),
            (f"with {str(extreme)[:40]!r}", [*value[:-1], extreme]),
            (f"and {str(extreme)[:40]!r}", [*value, extreme]),
        ]
    )
    return (kind(new) if kind is tuple else new), what


def _array(value: Any, random: Random) -> tuple[Any, str]:
    way = random.choice(["cut", "doubled", "empty", "flat", "wide", "dtype", "one", "one", "one", "all", "turned"])
    with np.errstate(all="ignore"):
        if way == "cut":
            return value[:-1].copy() if value.ndim else value, way
        if way == "doubled":
            return np.concatenate([np.atleast_1d(value)] * 2), way
        if way == "empty":
            return np.zeros((0, *value.shape[1:]), value.dtype), way
        if way == "flat":
            return value.reshape(-1).copy(), way
        if way == "wide":
            return value.reshape(1, -1).copy(), way
        if way == "turned":
            return value[::-1].copy(), way
        if way == "dtype":
            dtype = random.choice(DTYPES)
            return value.astype(dtype), f"as {dtype}"
        number = random.choice([*NUMBERS, value.size, value.size + 1, 65, 66])
        new = np.array(value, order="C")
        try:
            cast = np.array(number).astype(new.dtype)
        except (OverflowError, TypeError, ValueError):
            return np.full(value.shape, 255, np.uint8), "as bytes"
        if way == "all":
            new[...] = cast
        elif new.size:
            new.reshape(-1)[random.randrange(new.size)] = cast
        return new, f"{way} {number!r}"[:40]
