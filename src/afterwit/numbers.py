"""Numbers that come as arrays, columns, lists or alone: real ones, or a sentence that says why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import DataError

#: Complex numbers, durations, dates, and records, which may hold any of them.
_NOT_REAL = ("c", "m", "M", "V")
#: Beyond this a loss might overflow.
LARGEST = 1e100


def real_array(name: str, values: Any) -> npt.NDArray[np.float64]:
    """The values as doubles; refuses what NumPy would take silently: complex numbers, dates, and what is masked.

    >>> real_array("losses", np.array([0.5, 1 + 2j]))
    Traceback (most recent call last):
    ...
    afterwit.errors.DataError: losses is not an array of numbers: its dtype is `complex128`, expected real numbers
    """
    try:
        # First, because one long word in a list would make all entries of an array as long.
        doubles = np.asarray(values, dtype=np.float64) if isinstance(values, (list, tuple)) else None
        found = unmasked(name, values)
        if found.dtype.kind in _NOT_REAL:
            raise TypeError(f"its dtype is `{found.dtype}`, expected real numbers")
        if found.dtype.kind == "O":
            for value in found.flat:
                _check_real(value)
        doubles = np.asarray(found, dtype=np.float64) if doubles is None else doubles
        return doubles if doubles.flags.aligned else doubles.copy()
    except DataError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{name} is not an array of numbers: {error}") from None


def unmasked(name: str, values: Any) -> npt.NDArray[Any]:
    """The values as an array of any kind; refuses what is masked, and mappings, of which NumPy may take the keys."""
    rows = values if isinstance(values, (list, tuple)) else [values]
    for kind in set(map(type, rows)):
        if issubclass(kind, Mapping):
            raise DataError(f"{name} is not an array of numbers: a `{kind.__name__}` is a mapping")
        if issubclass(kind, np.ma.MaskedArray) and any(np.ma.is_masked(row) for row in rows if type(row) is kind):
            raise DataError(f"{name} has masked entries; fill them in, as `.filled(0)` does")
    try:
        return np.asarray(values)
    except ValueError as error:
        raise DataError(f"{name} is not an array of numbers: {error}") from None


def real(value: Any) -> float:
    """What `float` makes of a value, but for the complex numbers, dates and masked entries of NumPy."""
    _check_real(value)
    return float(value)


def real_range(name: str, given: Any, *, positive: bool = False) -> tuple[float, float]:
    """The smallest and the largest number that losses or forecasts may be.

    >>> real_range("loss_range", [0, 2])
    (0.0, 2.0)
    """
    try:
        low, high = map(float, given)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is `{given!r}`, expected (smallest, largest)") from None
    if not (1.0 / LARGEST if positive else -LARGEST) <= low < high <= LARGEST or not high - low > 1.0 / LARGEST:
        raise ValueError(
            f"{name} is `({low:g}, {high:g})`, expected two finite numbers{' above 0' if positive else ''}, the "
            f"smaller one first, no larger than {LARGEST:g} and at least {1.0 / LARGEST:g} apart"
        )
    return low, high


def _check_real(value: Any) -> None:
    masked = isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value)
    if masked or getattr(getattr(value, "dtype", None), "kind", None) in _NOT_REAL:
        raise TypeError(f"`{value!r}` is not a real number")


def positive(name: str, value: float) -> float:
    """The setting, if it is a positive number of a size that no step can leave the doubles with."""
    if not (isinstance(value, (int, float)) and 1e-38 <= value <= 1e38):
        raise ValueError(f"{name} is `{value!r}`, expected a positive number from 1e-38 to 1e38")
    return float(value)


def whole(name: str, value: int, least: int, most: int) -> int:
    """The setting, if it is a whole number of this range."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        limit = "2^64 - 1" if most == (1 << 64) - 1 else str(most)
        raise ValueError(f"{name} is `{value!r}`, expected a whole number from {least} to {limit}")
    return value


def boolean(name: str, value: bool) -> bool:
    """The setting, if it is True or False: a word such as "no" would be true."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is `{value!r}`, expected True or False")
    return bool(value)
