"""Pandas data frames, through NumPy: PyArrow is used only where a column already is PyArrow's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit._core import Column, category_column, number_column, split_objects, string_column
from afterwit.errors import DataError, quoted
from afterwit.streams.arrow_tables import arrow_column
from afterwit.streams.blocks import Block, KnownCategories, LabelColumn, Strings, checked_names, refuse

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

    def columns(self, name: str, splits: bool) -> list[Column]:
        cells = self._cells(name)
        if str(cells.dtype) == "category" and (column := self._categories(name, splits, cells)) is not None:
            return [column]
        if _is_number(cells.dtype):
            return [number_column(name, _numbers(cells))]
        if getattr(cells.dtype, "storage", None) == "pyarrow":
            arrow = cells.array.__arrow_array__()
            chunks = arrow.combine_chunks() if hasattr(arrow, "combine_chunks") else arrow
            return [arrow_column(name, chunks, splits, NAME, self._known)]
        return self._objects(name, splits, cells)

    def labels(self, name: str) -> LabelColumn:
        cells = self._cells(name)
        missing = cells.isna().to_numpy(dtype=bool)
        if _is_number(cells.dtype):
            return (_numbers(cells), missing) if missing.any() else (cells.to_numpy(), None)
        if cells.dtype.kind not in "OUT":
            refuse(name, cells.dtype, NAME)
        return list(cells), missing

    def _cells(self, name: str) -> Any:
        return self._all[name].iloc[self._first : self._last]

    def _categories(self, name: str, splits: bool, cells: Any) -> Column | None:
        """The codes of a column whose categories are all strings."""
        texts = cells.dtype.categories
        categories = self._known.get(name, splits, id(texts), texts, lambda: _texts(texts))
        if categories is None:
            return None
        return category_column(name, cells.cat.codes.to_numpy(dtype=np.int32), categories)

    def _objects(self, name: str, splits: bool, cells: Any) -> list[Column]:
        """Strings and numbers as Python objects, cell by cell."""
        if cells.dtype.kind not in "OUT":
            refuse(name, cells.dtype, NAME)
        objects = cells.to_numpy(dtype=object).tolist()
        empty = cells.isna().to_numpy(dtype=bool).astype(np.uint8)
        numbers, offsets, data, missing, bad = split_objects(objects, empty)
        if bad >= 0:
            raise DataError(
                f"the cell is {quoted(repr(objects[bad]))}, expected a number or a string; drop or convert it",
                source=f"{NAME}, row {self.first_row + bad}, column {quoted(name)}",
            )
        columns = [] if np.isnan(numbers).all() else [number_column(name, numbers)]
        return columns if missing.all() else [*columns, string_column(name, offsets, data, missing, splits)]


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
