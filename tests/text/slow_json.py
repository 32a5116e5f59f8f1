"""JSON lines in plain Python: the json module, then features by name, with the slow hash of names beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from afterwit._core import JsonParser
from tests.text.slow_vw import MASK, hash_bytes

#: The name, the space that it is in, the group, and the value.
Feature: TypeAlias = "tuple[str, str | None, str, float]"
LARGEST = float(np.finfo(np.float32).max)


class RefusedError(Exception):
    """A line that is no row."""


def group_of(space: str) -> int:
    return hash_bytes(space.encode(), 1) | 1


def key_of(name: str, space: str | None) -> int:
    start = 0 if space is None else group_of(space)
    if re.fullmatch("0|[1-9][0-9]{0,9}", name, re.ASCII) and int(name) < 2**32:
        return (start + int(name)) & MASK
    return hash_bytes(name.encode(), start) | 1 << 63


@dataclass
class Slow:
    """All rows, and how many lines were none."""

    rows: list[list[Feature]] = field(default_factory=list)
    y: list[Any] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    skipped: int = 0

    def arrays(self) -> dict[str, Any]:
        every = [each for row in self.rows for each in row]
        return {
            "keys": [key_of(name, space) for name, space, *_ in every],
            "groups": [group_of(group) for _, _, group, _ in every],
            "names": [f"{space}^{name}" if space else name for name, space, *_ in every],
            "values": [value for *_, value in every],
            "sizes": [len(row) for row in self.rows],
        }


def slow_parse(data: bytes, target: str, weight: str | None = None, categorical: Sequence[str] = ()) -> Slow:
    """All rows of `data`; lines that are none are counted."""
    result = Slow()
    for line in data.split(b"\n"):
        if not line.strip(b" \t\r"):
            continue
        try:
            row = read_line(line)
            y, w = label_of(row.pop(target, None)), weight_of(row.pop(weight, None)) if weight else 1.0
            features = [each for name, value in row.items() for each in cell(name, value, None, name in categorical)]
        except (RefusedError, ValueError, RecursionError):
            result.skipped += 1
            continue
        result.rows.append(features)
        result.y.append(y)
        result.weight.append(w)
    return result


def read_line(line: bytes) -> dict[str, Any]:
    row = json.loads(line.decode(), object_pairs_hook=once_each, parse_constant=refuse)
    if not isinstance(row, dict):
        raise RefusedError(line)
    check_text(row)
    return row


def refuse(text: str) -> Any:
    raise RefusedError(text)


def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise RefusedError(pairs)
    return dict(pairs)


def check_text(value: Any) -> None:
    """No half of a character."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, dict):
        for name, inner in value.items():
            name.encode()
            check_text(inner)
    elif isinstance(value, list):
        for inner in value:
            check_text(inner)


def label_of(value: Any) -> float:
    if value is None or isinstance(value, (str, list, dict)):
        raise RefusedError(value)
    return number(value)


def weight_of(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise RefusedError(value)
    return number(value)


def number(value: float) -> float:
    found = float(value) if abs(value) < 10**40 else float("inf")
    if abs(found) > LARGEST:
        raise RefusedError(value)
    return found


def cell(name: str, value: Any, space: str | None, categorical: bool) -> Iterator[Feature]:
    group = name if space is None else space
    if isinstance(value, dict):
        if space is not None:
            raise RefusedError(value)
        for inner, one in value.items():
            yield from cell(inner, one, name, False)
    elif isinstance(value, list):
        kinds = {isinstance(one, str) for one in value if one is not None}
        if any(isinstance(one, (list, dict)) for one in value) or (len(kinds) > 1 and not categorical):
            raise RefusedError(value)
        for i, one in enumerate(value):
            placed = f"{name}[{i}]" if kinds == {False} and not categorical else name
            for inner, _, _, x in cell(placed, one, None, categorical):
                yield inner, space, group, x
    elif isinstance(value, str):
        boolean = categorical and value in ("true", "True", "TRUE", "false", "False", "FALSE")
        if value:
            yield f"{name}={value.capitalize() if boolean else value}", space, group, 1.0
    elif categorical and value is not None:
        yield f"{name}={spelled(value)}", space, group, 1.0
    elif value is not None and number(value) != 0:
        yield name, space, group, number(value)


def spelled(value: Any) -> str:
    if isinstance(value, float) and abs(value) == float("inf"):
        raise RefusedError(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def parse(data: bytes, chunk: int | None = None, max_rows: int = 1 << 40, **options: Any) -> dict[str, Any]:
    """All of a text through the parser, given `chunk` bytes more at a time."""
    parser = JsonParser(**options)
    parts, offset = [], 0
    given = min(len(data), chunk or len(data))
    while offset < len(data):
        final = given == len(data)
        part = parser.parse(data[:given], offset, final, max_rows)
        parts.append(part)
        offset += part.consumed
        if part.stopped:
            break
        given = min(len(data), given + (chunk or len(data)))
    return {
        "keys": [key for part in parts for key in part.keys.tolist()],
        "values": [value for part in parts for value in part.values.tolist()],
        "sizes": [size for part in parts for size in np.diff(part.starts).tolist()],
        "y": [y for part in parts for y in part.y.tolist()],
        "weight": [w for part in parts if part.weight is not None for w in part.weight.tolist()],
        "names": [name for part in parts for name in part.names or ()],
        "groups": [group for part in parts if part.groups is not None for group in part.groups.tolist()],
        "ids": [part.ids for part in parts],
        "lines": sum(part.lines for part in parts),
        "skipped": sum(part.skipped for part in parts),
        "bad": [(bad.fault.name, bad.line, bad.column) for part in parts for bad in part.bad_lines],
        "classes": parser.classes,
        "met": parser.columns_met,
    }
