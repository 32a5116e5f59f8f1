"""Tables of Arrow arrays: PyArrow's, Polars', and whatever else has `__arrow_c_stream__`. No text in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit._core import Column, category_column, number_column, string_column
from afterwit.errors import DataError, quoted
from afterwit.streams.blocks import Block, KnownCategories, LabelColumn, Strings, checked_names, refuse


def import_pyarrow(what: str) -> Any:
    """The package, or a sentence that says how to get it."""
    try:
        import pyarrow
    except ImportError:
        raise DataError(f"{what} needs the package `pyarrow`: pip install 'afterwit[arrow]'") from None
    return pyarrow


class ArrowBlock:
    """Rows of a record batch."""

    def __init__(self, batch: Any, first_row: int, source: str, known: KnownCategories) -> None:
        self.rows, self.first_row = batch.num_rows, first_row
        self._batch, self._source, self._known = batch, source, known

    def columns(self, name: str, splits: bool) -> list[Column]:
        return [arrow_column(name, self._batch.column(name), splits, self._source, self._known)]

    def labels(self, name: str) -> LabelColumn:
        return arrow_labels(name, self._batch.column(name), self._source)


class Pieces:
    """Record batches cut where they are asked to be; those of a reader go on where they stopped."""

    def __init__(self, batches: Iterator[Any], at: int = 0) -> None:
        self._batches, self._at = batches, at
        self._rest: Any = None

    def between(self, start: int, stop: int | None, most: int) -> Iterator[tuple[Any, int]]:
        """The rows from `start` to `stop`, at most so many at once, each with the number of rows before."""
        while stop is None or self._at < stop:
            batch = self._rest if self._rest is not None else next(self._batches, None)
            if batch is None:
                return
            skip = max(0, start - self._at)
            end = min(max(skip, 0) + most, batch.num_rows)
            if stop is not None:
                end = min(end, stop - self._at)
            self._rest = batch.slice(end) if end < batch.num_rows else None
            before, self._at = self._at + skip, self._at + end
            if skip < end:
                yield batch.slice(skip, end - skip), before


class ArrowTable:
    """A PyArrow table, record batch or reader, a Polars data frame, or any exporter of an Arrow stream."""

    crc = 0

    def __init__(self, table: Any) -> None:
        pa = import_pyarrow("an Arrow table")
        self.kind = f"{type(table).__module__.partition('.')[0]} {type(table).__name__}"
        self.name = type(table).__name__
        if isinstance(table, pa.RecordBatch):
            table = pa.Table.from_batches([table])
        columns = getattr(table, "columns", None)
        for name in columns if isinstance(columns, list) else []:
            # Polars ends the process when it exports such a name.
            if isinstance(name, str) and "\0" in name:
                raise DataError(f"column {quoted(name)} has a zero byte in its name; rename it", source=self.name)
        self._pa, self._table, self._known = pa, table, KnownCategories()
        self.rereadable = not isinstance(table, pa.RecordBatchReader)
        self._once = None if self.rereadable else Pieces(iter(table))
        self.columns = checked_names(self._reader().schema.names, self.name)

    @property
    def size(self) -> int | None:
        return len(self._table) if hasattr(self._table, "__len__") else None

    def blocks(self, names: list[str], most: int, start: int = 0, stop: int | None = None) -> Iterator[Block]:
        pieces = self._once or Pieces(iter(self._reader()))
        for batch, before in pieces.between(start, stop, most):
            yield ArrowBlock(batch, before + 1, self.name, self._known)

    def _reader(self) -> Any:
        if not self.rereadable:
            return self._table
        if isinstance(self._table, self._pa.Table):
            return self._table.to_reader()
        try:
            return self._pa.RecordBatchReader.from_stream(self._table)
        except (self._pa.ArrowException, TypeError, ValueError) as error:
            raise DataError(f"the Arrow stream is not a table: {error}", source=self.name) from error


def arrow_column(name: str, array: Any, splits: bool, source: str, known: KnownCategories) -> Column:
    """An Arrow array as a column of the core."""
    pa = import_pyarrow("an Arrow table")
    kind = array.type
    if pa.types.is_dictionary(kind):
        if not _is_string(kind.value_type):
            return arrow_column(name, array.dictionary_decode(), splits, source, known)
        texts = array.dictionary
        codes = array.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
        categories = known.get(name, splits, _identity(texts), texts, lambda: _strings(texts, pa))
        assert categories is not None  # strings have texts
        return category_column(name, codes, categories)
    if _is_string(kind):
        return string_column(name, *_strings(array, pa), splits)
    if not _is_number(kind, pa):
        refuse(name, kind, source)
    return number_column(name, _numbers(array, pa))


def arrow_labels(name: str, array: Any, source: str) -> LabelColumn:
    """An Arrow array as labels."""
    pa = import_pyarrow("an Arrow table")
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    missing = array.is_null(nan_is_null=True).to_numpy(zero_copy_only=False) if len(array) else None
    if _is_string(array.type):
        return array.to_pylist(), missing
    if not _is_number(array.type, pa):
        refuse(name, array.type, source)
    if pa.types.is_integer(array.type) and not array.null_count:
        return array.to_numpy(zero_copy_only=False), None
    return _numbers(array, pa), missing


def _is_string(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


def _is_number(kind: Any, pa: Any) -> bool:
    types = pa.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_null(kind))


def _numbers(array: Any, pa: Any) -> npt.NDArray[np.float64]:
    """As doubles, rounded where a whole number is above 2^53; a NaN where there is none."""
    if pa.types.is_floating(array.type):
        return np.ascontiguousarray(array.to_numpy(zero_copy_only=False), dtype=np.float64)
    doubles = array.cast(pa.float64(), safe=False)
    return np.ascontiguousarray(doubles.to_numpy(zero_copy_only=False), dtype=np.float64)


def _strings(array: Any, pa: Any) -> Strings:
    if str(array.type) == "string_view":
        array = array.cast(pa.large_string())
    _, offsets, data = array.buffers()
    size = len(array)
    missing = array.is_null().to_numpy(zero_copy_only=False).astype(np.uint8) if array.null_count else None
    if not size or offsets is None:
        return np.zeros(size + 1, np.int64), np.zeros(0, np.uint8), missing
    width = np.dtype(np.int64 if str(array.type) == "large_string" else np.int32)
    own = np.frombuffer(offsets, width)[array.offset : array.offset + size + 1]
    texts = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return own.astype(np.int64), texts, missing


def _identity(array: Any) -> tuple[Any, ...]:
    """Where an array lies in memory: two of one place are the same."""
    places = tuple(None if buffer is None else buffer.address for buffer in array.buffers())
    return (array.offset, len(array), places)
