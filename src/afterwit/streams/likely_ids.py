"""Columns that look like ids: to learn them is to learn the rows by heart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from afterwit._core import group_of_name, key_of_name
from afterwit.protocols import Batch, Wants

#: Fewer rows tell nothing, and more columns are not looked at.
LEAST_ROWS, MOST_COLUMNS = 100, 1000
_ALMOST = 0.98


def columns_to_look_at(columns: Sequence[str] | None, wants: Wants) -> list[str]:
    """Those of features that may be ids: texts and dates are different in every row, too."""
    if columns is None or len(columns) > MOST_COLUMNS:
        return []
    return [name for name in columns if wants.reads(name) and name not in (*wants.text, *wants.dates)]


def likely_ids(batch: Batch, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns whose words differ in almost every row, or whose numbers count the rows; `batch` has its groups."""
    if len(batch) < LEAST_ROWS or batch.groups is None:
        return ()
    order = np.argsort(batch.groups, kind="stable")
    groups, keys, values = batch.groups[order], batch.keys[order], batch.values[order]
    found = []
    for name in columns:
        group = np.uint64(group_of_name(name))
        first, end = (int(np.searchsorted(groups, group, side)) for side in ("left", "right"))
        own = keys[first:end] == np.uint64(key_of_name(name))
        words, numbers = keys[first:end][~own], values[first:end][own]
        if _differ(words, len(batch)) or _count(numbers, len(batch)):
            found.append(name)
    return tuple(found)


def _differ(words: np.ndarray[tuple[int], np.dtype[np.uint64]], rows: int) -> bool:
    return _ALMOST * rows <= len(words) <= rows and len(np.unique(words)) >= _ALMOST * len(words)


def _count(numbers: np.ndarray[tuple[int], np.dtype[np.float64]], rows: int) -> bool:
    steps = np.diff(numbers)
    return len(numbers) >= rows - 1 and max(np.sum(steps == 1.0), np.sum(steps == -1.0)) >= _ALMOST * len(steps)
