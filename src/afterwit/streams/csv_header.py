"""The header of a CSV: its columns, and what separates them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from afterwit._core import csv_header
from afterwit.errors import DataError, listed, nearest, quoted
from afterwit.streams.csv_records import CsvRecords
from afterwit.streams.whole_lines import refuse_returns

SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon"}
_MARK = b"\xef\xbb\xbf"  # some programs begin UTF-8 with it


@dataclass(frozen=True)
class CsvHeader:
    """The headings, the separator, and the bytes of the text up to the end of the header."""

    columns: tuple[str, ...]
    separator: str
    text: bytes
    lines: int


def read_header(records: CsvRecords, separator: str | None) -> CsvHeader:
    """The first record that is not blank; without a separator, it is the one that gives the most columns."""
    while True:
        mark = len(_MARK) if records.block.startswith(_MARK) else 0
        data = records.block[mark:]
        tried = [separator] if separator else list(SEPARATORS)
        read = [(csv_header(data, each, records.final), each) for each in tried]
        found = [(header, each) for header, each in read if isinstance(header, tuple)]
        if len(found) == len(tried):
            (cells, size, lines), best = max(found, key=lambda pair: len(pair[0][0]))
            text = records.take(mark + size)
            refuse_returns(text, records.name)
            return CsvHeader(_checked(cells, records.name, lines), best, text, lines)
        if records.final:
            raise _not_whole(data, [header for header, _ in read if isinstance(header, int)], records.name)
        records.check_length(1)
        records.more()


def _not_whole(data: bytes, quotes: list[int], source: str) -> DataError:
    """The error for a text that ends before its header does; `quotes` are those that are open."""
    if not quotes:
        return DataError("it is empty; expected a first line with the names of the columns", source=source)
    before = data[: quotes[0]]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    message = "the quote that opens a heading here is never closed; expected another before the end"
    return DataError(message, source=source, line=line, column=column)


def check_column(name: str, role: str, columns: Sequence[str], source: str) -> None:
    """Refuses a column that is not there, with those that are."""
    if name not in columns:
        message = f"there is no {role} column {quoted(name)}; {nearest(name, columns)}the columns are {listed(columns)}"
        raise DataError(message, source=source)


def _checked(cells: Sequence[bytes], source: str, line: int) -> tuple[str, ...]:
    columns = []
    for cell in cells:
        try:
            columns.append(cell.decode("utf-8"))
        except UnicodeDecodeError:
            message = f"the heading {quoted(cell)} is not UTF-8; expected text in UTF-8"
            raise DataError(message, source=source, line=line) from None
    first: dict[str, int] = {}
    for i, column in enumerate(columns):
        if first.setdefault(column, i) != i:
            called = f"are called {quoted(column)}" if column else "have no name"
            which = f"columns {first[column] + 1} and {i + 1}"
            message = f"two columns {called}; expected different names ({which})"
            raise DataError(message, source=source, line=line)
    return tuple(columns)
