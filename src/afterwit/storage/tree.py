"""Plain data as JSON, exactly: what JSON lacks is a dict with one key that begins with `$`.

    {"$array": i}                 the i-th array of the file
    {"$number": [dtype, hex]}     a numpy scalar, as its little-endian bytes
    {"$tuple": [...]}             a tuple
    {"$float": hex}               inf or NaN, as its 8 big-endian bytes
    {"$int": hex}                 an int of more than 1024 bits
    {"$dict": {...}}              a dict with one key that begins with `$`

Strings may contain lone surrogates, as names of bytes that are not UTF-8 do.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.registry import plain
from afterwit.registry.plain import Path
from afterwit.storage import arrays

_DEEPEST = plain.DEEPEST + 8  # the tree of a model has a few levels of its own
_LONGEST_INT = 1024  # bits
_DIGITS = 400


def to_json(value: Any, found: list[npt.NDArray[Any]], path: Path = "content", depth: int = 0) -> Any:
    """What `json` can write; the arrays are appended to `found`.

    >>> to_json({"a": (1, np.inf), "b": [np.zeros(2)]}, [])
    {'a': {'$tuple': [1, {'$float': '7ff0000000000000'}]}, 'b': [{'$array': 0}]}
    """
    kind = type(value)
    if kind is float and not math.isfinite(value):
        return {"$float": struct.pack(">d", value).hex()}
    if kind is int and value.bit_length() > _LONGEST_INT:
        return {"$int": hex(value)}
    if kind in plain.LEAVES:
        return value
    if plain.is_number(value):
        if kind is np.ndarray:
            found.append(value)
            return {"$array": len(found) - 1}
        return {"$number": [arrays.code(value.dtype), arrays.little(np.asarray(value)).tobytes().hex()]}
    if kind not in (list, tuple, dict):
        raise plain.not_plain(path, value)
    plain.check_depth(path, depth, _DEEPEST)
    if kind is dict:
        plain.check_keys(path, value)
        named = {k: to_json(v, found, (path, k), depth + 1) for k, v in value.items()}
        return {"$dict": named} if _marked(value) else named
    items = [to_json(v, found, (path, i), depth + 1) for i, v in enumerate(value)]
    return {"$tuple": items} if kind is tuple else items


def from_json(value: Any, take: Callable[[Any], npt.NDArray[Any]], depth: int = 0) -> Any:
    """Undoes `to_json`; `take(i)` gives the i-th array. Raises ValueError at what `to_json` does not write."""
    if type(value) not in (dict, list):
        return value
    if depth > _DEEPEST:
        raise ValueError(f"its content is nested more than {_DEEPEST} deep")
    if type(value) is list:
        return [from_json(v, take, depth + 1) for v in value]
    if not _marked(value):
        return {k: from_json(v, take, depth + 1) for k, v in value.items()}
    ((marker, inner),) = value.items()
    if marker == "$array":
        return take(inner)
    if marker == "$tuple" and type(inner) is list:
        return tuple([from_json(v, take, depth + 1) for v in inner])
    if marker == "$dict" and type(inner) is dict and _marked(inner):
        return {k: from_json(v, take, depth + 1) for k, v in inner.items()}
    if marker == "$float" and type(inner) is str and len(data := bytes.fromhex(inner)) == 8:
        return float(struct.unpack(">d", data)[0])
    if marker == "$int" and type(inner) is str:
        return int(inner, 16)
    if marker == "$number" and type(inner) is list and len(inner) == 2 and type(inner[1]) is str:
        return arrays.scalar(inner[0], bytes.fromhex(inner[1]))
    raise ValueError(f"its content has an unknown or wrong mark `{ascii(marker[:20])[1:-1]}`")


def dumps(header: dict[str, Any]) -> bytes:
    """The header's bytes: no spaces, keys in their order."""
    text = json.dumps(header, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def loads(data: bytes) -> dict[str, Any]:
    """The header of these bytes, or ValueError."""
    try:
        header = json.loads(data.decode("utf-8", "surrogatepass"), parse_int=_int, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("its header is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"its header is not JSON ({error})") from None
    if type(header) is not dict:
        raise ValueError("its header is not a JSON object")
    return header


def _marked(value: dict[str, Any]) -> bool:
    return len(value) == 1 and next(iter(value)).startswith("$")


def _int(digits: str) -> int:
    """Reading a decimal number takes time that grows with the square of its digits."""
    if len(digits) > _DIGITS:
        raise ValueError(f"a number has {len(digits)} digits")
    return int(digits)


def _no_constant(word: str) -> None:
    raise ValueError(f"`{word}` is not a number")
