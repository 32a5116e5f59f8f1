"""The arrays of a file: where they are, their bytes, and reading them back without trusting anything."""

from __future__ import annotations

import math
from collections.abc import Iterator
from io import BufferedReader
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.registry.plain import NUMBERS

ALIGNMENT = 64
_DIMENSIONS = 32
_CODES = frozenset(("|" if number.endswith("1") else "<") + number for number in NUMBERS)


def aligned(position: int) -> int:
    """The next multiple of 64.

    >>> aligned(0), aligned(1), aligned(64)
    (0, 64, 64)
    """
    return -(-position // ALIGNMENT) * ALIGNMENT


def code(dtype: np.dtype[Any]) -> str:
    """The name of a dtype in a file, always little-endian."""
    return str(dtype.newbyteorder("<").str)


def little(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in one run of little-endian numbers, without a copy where it is so already."""
    flat = (array.T if _fortran(array) else array).reshape(-1)
    return np.ascontiguousarray(flat, dtype=flat.dtype.newbyteorder("<"))


def entries(arrays: list[npt.NDArray[Any]]) -> list[dict[str, Any]]:
    """What the header says of each array."""
    listed, offset = [], 0
    for array in arrays:
        entry = {"dtype": code(array.dtype), "shape": list(array.shape), "offset": offset}
        listed.append(entry | {"order": "F"} if _fortran(array) else entry)
        offset = aligned(offset + array.nbytes)
    return listed


def chunks(arrays: list[npt.NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """The bytes of the arrays, each followed by zeros up to a multiple of 64."""
    for array in arrays:
        if array.size:
            yield little(array).view(np.uint8).data
            yield bytes(aligned(array.nbytes) - array.nbytes)


def read(file: BufferedReader, listed: Any, start: int, end: int) -> list[npt.NDArray[Any]]:
    """The arrays, which must fill the file from `start` to `end`; raises ValueError before it takes memory for more."""
    if type(listed) is not list:
        raise ValueError("its list of arrays is not a list")
    offset, layouts = 0, []
    for entry in listed:
        dtype, shape, order = _layout(entry)
        if type(entry["offset"]) is not int or entry["offset"] != offset:
            raise ValueError(f"an array is not at its place {offset}")
        size = math.prod(shape) * dtype.itemsize
        offset = aligned(offset + size)
        if start + offset > end:
            raise ValueError("an array is longer than the file")
        layouts.append((dtype, shape, order, size))
    if start + offset != end:
        raise ValueError(f"its arrays take {offset} bytes, but {end - start} are there")
    return [_fill(file, *layout) for layout in layouts]


def scalar(name: Any, data: bytes) -> np.generic:
    """The numpy scalar of these bytes, or ValueError."""
    dtype = _dtype(name)
    if len(data) != dtype.itemsize:
        raise ValueError(f"a number of {dtype.itemsize} bytes has {len(data)}")
    number: np.generic = _checked(np.frombuffer(data, dtype))[0]
    return number


def _layout(entry: Any) -> tuple[np.dtype[Any], tuple[int, ...], str]:
    if type(entry) is not dict or set(entry) - {"order"} != {"dtype", "shape", "offset"}:
        raise ValueError("an array is not described by dtype, shape and offset")
    shape, order = entry["shape"], entry.get("order", "C")
    if type(shape) is not list or len(shape) > _DIMENSIONS:
        raise ValueError(f"the shape of an array is not a list of at most {_DIMENSIONS} numbers")
    if not all(type(n) is int and 0 <= n < 1 << 62 for n in shape):
        raise ValueError("the shape of an array is not made of counts")
    if order not in ("C", "F"):
        raise ValueError("the order of an array is neither C nor F")
    return _dtype(entry["dtype"]), tuple(shape), order


def _dtype(name: Any) -> np.dtype[Any]:
    if type(name) is not str or name not in _CODES:
        raise ValueError(f"`{ascii(name)[:40]}` is not a type of numbers")
    return np.dtype(name)


def _fortran(array: npt.NDArray[Any]) -> bool:
    return bool(array.flags.f_contiguous and not array.flags.c_contiguous)


def _fill(
    file: BufferedReader, dtype: np.dtype[Any], shape: tuple[int, ...], order: Any, size: int
) -> npt.NDArray[Any]:
    array = np.empty(shape, dtype, order)
    if size:
        flat = (array.T if order == "F" else array).reshape(-1)
        if file.readinto(flat.view(np.uint8).data) != size:
            raise ValueError("it became shorter while it was read")
        file.seek(aligned(size) - size, 1)
        _checked(flat)
    return array.astype(dtype.newbyteorder("="), order="K", copy=False)


def _checked(flat: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A bool of another byte than 0 or 1 is neither true nor false."""
    if flat.dtype == np.bool_ and flat.view(np.uint8).max(initial=0) > 1:
        raise ValueError("a bool is neither 0 nor 1")
    return flat.astype(flat.dtype.newbyteorder("="), copy=False)
