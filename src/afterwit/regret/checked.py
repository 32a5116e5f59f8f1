"""Arguments of the bounds, checked."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.numbers import real_array

Array = npt.NDArray[np.float64]


def positive(name: str, value: float) -> float:
    """A number above 0."""
    if not (isinstance(value, Real) and 0.0 < value < math.inf):
        raise ValueError(f"{name} is `{value!r}`, expected a positive number")
    return float(value)


def at_least_zero(name: str, value: float) -> float:
    """A number, 0 or more."""
    if not (isinstance(value, Real) and 0.0 <= value < math.inf):
        raise ValueError(f"{name} is `{value!r}`, expected a finite number, 0 or more")
    return float(value)


def whole(name: str, value: int, least: int = 0) -> int:
    """A whole number."""
    if not (isinstance(value, Integral) and value >= least):
        raise ValueError(f"{name} is `{value!r}`, expected a whole number, {least} or more")
    return int(value)


def fraction(name: str, value: float) -> float:
    """A number in (0, 1]."""
    if not (isinstance(value, Real) and 0.0 < value <= 1.0):
        raise ValueError(f"{name} is `{value!r}`, expected a number above 0 and at most 1")
    return float(value)


def numbers(name: str, values: npt.ArrayLike, size: int | None = None) -> Array:
    """Numbers of 0 or more, one per expert or feature."""
    out = real_array(name, values)
    if out.ndim != 1:
        raise ValueError(f"{name} has {out.ndim} dimensions, expected 1")
    if size is not None and len(out) != size:
        raise ValueError(f"{name} has {len(out)} entries, expected {size}")
    bad = ~((out >= 0.0) & (out < np.inf))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"{name}[{i}] is `{out[i]:g}`, expected a finite number, 0 or more")
    return out


def distribution(name: str, values: Any, size: int | None = None) -> Array:
    """Numbers of 0 or more that sum to 1."""
    out = numbers(name, values, size)
    if abs(out.sum() - 1.0) > 1e-9:
        raise ValueError(f"{name} sums to `{out.sum():g}`, expected 1")
    return out
