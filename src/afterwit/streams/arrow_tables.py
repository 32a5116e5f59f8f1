"""Tables of Arrow arrays: PyArrow's, Polars', and whatever else has `__arrow_c_stream__`. No text in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit._core import (
    CellRules,
    CellUse,
    Column,
    category_column,
    made_column,
    number_column,
    rows_of_mappings,
    string_column,
    time_column,
)
from afterwit.errors import DataError, quoted
from afterwit.streams.blocks import (
    DAY,
    SPAN,
    Block,
    KnownCategories,
    LabelColumn,
    Strings,
    checked_names,
    refuse,
    refuse_numbers,
    spelled_column,
)


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

    def columns(self, name: str, rules: CellRules) -> list[Column]:
        return arrow_columns(name, self._batch.column(name), rules, self._source, self._known)

    def labels(self, name: str) -> LabelColumn:
        return arrow_labels(name, self._batch.column(name), self._source)

    def texts(self, name: str) -> list[str]:
        cells = self._batch.column(name).to_pylist()
        return ["" if cell is None or cell != cell else str(cell) for cell in cells]


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


def arrow_columns(
    name: str, array: Any, rules: CellRules, source: str, known: KnownCategories, space: str = ""
) -> list[Column]:
    """An Arrow array as columns of the core; a struct is a namespace, whose fields are columns in its `space`."""
    pa = import_pyarrow("an Arrow table")
    kind, use = array.type, CellUse.plain if space else rules.use(name)
    if pa.types.is_dictionary(kind):
        texts = array.dictionary
        if not _is_string(kind.value_type) or use == CellUse.date:
            plain = texts.cast(pa.large_string()) if _is_string(kind.value_type) else texts  # views cannot be taken
            return arrow_columns(name, plain.take(array.indices), rules, source, known, space)
        codes = array.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
        categories = known.get(name, rules, space, _identity(texts), texts, lambda: _strings(texts, pa))
        assert categories is not None  # strings have texts
        return [category_column(name, codes, categories, rules, space)]
    if _is_string(kind):
        return [string_column(name, *_strings(array, pa), rules, space)]
    if rules.rules > 1 and pa.types.is_struct(kind) and not space:
        fields = zip(checked_names([field.name for field in kind], source), array.flatten(), strict=True)
        return [
            column
            for field, cells in fields
            for column in arrow_columns(field, cells, rules, source, known, space=name)
        ]
    if rules.rules > 1 and (per_day := _per_day(kind, pa)) is not None:
        return [time_column(name, _times(array, pa), per_day, rules, space)]
    if rules.rules > 1 and (
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    ):
        return [_arrays(name, array, rules, source, space)]
    if not _is_number(kind, pa) and not (rules.rules > 1 and pa.types.is_decimal(kind)):
        spans = pa.types.is_duration(kind) or pa.types.is_time(kind)
        refuse(name, kind, source, *([SPAN] if spans else []))
    if use == CellUse.date and not pa.types.is_null(kind):
        refuse_numbers(name, kind, source)
    if rules.rules > 1 and use in (CellUse.category, CellUse.text):
        return [_spelled(name, array, rules, pa)]
    return [number_column(name, _numbers(array, pa), rules, space)]


def _arrays(name: str, array: Any, rules: CellRules, source: str, space: str) -> Column:
    """Arrays of words or numbers, as the mappings {name: array}."""
    rows = [{name: cell} for cell in array.to_pylist()]
    try:
        return made_column(
            name, *rows_of_mappings([{space: row} for row in rows] if space else rows, True, True, rules)
        )
    except TypeError as error:
        raise DataError(f"{error}; drop or convert it", source=f"{source}, column {quoted(name)}") from None


def _spelled(name: str, array: Any, rules: CellRules, pa: Any) -> Column:
    """Numbers and booleans as words."""
    missing = array.is_null().to_numpy(zero_copy_only=False)
    if pa.types.is_boolean(array.type) or pa.types.is_integer(array.type):
        zero = pa.scalar(0).cast(array.type)
        return spelled_column(name, array.fill_null(zero).to_numpy(zero_copy_only=False), missing, rules)
    return spelled_column(name, _numbers(array, pa), missing, rules)


def _per_day(kind: Any, pa: Any) -> int | None:
    """How many of its units a day has, of a type of dates or times; None for any other."""
    if pa.types.is_date32(kind):
        return 1
    if pa.types.is_date64(kind):
        return DAY["ms"]
    return DAY[kind.unit] if pa.types.is_timestamp(kind) else None


def _times(array: Any, pa: Any) -> npt.NDArray[np.int64]:
    """Counted from 1970-01-01, in UTC where it has a zone; the least number where there is none."""
    counted = array.cast(pa.int32()) if pa.types.is_date32(array.type) else array
    counted = counted.cast(pa.int64()).fill_null(np.iinfo(np.int64).min)
    return np.ascontiguousarray(counted.to_numpy(zero_copy_only=False), dtype=np.int64)


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
    if pa.types.is_decimal(array.type):  # as Python rounds them, which a cast does not
        texts = array.cast(pa.string()).to_pylist()
        return np.array([np.nan if text is None else float(text) for text in texts], dtype=np.float64)
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
