"""A block of rows of a table, column by column, and how it becomes a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit._core import Categories, Column, rows_of_columns
from afterwit.errors import DataError, quoted
from afterwit.protocols import Batch, Wants

#: Labels as an array or as objects, and which of them are missing (None: none of them).
LabelColumn: TypeAlias = "tuple[Sequence[Any] | npt.NDArray[Any], npt.NDArray[np.bool_] | None]"
#: A string per row: offsets, UTF-8 bytes, and which are missing (None: none of them).
Strings: TypeAlias = "tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.uint8] | None]"


class Block(Protocol):
    """Consecutive rows of a table; `first_row` counts from 1 over the whole table."""

    rows: int
    first_row: int

    def columns(self, name: str, splits: bool) -> list[Column]:
        """The column for the core: numbers, strings or categories, or several of which a row has one."""

    def labels(self, name: str) -> LabelColumn:
        """The column as labels."""


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
        self._known: dict[tuple[str, bool], tuple[Any, Any, Categories | None]] = {}

    def get(
        self, column: str, splits: bool, identity: Any, owner: Any, texts: Callable[[], Strings | None]
    ) -> Categories | None:
        """Those with this identity (`owner` keeps it from being another's); None where they have no texts."""
        known = self._known.get((column, splits))
        if known is None or known[0] != identity:
            strings = texts()
            made = None if strings is None else Categories(column, *strings, splits)
            known = self._known[column, splits] = (identity, owner, made)
        return known[2]


def rows_of_block(block: Block, names: list[str], wants: Wants, source: str) -> Batch:
    """The features of a block, row by row, the columns in the order of `names`; without labels."""
    columns = [column for name in names for column in block.columns(name, name in wants.text)]
    try:
        made = rows_of_columns(columns, block.rows, wants.names, wants.groups)
    except UnicodeDecodeError as error:
        last = block.first_row + block.rows - 1
        place = f"{source}, rows {block.first_row} to {last}"
        raise DataError(f"a string is not UTF-8 ({error}); convert its column", source=place) from None
    keys, values, starts, feature_names, groups, bad = made
    if bad is not None:
        row, column, value = bad
        raise DataError(
            f"the value is `{value:g}`, expected a finite number that fits a 32-bit float",
            source=f"{source}, row {block.first_row + row}, column {quoted(columns[column].name)}",
        )
    return Batch(keys, values, starts, np.zeros(0), names=feature_names, groups=groups)


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


def refuse(column: str, kind: object, source: str) -> NoReturn:
    """The error for a column that is neither numbers nor strings."""
    message = f"column {quoted(column)} has the type `{kind}`, expected numbers or strings; drop or convert it"
    raise DataError(message, source=source)
