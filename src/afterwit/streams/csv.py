"""CSV files: a header with the names of the columns, then one record a row."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from isal import isal_zlib

from afterwit._core import CsvParser, Parsed
from afterwit.errors import DataError, quoted
from afterwit.files.compressed import ByteReader, is_rereadable, source_name
from afterwit.protocols import NOTHING, Batch, ClassName, Labels, Position, Wants
from afterwit.streams import csv_records
from afterwit.streams.csv_faults import sentence
from afterwit.streams.csv_header import SEPARATORS, CsvHeader, check_column, listed, read_header
from afterwit.streams.csv_records import CsvRecords
from afterwit.streams.labels import labels_in_text

KEPT_BAD_LINES = 5


class CsvStream:
    """The rows of a table in text, separated by commas, tabs or semicolons; plain or compressed, or `-`.

    A row is what the dict of its cells would be: the cell 3.5 of `price` is the feature `price`, the cell Rome of
    `city` is `city=Rome`; blanks around a cell do not count, nor does it matter whether it is in quotes. A cell that is
    empty, or NA, N/A, NaN, nan, null or NULL, is missing, and is no feature; neither is 0. Each cell is judged alone,
    whatever else is in its column: `inf` and `infinity`, in any case and with any sign, are bad numbers and never
    words, except in a column of `Features(text=...)`. `target` has the label, `weight` the importance of the row.

    `on_error="skip"` drops bad records whole and counts them in `skipped`; `bad_lines` has the first few of the pass.
    A quote that is never closed is an error all the same: nobody knows how many records it swallowed.
    """

    parses = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        target: str | None = None,
        weight: str | None = None,
        separator: str | None = None,
        on_error: str = "raise",
        classes: Sequence[ClassName] | None = None,
        batch_rows: int = 4096,
    ) -> None:
        if on_error not in ("raise", "skip"):
            raise ValueError(f"on_error is {quoted(str(on_error))}, expected `raise` or `skip`")
        if batch_rows < 1:
            raise ValueError(f"batch_rows is {batch_rows}, expected at least 1")
        if separator is not None and separator not in SEPARATORS:
            raise ValueError(f"separator is {quoted(separator)}, expected a comma, a tab or a semicolon")
        if target is not None and target == weight:
            raise ValueError(f"target and weight are both {quoted(target)}, expected two columns")
        self.path = os.fspath(path)
        self.target, self.weight, self.separator = target, weight, separator
        self.on_error = on_error
        self.classes = None if classes is None else tuple(classes)
        self.batch_rows = batch_rows
        self.rereadable = is_rereadable(self.path)
        self.skipped = 0
        self.bad_lines: list[DataError] = []
        self._was_read = False
        self._reader: ByteReader | None = None
        self._describe(separator, None)
        if self.rereadable:
            with ByteReader(self.path) as reader:
                self._describe(read_header(CsvRecords(reader), separator).separator, reader.compression)

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        """The rows from `start` on, in batches of at most `batch_rows` rows and about 512 KB of text.

        With a `start`, all before it is read again: a changed input is refused, and codes of classes stay the same.
        The strings of the columns in `wants.text` are split into words. Labels of kind "none" are not read: y is 0.
        """
        return self._pass(labels_in_text(labels, self.classes), wants, start)

    @property
    def options(self) -> dict[str, Any]:
        """All that decides which rows and batches the file gives; a cache holds for the same alone."""
        return {
            "format": "csv",
            "target": self.target,
            "weight": self.weight,
            "separator": self.separator,
            "on_error": self.on_error,
            "classes": self.classes,
            "batch_rows": self.batch_rows,
        }

    def progress(self) -> float | None:
        """The part of the file that is read in this pass, from 0 to 1; None where its size is not known."""
        return None if self._reader is None else self._reader.fraction

    def _pass(self, labels: Labels, wants: Wants, start: Position | None) -> Iterator[Batch]:
        if self._was_read and not self.rereadable:
            raise DataError("it can be read only once, and it was", source=source_name(self.path))
        self._was_read = True
        self.skipped, self.bad_lines = 0, []
        with ByteReader(self.path) as reader:
            self._reader = reader
            records = CsvRecords(reader)
            header = read_header(records, self.separator)
            self._describe(header.separator, reader.compression)
            self._check_columns(header, labels)
            reading = _Reading(self, header, labels, wants)
            if start is not None:
                reading.return_to(start, records)
            yield from reading.rows(records)

    def _check_columns(self, header: CsvHeader, labels: Labels) -> None:
        if labels.kind == "none":
            return
        source = source_name(self.path)
        if self.target is None:
            message = "which column has the label? Name it with `target`, or `--target COLUMN`; the columns are "
            raise DataError(message + listed(header.columns), source=source)
        check_column(self.target, "target", header.columns, source)
        if self.weight is not None:
            check_column(self.weight, "weight", header.columns, source)

    def _describe(self, separator: str | None, compression: str | None) -> None:
        kinds = ["CSV", *([SEPARATORS[separator]] if separator else []), *([compression] if compression else [])]
        self.description = f"{source_name(self.path)} ({', '.join(kinds)})"


class _Reading:
    """One pass over a stream: where it stands, and the parser."""

    def __init__(self, stream: CsvStream, header: CsvHeader, labels: Labels, wants: Wants) -> None:
        self._stream, self._header, self._labels = stream, header, labels
        self._source = source_name(stream.path)
        self._parser = CsvParser(
            header.columns,
            header.separator,
            target=stream.target,
            weight=stream.weight,
            kind=labels.kind,
            classes=[str(name) for name in labels.classes or ()],
            text=wants.text,
            names=wants.names,
            groups=wants.groups,
            packed=wants.packed,
            skip=stream.on_error == "skip",
            longest_record=csv_records.LONGEST_RECORD,
        )
        self._position = Position(bytes=len(header.text), lines=header.lines, crc=isal_zlib.crc32(header.text))

    def rows(self, records: CsvRecords) -> Iterator[Batch]:
        """The rest of the rows."""
        classes = self._labels.classes or ()
        while True:
            for parsed in self._parsed(records.block, records.final):
                if self._labels.classes is None and len(classes) != self._parser.class_count:
                    classes = tuple(self._parser.classes)
                if len(parsed.y):
                    rows = (parsed.keys, parsed.values, parsed.starts, parsed.y, parsed.weight, classes, parsed.names)
                    yield Batch(*rows, self._position, parsed.groups)
            if records.final:
                return
            records.take(self._consumed)
            records.more()

    def return_to(self, start: Position, records: CsvRecords) -> None:
        """Reads up to `start` again and checks it."""
        has_open_classes = self._labels.kind == "classes" and self._labels.classes is None
        parses = has_open_classes or (self._stream.on_error == "skip" and start.skipped > 0)
        while (left := start.bytes - self._position.bytes) > 0:
            if parses:
                self._parse_again(records.block[:left], left, start)
            else:
                head = records.block[:left]
                crc = isal_zlib.crc32(head, self._position.crc)
                self._position = replace(start, bytes=self._position.bytes + len(head), crc=crc)
                self._consumed = len(head)
            ended = self._consumed == 0 or records.block[self._consumed - 1] == ord("\n")
            records.take(self._consumed)
            if start.bytes > self._position.bytes or not ended:
                if records.final:
                    break
                records.more()
                if not ended and start.bytes == self._position.bytes and records.block:
                    raise self._changed(start)  # the last line did not end here before
        if self._position != start:
            raise self._changed(start)
        self._stream.skipped = start.skipped

    def _parse_again(self, head: bytes, left: int, start: Position) -> None:
        try:
            for _ in self._parsed(head, len(head) == left):
                pass
        except DataError as error:
            raise self._changed(start) from error

    def _parsed(self, block: bytes, final: bool) -> Iterator[Parsed]:
        """The whole records of a block, piece by piece; raises at a bad one, after the rows before it."""
        stream, self._consumed = self._stream, 0
        while self._consumed < len(block):
            parsed = self._parser.parse(block, self._consumed, final, stream.batch_rows)
            before = self._position
            errors = [
                sentence(cell, block, self._header.columns, self._labels, self._source, before.lines)
                for cell in parsed.bad_lines
            ]
            end = self._consumed + parsed.consumed
            self._position = Position(
                rows=before.rows + len(parsed.y),
                bytes=before.bytes + parsed.consumed,
                lines=before.lines + parsed.lines,
                skipped=before.skipped + parsed.skipped,
                crc=isal_zlib.crc32(memoryview(block)[self._consumed : end], before.crc),
            )
            self._consumed = end
            stream.skipped = self._position.skipped
            kept = errors[:-1] if parsed.stopped else errors
            stream.bad_lines += kept[: KEPT_BAD_LINES - len(stream.bad_lines)]
            yield parsed
            if parsed.stopped:
                raise errors[-1]
            if parsed.consumed == 0:
                return

    def _changed(self, start: Position) -> DataError:
        message = f"the input changed since the checkpoint was written: its first {start.bytes} bytes are not the same"
        return DataError(f"{message}; start again from the beginning", source=self._source)
