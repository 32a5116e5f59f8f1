"""Importance weights that come as an array or a column, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import DataError, quoted
from afterwit.numbers import real_array


def weights(weight: Any, rows: int, source: str = "weight", first_row: int = 1) -> npt.NDArray[np.float64] | None:
    """Importance weights as an array, checked; None is one each."""
    if weight is None:
        return None
    try:
        out = real_array("weight", weight)
    except DataError:
        for row, one in enumerate(weight if isinstance(weight, (list, tuple, np.ndarray)) else ()):
            if isinstance(one, str) and not _is_number(one):
                message = f"the weight is {quoted(one)}, expected a finite number, 0 or more"
                raise DataError(message, source=f"{source}, row {first_row + row}") from None
        raise
    if out.shape != (rows,):
        raise DataError(f"weight has the shape {out.shape}, expected ({rows},): one per row")
    bad = ~((out >= 0.0) & (out <= np.finfo(np.float32).max))
    if bad.any():
        row = int(np.argmax(bad))
        raise DataError(
            f"the weight is `{out[row]:g}`, expected a finite number, 0 or more, at most 3.4028234e38",
            source=f"{source}, row {first_row + row}",
        )
    return out


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
