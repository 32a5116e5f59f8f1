"""Labelled points, all at once in memory, from whatever `read` takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit._core import Points
from afterwit.errors import DataError, quoted
from afterwit.protocols import Labels, Wants
from afterwit.streams import read
from afterwit.streams.arrays import NAMED, check_values

#: Below this the square of a length would be nothing.
SHORTEST = 1e-100


@dataclass(frozen=True)
class LabelledPoints:
    """Points that a hyperplane through the origin is to separate; with an intercept each has a last feature, 1.

    `remark` is what is odd about them, and `hopeless` whether for this nothing can separate them.
    """

    native: Points
    labels: npt.NDArray[np.float64]
    features: tuple[str, ...]
    intercept: bool
    remark: str | None = None
    hopeless: bool = False

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.labels)

    @property
    def longest(self) -> float:
        """The length of the longest point, the intercept's 1 included."""
        return self.native.longest


def points_of(source: Any, y: Any = None, *, target: str | None = None, intercept: bool = False) -> LabelledPoints:
    """Reads them all; raises `DataError` where there are none, or one cannot be read.

    >>> points_of(np.array([[0.0, 2.0], [3.0, 0.0]]), [1, -1]).features
    ('0', '1')
    """
    given: dict[str, Any] = {name: value for name, value in (("y", y), ("target", target)) if value is not None}
    if hasattr(source, "batches") and given:
        raise DataError(f"{next(iter(given))} goes with what is to be read, and this is a stream: give it to `read`")
    stream = source if hasattr(source, "batches") else read(source, **given)
    shape: tuple[int, ...] = getattr(source, "shape", ())
    known = int(shape[1]) if len(shape) == 2 and not hasattr(source, "columns") else None
    names, keys, values, lengths, labels = _gathered(stream)
    if not len(labels):
        raise DataError("there are no points to separate", source=stream.description)
    columns, features = _columns(keys, names, known)
    if intercept:
        ends = np.cumsum(lengths)
        columns, values = np.insert(columns, ends, len(features)), np.insert(values, ends, 1.0)
        lengths = lengths + 1
    columns, values, lengths = _ordered(columns, values, lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    native = Points(columns, values, starts, labels, len(features) + intercept)
    remark, hopeless = _remark(native, labels)
    if not hopeless and native.longest < SHORTEST:
        raise DataError(f"all points are shorter than {SHORTEST:g}; multiply them by a large number")
    return LabelledPoints(native, labels, features, intercept, remark, hopeless)


def _gathered(stream: Any) -> tuple[dict[int, str], Any, Any, Any, Any]:
    """The names of the features by key, and the keys, values and lengths of all rows, and their labels."""
    names: dict[int, str] = {}
    keys, values, lengths, labels = [np.zeros(0, np.uint64)], [np.zeros(0)], [np.zeros(0, np.int64)], [np.zeros(0)]
    rows = 0
    for batch in stream.batches(Labels("binary"), wants=Wants(names=True)):
        check_values(batch, stream.description, rows + 1)
        different, first = np.unique(batch.keys, return_index=True)
        called = batch.names
        names |= {
            key: called[i] if called is not None else str(key)
            for key, i in zip(different.tolist(), first.tolist(), strict=True)
            if key not in names
        }
        keys.append(np.array(batch.keys, dtype=np.uint64))
        values.append(np.array(batch.values, dtype=np.float64))
        lengths.append(np.diff(batch.starts))
        labels.append(np.array(batch.y))
        rows += len(batch)
    return names, np.concatenate(keys), np.concatenate(values), np.concatenate(lengths), np.concatenate(labels)


def _columns(keys: Any, names: dict[int, str], known: int | None) -> tuple[Any, tuple[str, ...]]:
    """The column of each key: numbers in their order, then names as they came."""
    if known is not None:
        return keys.astype(np.uint32), tuple(map(str, range(known)))
    numbers = sorted(key for key in names if key < NAMED)
    order = [*numbers, *(key for key in names if key >= NAMED)]
    place = np.empty(len(order), dtype=np.uint32)
    ascending = np.argsort(np.array(order, dtype=np.uint64))
    place[np.arange(len(order))] = ascending
    found = np.searchsorted(np.array(order, dtype=np.uint64)[ascending], keys)
    return place[found].astype(np.uint32), tuple(names[key] for key in order)


def _ordered(columns: Any, values: Any, lengths: Any) -> tuple[Any, Any, Any]:
    """Each row's columns once and in their order; what is there twice is added up."""
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = row * (int(columns.max(initial=0)) + 1) + columns
    if (np.diff(place) > 0).all():
        return columns.astype(np.uint32), values, lengths
    order = np.argsort(place, kind="stable")
    first = np.flatnonzero(np.concatenate([[True], np.diff(place[order]) > 0]))
    kept = order[first]
    return (
        columns[kept].astype(np.uint32),
        np.add.reduceat(values[order], first),
        np.bincount(row[kept], minlength=len(lengths)).astype(np.int64),
    )


def _remark(native: Points, labels: npt.NDArray[np.float64]) -> tuple[str | None, bool]:
    """What is odd about the points, and whether nothing separates them for it."""
    found: Any = native.conflict()
    if found is not None:
        i, j = found
        if i == j:
            return f"point {i + 1} is all zeros, which lies on every hyperplane through the origin", True
        if labels[i] != labels[j]:
            return f"points {i + 1} and {j + 1} are the same, with both labels", True
        return f"points {i + 1} and {j + 1} are opposite, with the same label", True
    if len(labels) == 1:
        return "there is one point alone, which separates itself", False
    if (labels == labels[0]).all():
        return f"all labels are {quoted(f'{labels[0]:+g}')}: what is sought has all points on one side", False
    return None, False
