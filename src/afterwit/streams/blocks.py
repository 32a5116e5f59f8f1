"""A block of rows of a table, column by column, and how it becomes a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit._core import (
    Categories,
    CellRules,
    Column,
    category_column,
    rows_of_columns,
    spelled_numbers,
    string_column,
)
from afterwit.errors import DataError, quoted
from afterwit.features import cell_rules
from afterwit.protocols import Batch, Wants
from afterwit.streams.csv_faults import A_DATE

#: Labels as an array or as objects, and which of them are missing (None: none of them).
LabelColumn: TypeAlias = "tuple[Sequence[Any] | npt.NDArray[Any], npt.NDArray[np.bool_] | None]"
#: A string per row: offsets, UTF-8 bytes, and which are missing (None: none of them).
Strings: TypeAlias = "tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.uint8] | None]"

#: How many of its units a day has, of times by the name of their unit.
DAY = {"D": 1, "h": 24, "m": 1440, "s": 86400, "ms": 86400 * 10**3, "us": 86400 * 10**6, "ns": 86400 * 10**9}


class Block(Protocol):
    """Consecutive rows of a table; `first_row` counts from 1 over the whole table."""

    rows: int
    first_row: int

    def columns(self, name: str, rules: CellRules) -> list[Column]:
        """The column for the core: numbers, strings, categories or times, or several of which a row has one."""

    def labels(self, name: str) -> LabelColumn:
        """The column as labels."""

    def texts(self, name: str) -> list[str]:
        """The column as ids: each cell as Python shows it, nothing where it is missing."""


class Table(Protocol):
    """Named columns, in blocks of rows."""

    #: What to call it in errors, and its kind, e.g. `Parquet`.
    name: str
    kind: str
    columns: list[str]
    rereadable: bool
    #: A checksum that tells it from another, where it has one.
    crc: int

    @property
    def size(self) -> int | None:
        """How many rows, where that is known."""

    def blocks(self, names: list[str], most: int, start: int = 0, stop: int | None = None) -> Iterator[Block]:
        """The rows from `start` to `stop` (to the end without it), at most so many in a block, with these columns."""


class KnownCategories:
    """The native categories of each column, made again only when the table comes with others."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], tuple[Any, Any, Categories | None]] = {}

    def get(
        self,
        column: str,
        rules: CellRules,
        space: str,
        identity: Any,
        owner: Any,
        texts: Callable[[], Strings | None],
    ) -> Categories | None:
        """Those with this identity (`owner` keeps it from being another's); None where they have no texts."""
        place = (column, space, rules.use(column), rules.rules)
        known = self._known.get(place)
        if known is None or known[0] != identity:
            strings = texts()
            made = None if strings is None else Categories(column, *strings, rules, space)
            known = self._known[place] = (identity, owner, made)
        return known[2]


def rows_of_block(block: Block, names: list[str], wants: Wants, source: str) -> Batch:
    """The features of a block, row by row, the columns in the order of `names`; without labels."""
    rules = cell_rules(wants)
    columns = [column for name in names if wants.reads(name) for column in block.columns(name, rules)]
    try:
        made = rows_of_columns(columns, block.rows, wants.names, wants.groups)
    except UnicodeDecodeError as error:
        last = block.first_row + block.rows - 1
        place = f"{source}, rows {block.first_row} to {last}"
        raise DataError(f"a string is not UTF-8 ({error}); convert its column", source=place) from None
    keys, values, starts, feature_names, groups, bad = made
    if bad is not None:
        row, column, cell = bad
        place = f"{source}, row {block.first_row + row}, column {quoted(columns[column].name)}"
        raise DataError(_wrong(cell), source=place)
    return Batch(keys, values, starts, np.zeros(0), names=feature_names, groups=groups)


def _wrong(cell: float | bytes | None) -> str:
    if cell is None:
        return "the time is not in the years 1 to 9999; drop or convert it"
    if isinstance(cell, bytes):
        return f"{quoted(cell)} is no date; {A_DATE}"
    return f"the value is `{cell:g}`, expected a finite number that fits a 32-bit float"


def spelled_column(
    name: str, values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None, rules: CellRules
) -> Column:
    """A column of words from the numbers or booleans of a NumPy array."""
    if values.dtype.kind == "b":
        words = np.frombuffer(b"FalseTrue", np.uint8)
        categories = Categories(name, np.array([0, 5, 9]), words, None, rules)
        codes = values.astype(np.int32)
        return category_column(name, codes if missing is None else np.where(missing, -1, codes), categories, rules)
    wide = {"i": np.int64, "u": np.uint64, "f": np.float64}[values.dtype.kind]
    offsets, data, none = spelled_numbers(np.ascontiguousarray(values, dtype=wide))
    return string_column(name, offsets, data, none if missing is None else none | missing, rules)


def joined(batches: list[Batch], wants: Wants) -> Batch:
    """Batches without labels as one."""
    if len(batches) == 1:
        return batches[0]
    counts = [np.zeros(1, np.int64), *(np.diff(batch.starts) for batch in batches)]
    groups = [np.zeros(0, np.uint64), *(batch.groups for batch in batches if batch.groups is not None)]
    return Batch(
        np.concatenate([np.zeros(0, np.uint64), *(batch.keys for batch in batches)]),
        np.concatenate([np.zeros(0), *(batch.values for batch in batches)]),
        np.cumsum(np.concatenate(counts)),
        np.zeros(0),
        names=[name for batch in batches for name in batch.names or []] if wants.names else None,
        groups=np.concatenate(groups) if wants.groups else None,
    )


def checked_names(names: Sequence[Any], source: str) -> list[str]:
    """The columns' names as strings; a whole number is its digits, two of one name are an error."""
    checked: dict[str, None] = {}
    for name in names:
        if isinstance(name, bool) or not isinstance(name, (str, int, np.integer)):
            message = f"a column's name is {quoted(repr(name))}, expected a string or a whole number; rename it"
            raise DataError(message, source=source)
        name = name if isinstance(name, str) else str(int(name))
        if name in checked:
            raise DataError(f"two columns are named {quoted(name)}; rename or drop one", source=source)
        checked[name] = None
    return list(checked)


def refuse(column: str, kind: object, source: str, advice: str = "drop or convert it") -> NoReturn:
    """The error for a column of a type that makes no features."""
    message = f"column {quoted(column)} has the type `{kind}`, expected numbers, strings or dates; {advice}"
    raise DataError(message, source=source)


def refuse_numbers(column: str, kind: object, source: str) -> NoReturn:
    """The error for a column that `dates` names and that has none."""
    message = f"column {quoted(column)} has the type `{kind}`, and `dates` names it; expected dates or text"
    raise DataError(f"{message}; leave it out of `dates`, or convert it", source=source)


#: What to do with a span of time, or a time without its day.
SPAN = "give it as a number, such as its seconds"
