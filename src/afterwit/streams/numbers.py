"""A CSV whose cells are all numbers, read whole: forecasts, or prices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from afterwit._core import BadLine, Fault, csv_header, csv_numbers, parse_number
from afterwit.errors import DataError, listed, quoted
from afterwit.files.compressed import ByteReader, source_name
from afterwit.protocols import Labels
from afterwit.streams import csv_faults, csv_records
from afterwit.streams.csv_header import SEPARATORS, CsvHeader, check_column, read_header
from afterwit.streams.csv_records import CsvRecords
from afterwit.streams.parquet import is_parquet

Array = npt.NDArray[np.float64]

_SENTENCES = {
    Fault.value_not_number: "column {heading}: {token} is not a number; expected one, or an empty cell for none",
    Fault.value_infinite: "column {heading}: {token} is no finite number; expected one, or an empty cell for none",
}


@dataclass(frozen=True)
class NumberTable:
    """Rows x columns, NaN where a cell was missing; `target` is a column apart, `index` the words that name rows, and
    `unread` are the columns that nobody asked for.

    Like a data frame, it has `columns` and `shape`, and a column by its name.
    """

    description: str
    columns: tuple[str, ...]
    values: Array
    target: Array | None
    index: tuple[str, ...] | None
    lines: npt.NDArray[np.int64]
    source: str
    unread: tuple[str, ...] = ()
    target_name: str = ""

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.values.shape[1]

    def __getitem__(self, column: str) -> Array:
        """A column by its name."""
        return np.asarray(self.values[:, self._places[column]])

    def rows(self, some: slice | npt.NDArray[np.bool_]) -> NumberTable:
        """Some of the rows."""
        index = self.index if self.index is None else tuple(np.array(self.index, dtype=object)[some].tolist())
        target = None if self.target is None else self.target[some]
        return replace(self, values=self.values[some], target=target, index=index, lines=self.lines[some])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.columns)}

    def refuse(self, row: int, column: str, message: str) -> NoReturn:
        """Raises the error about one cell."""
        raise DataError(f"column {quoted(column)}: {message}", source=self.source, line=int(self.lines[row]))


def read_numbers(
    path: str, target: str | None = None, choose: Callable[[Sequence[str], str], Sequence[str]] | None = None
) -> NumberTable:
    """Reads a CSV of numbers, compressed or not, or `-`; the separator is what the header tells.

    A first column that is not the target and has no heading, or whose cell in the first record is a word, is the index:
    it names the rows. Of the others all are read, or what `choose` makes of them and the name of the source.
    """
    if is_parquet(path):
        raise DataError("it is Parquet; expected CSV", source=path)
    with ByteReader(path) as reader:
        records = CsvRecords(reader)
        header = read_header(records, None)
        source, columns = source_name(path), header.columns
        if target is not None:
            check_column(target, "target", columns, source)
        names_rows = columns[0] == "" or _begins_with_a_word(records, header.separator)
        index = 0 if columns[0] != target and names_rows else None
        kinds = ["CSV", SEPARATORS[header.separator], *([reader.compression] if reader.compression else [])]
        others = [name for i, name in enumerate(columns) if i != index and name != target]
        chosen = set(others if choose is None else choose(others, source))
        if not chosen:
            raise DataError(f"there is no column of numbers beside; the columns are {listed(columns)}", source=source)
        unread = [i for i, name in enumerate(columns) if i != index and name != target and name not in chosen]
        values, names, lines = _parsed(records, header, index, unread, source)
    kept = [name for name in columns if name == target or name in chosen]
    at = None if target is None else kept.index(target)
    rest = [i for i in range(len(kept)) if i != at]
    return NumberTable(
        f"{source} ({', '.join(kinds)})",
        tuple(kept[i] for i in rest),
        np.ascontiguousarray(values[:, rest]),
        None if at is None else values[:, at].copy(),
        None if index is None else tuple(names),
        lines,
        source,
        tuple(columns[i] for i in unread),
        target or "",
    )


def _begins_with_a_word(records: CsvRecords, separator: str) -> bool:
    """Whether the first cell of the first record is neither missing nor a number."""
    while not isinstance(found := csv_header(records.block, separator, records.final), tuple):
        if records.final:
            return False
        records.check_length(2)
        records.more()
    cell = found[0][0]
    if cell in (b"", b"NA", b"N/A", b"NaN", b"nan", b"null", b"NULL"):
        return False
    try:
        parse_number(cell)
    except ValueError:
        return True
    except OverflowError:
        pass
    return False


def _parsed(
    records: CsvRecords, header: CsvHeader, index: int | None, unread: list[int], source: str
) -> tuple[Array, list[str], npt.NDArray[np.int64]]:
    values, names, lines, passed = list[Array](), list[str](), list[npt.NDArray[np.int64]](), header.lines
    while True:
        found = csv_numbers(
            records.block,
            header.separator,
            len(header.columns),
            index,
            unread,
            records.final,
            csv_records.LONGEST_RECORD,
        )
        block, words, begins, consumed, more, bad = found
        if bad is not None:
            raise _error(bad, records.block, header, source, passed)
        values.append(block)
        names += words or []
        lines.append(begins + passed)
        passed += more
        if records.final:
            return np.concatenate(values), names, np.concatenate(lines)
        records.take(consumed)
        records.more()


def _error(bad: BadLine, data: bytes, header: CsvHeader, source: str, lines_before: int) -> DataError:
    if bad.fault not in _SENTENCES:
        return csv_faults.sentence(bad, data, header.columns, Labels("real"), source, lines_before)
    message = _SENTENCES[bad.fault].format(
        heading=quoted(header.columns[bad.field]), token=quoted(data[bad.offset : bad.offset + bad.length])
    )
    return DataError(message, source=source, line=lines_before + bad.line, column=bad.column)
