"""Rows from NumPy arrays, SciPy CSR matrices and sequences of dicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit._core import rows_of_mappings
from afterwit.errors import DataError
from afterwit.features import cell_rules
from afterwit.numbers import real_array, unmasked
from afterwit.protocols import NOTHING, Batch, Labels, Position, Wants
from afterwit.streams.labels import LabelReader, check_start, in_order
from afterwit.streams.tables import is_table, rows_of_table
from afterwit.streams.weights import weights as weights

FLOAT32 = np.finfo(np.float32).max
NAMED = 1 << 32  #: Keys from here on are of names, below they are numbers.


def rows_of(X: Any, *, wants: Wants = NOTHING, source: str = "X", first_row: int = 1) -> Batch:
    """All rows of X (a two-dimensional array, a CSR matrix, a table, a sequence of dicts, or a batch), without labels.

    `source` and the number of the first row are for errors.

    >>> rows_of(np.array([[0.0, 2.0], [3.0, 0.0]])).keys
    array([1, 0], dtype=uint64)
    """
    if isinstance(X, Batch):
        if wants.groups and X.groups is None and (X.keys >= NAMED).any():
            raise DataError(
                "the batch does not say which groups its features are in, as interactions, keep, ignore and text ask; "
                "a learner that hands batches on says what it wants: `wants = model.wants`"
            )
        return X
    if is_table(X):
        return rows_of_table(X, wants)
    if hasattr(X, "tocsr"):
        indices, data, starts = csr_arrays(X.tocsr())
        end = starts[-1]  # SciPy allows longer arrays
        if (indices[:end] < 0).any():
            raise DataError("indices has a negative column")
        return _batch(indices[:end].astype(np.uint64), real_array("X", data[:end]), starts)
    if _are_mappings(X):
        rows = [x if isinstance(x, dict) or not isinstance(x, Mapping) else dict(x) for x in X]
        batch = _batch(*rows_of_mappings(rows, wants.names, wants.groups, cell_rules(wants)))
        if not wants.names and not (np.abs(batch.values) <= FLOAT32).all():
            return rows_of(X, wants=replace(wants, names=True), source=source, first_row=first_row)  # to name it
        check_values(batch, source, first_row)
        return batch
    dense = real_array("X", X)
    if dense.ndim != 2:
        raise DataError(f"X has {dense.ndim} dimensions, expected rows and columns (for one row use predict_one)")
    row, column = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(dense)))])
    return _batch(column.astype(np.uint64), dense[row, column], starts)


def csr_arrays(X: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """The indices, data and indptr of a CSR matrix, each one run of numbers as the machine writes them."""
    arrays = {name: unmasked(name, getattr(X, name)) for name in ("indices", "data", "indptr")}
    for name in ("indices", "indptr"):
        if arrays[name].dtype.kind not in "iu":
            raise DataError(f"{name} has the dtype `{arrays[name].dtype}`, expected whole numbers")
        if arrays[name].dtype.itemsize < 4:
            arrays[name] = arrays[name].astype(np.int32)
    if arrays["indptr"].size == 0:
        raise DataError("indptr is empty, expected one more entry than rows")
    native = [np.require(a, a.dtype.newbyteorder("="), ["C", "A"]) for a in arrays.values()]
    return native[0], native[1], native[2]


def labelled(X: Any, y: Any, weight: Any, labels: Labels, *, wants: Wants = NOTHING) -> Batch:
    """All rows of X with their labels and importance weights; a batch keeps its own unless others are given."""
    batch = rows_of(X, wants=wants)
    if isinstance(X, Batch) and y is None:
        return batch
    if y is None:
        raise DataError("y is missing: learning needs one label per row")
    reader = LabelReader(labels, "y")
    numbers = reader.read(in_order(y), 1)
    if len(numbers) != len(batch):
        raise DataError(f"y has {len(numbers)} entries, expected {len(batch)} (one per row)")
    weight, classes = weights(weight, len(batch)), tuple(reader.classes)
    return replace(batch, y=numbers, weight=weight, classes=classes, labels=reader.decision)


def check_values(batch: Batch, source: str, first_row: int) -> None:
    """Refuses a value that is not a finite float32, with its place in the stream."""
    bad = ~(np.abs(batch.values) <= FLOAT32)
    if bad.any():
        i = int(np.argmax(bad))
        row = int(np.searchsorted(batch.starts, i, side="right")) - 1
        name = batch.names[i] if batch.names is not None else batch.keys[i]
        raise DataError(
            f"feature `{name}` is `{batch.values[i]:g}`, expected a finite number that fits a 32-bit float",
            source=f"{source}, row {first_row + row}",
        )


def as_dicts(batch: Batch) -> Iterator[dict[str, float]]:
    """The rows of a batch as dicts, for learners that know no other; features of one name are added up."""
    names = batch.names if batch.names is not None else [str(key) for key in batch.keys.tolist()]
    values, starts = batch.values.tolist(), batch.starts.tolist()
    for first, last in pairwise(starts):
        row: dict[str, float] = {}
        for name, value in zip(names[first:last], values[first:last], strict=True):
            row[name] = row.get(name, 0.0) + value
        yield row


class ArrayStream:
    """The rows of an array, a sparse matrix or a list of dicts, in order; to be learned, they need labels."""

    rereadable = True
    skipped = 0

    def __init__(self, X: Any, y: Any = None, weight: Any = None, batch_rows: int = 4096) -> None:
        self._batch_rows = batch_rows
        self._X = X.tocsr() if hasattr(X, "tocsr") else list(X) if _are_mappings(X) else unmasked("X", X)
        if hasattr(self._X, "indptr"):
            csr_arrays(self._X)  # SciPy's slices would drop a mask, and the fractions of indices
        dimensions = 2 if isinstance(self._X, list) else self._X.ndim
        if dimensions != 2:
            raise DataError(f"X has {dimensions} dimensions, expected rows and columns")
        rows = len(self._X) if isinstance(self._X, list) else self._X.shape[0]
        self._y = None if y is None else in_order(y)
        if self._y is not None and len(self._y) != rows:
            raise DataError(f"y has {len(self._y)} entries, expected {rows} (one per row)")
        self._weight = weights(weight, rows)
        self.description = f"{rows:,} rows in memory"
        self.size = rows

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        check_start(labels, start)
        if self._y is None and labels.kind != "none":
            raise DataError("y is missing: learning needs one label per row")
        given = np.zeros(self.size) if self._y is None else self._y
        reader = LabelReader(labels, "y")
        done = start.rows if start else 0
        if done > self.size:
            raise DataError(f"the input changed: it has {self.size} rows, and {done} were read before")
        if labels.kind == "classes":
            reader.read(given[:done], 1)
        reader.look(given)
        for first in range(done, self.size, self._batch_rows):
            last = min(first + self._batch_rows, self.size)
            rows = rows_of(self._X[first:last], wants=wants, first_row=first + 1)
            check_values(rows, "X", first + 1)
            y = reader.read(given[first:last], first + 1)
            weight = None if self._weight is None else self._weight[first:last]
            classes, position = tuple(reader.classes), Position(rows=last)
            yield replace(rows, y=y, weight=weight, classes=classes, position=position, labels=reader.decision)


def _are_mappings(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and (not X or isinstance(X[0], Mapping))


def _batch(keys: Any, values: Any, starts: Any, names: list[str] | None = None, groups: Any = None) -> Batch:
    return Batch(keys, values, np.asarray(starts, dtype=np.int64), np.zeros(0), names=names, groups=groups)
