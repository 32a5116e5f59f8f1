"""Pandas data frames, through NumPy: PyArrow is used only where a column already is PyArrow's."""

from __future__ import annotations

import sys
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
    split_objects,
    string_column,
    time_column,
)
from afterwit.errors import DataError, quoted
from afterwit.streams.arrow_tables import arrow_columns
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

NAME = "DataFrame"


def is_frame(X: Any) -> bool:
    """Whether X is a pandas data frame; pandas is not imported for it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


class PandasTable:
    """A pandas data frame; its index is no column."""

    kind = "pandas DataFrame"
    name = NAME
    rereadable = True
    crc = 0

    def __init__(self, frame: Any) -> None:
        self.columns = checked_names(list(frame.columns), NAME)
        self._series = {name: frame.iloc[:, i] for i, name in enumerate(self.columns)}
        self._rows = len(frame)
        self._known = KnownCategories()

    @property
    def size(self) -> int | None:
        return self._rows

    def blocks(self, names: list[str], most: int, start: int = 0, stop: int | None = None) -> Iterator[Block]:
        end = self._rows if stop is None else min(stop, self._rows)
        for first in range(start, end, most):
            yield PandasBlock(self._series, first, min(first + most, end), self._known)


class PandasBlock:
    """The rows `first` to `last` of a data frame."""

    def __init__(self, series: dict[str, Any], first: int, last: int, known: KnownCategories) -> None:
        self.rows, self.first_row = last - first, first + 1
        self._all, self._first, self._last, self._known = series, first, last, known

    def columns(self, name: str, rules: CellRules) -> list[Column]:
        cells, use = self._cells(name), rules.use(name)
        if str(cells.dtype) == "category":
            if use != CellUse.date and (column := self._categories(name, rules, cells)) is not None:
                return [column]
            if rules.rules > 1 and (use != CellUse.plain or not _is_number(cells.dtype)):
                cells = cells.astype(object) if _is_number(cells.dtype) else cells.astype(cells.dtype.categories.dtype)
        if getattr(cells.dtype, "storage", None) == "pyarrow" or (rules.rules > 1 and _is_arrow(cells.dtype)):
            arrow = cells.array.__arrow_array__()
            chunks = arrow.combine_chunks() if hasattr(arrow, "combine_chunks") else arrow
            return arrow_columns(name, chunks, rules, NAME, self._known)
        if _is_number(cells.dtype):
            return [_number_column(name, cells, rules)]
        if rules.rules > 1 and cells.dtype.kind == "M":
            times, per_day = _times(cells)
            return [time_column(name, times, per_day, rules)]
        return self._objects(name, rules, cells)

    def labels(self, name: str) -> LabelColumn:
        cells = self._cells(name)
        missing = cells.isna().to_numpy(dtype=bool)
        if _is_number(cells.dtype):
            return (_numbers(cells), missing) if missing.any() else (cells.to_numpy(), None)
        if cells.dtype.kind not in "OUT":
            refuse(name, cells.dtype, NAME)
        return list(cells), missing

    def texts(self, name: str) -> list[str]:
        cells = self._cells(name)
        pairs = zip(cells.tolist(), cells.isna().tolist(), strict=True)
        return ["" if missing else str(cell) for cell, missing in pairs]

    def _cells(self, name: str) -> Any:
        return self._all[name].iloc[self._first : self._last]

    def _categories(self, name: str, rules: CellRules, cells: Any) -> Column | None:
        """The codes of a column whose categories are all strings."""
        texts = cells.dtype.categories
        categories = self._known.get(name, rules, "", id(texts), texts, lambda: _texts(texts))
        if categories is None:
            return None
        return category_column(name, cells.cat.codes.to_numpy(dtype=np.int32), categories, rules)

    def _objects(self, name: str, rules: CellRules, cells: Any) -> list[Column]:
        """Strings and numbers as Python objects, cell by cell; where there are others, as the mappings {name: cell}."""
        if cells.dtype.kind not in "OUT":
            refuse(name, cells.dtype, NAME, *([SPAN] if cells.dtype.kind == "m" else []))
        objects = cells.to_numpy(dtype=object).tolist()
        empty = cells.isna().to_numpy(dtype=bool).astype(np.uint8)
        numbers, offsets, data, missing, bad = split_objects(objects, empty)
        has_numbers = not np.isnan(numbers).all()
        if rules.rules > 1 and (bad >= 0 or (has_numbers and rules.use(name) != CellUse.plain)):
            return [
                self._made(name, rules, [None if none else cell for cell, none in zip(objects, empty, strict=True)])
            ]
        if bad >= 0:
            raise DataError(
                f"the cell is {quoted(repr(objects[bad]))}, expected a number or a string; drop or convert it",
                source=f"{NAME}, row {self.first_row + bad}, column {quoted(name)}",
            )
        columns = [number_column(name, numbers, rules)] if has_numbers else []
        return columns if missing.all() else [*columns, string_column(name, offsets, data, missing, rules)]

    def _made(self, name: str, rules: CellRules, cells: list[Any]) -> Column:
        try:
            return made_column(name, *rows_of_mappings([{name: cell} for cell in cells], True, True, rules))
        except (TypeError, ValueError):
            for row, cell in enumerate(cells):
                try:
                    rows_of_mappings([{name: cell}], False, False, rules)
                except (TypeError, ValueError) as error:
                    told = isinstance(error, TypeError)
                    found = str(error) if told else f"the cell is {quoted(repr(cell))}; expected a number or a string"
                    message = found.replace(f"feature `{name}`", "the cell", 1)
                    place = f"{NAME}, row {self.first_row + row}, column {quoted(name)}"
                    raise DataError(f"{message}; drop or convert it", source=place) from None
            raise


def _number_column(name: str, cells: Any, rules: CellRules) -> Column:
    use = rules.use(name)
    if rules.rules > 1 and use == CellUse.date:
        refuse_numbers(name, cells.dtype, NAME)
    if rules.rules == 1 or use == CellUse.plain:
        return number_column(name, _numbers(cells), rules)
    missing = cells.isna().to_numpy(dtype=bool)
    if cells.dtype.kind == "f" or isinstance(cells.dtype, np.dtype):
        return spelled_column(name, _numbers(cells) if cells.dtype.kind == "f" else cells.to_numpy(), missing, rules)
    exact = {"b": bool, "i": np.int64, "u": np.uint64}[cells.dtype.kind]
    return spelled_column(name, cells.to_numpy(dtype=exact, na_value=exact(0)), missing, rules)


def _times(cells: Any) -> tuple[npt.NDArray[np.int64], int]:
    """Counted from 1970-01-01, in UTC where there is a zone, and how many a day has; the least number for none."""
    import pandas

    unit = getattr(cells.dtype, "unit", None) or np.datetime_data(cells.dtype)[0]
    return np.ascontiguousarray(pandas.DatetimeIndex(cells).asi8), DAY[unit]


def _is_arrow(kind: Any) -> bool:
    return hasattr(kind, "pyarrow_dtype")


def _is_number(kind: Any) -> bool:
    """Also of a category, by what its values are."""
    kind = getattr(getattr(kind, "categories", None), "dtype", kind)
    return kind.kind in "biuf"


def _texts(categories: Any) -> Strings | None:
    """The categories as strings; None if one is not."""
    if categories.dtype.kind not in "OUT":
        return None
    _, offsets, data, missing, bad = split_objects(list(categories), np.zeros(len(categories), np.uint8))
    return None if bad >= 0 or missing.any() else (offsets, data, None)


def _numbers(cells: Any) -> npt.NDArray[np.float64]:
    """As doubles, rounded where a whole number is above 2^53; a NaN where there is none."""
    if isinstance(cells.dtype, np.dtype):
        return np.ascontiguousarray(cells.to_numpy(), dtype=np.float64)
    return np.ascontiguousarray(cells.to_numpy(dtype=np.float64, na_value=np.nan))
