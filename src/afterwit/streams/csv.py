"""CSV files: a header with the names of the columns, then one record a row."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from isal import isal_zlib

from afterwit._core import BadLine, CsvParser
from afterwit.errors import DataError, listed, quoted
from afterwit.files.compressed import ByteReader, source_name
from afterwit.protocols import ClassName, Labels, Position, Wants
from afterwit.schema import Schema
from afterwit.streams import csv_records
from afterwit.streams.csv_faults import sentence
from afterwit.streams.csv_header import SEPARATORS, CsvHeader, check_column, read_header
from afterwit.streams.csv_records import CsvRecords
from afterwit.streams.text_format import TextParser
from afterwit.streams.text_pass import TextFile, TextPass


class CsvStream(TextFile):
    """The rows of a table in text, separated by commas, tabs or semicolons; plain or compressed, or `-`.

    A row is what the dict of its cells would be: the cell 3.5 of `price` is the feature `price`, the cell Rome of
    `city` is `city=Rome`; blanks around a cell do not count, nor does it matter whether it is in quotes. A cell that is
    empty, or NA, N/A, NaN, nan, null or NULL, is missing, and is no feature; neither is 0. Each cell is judged alone,
    whatever else is in its column: `inf` and `infinity`, in any case and with any sign, are bad numbers and never
    words, except in a column of `Features(text=...)`. `target` has the label, `weight` the importance of the row.

    `on_error="skip"` drops bad records whole and counts them in `skipped`; `bad_lines` has the first few of the pass.
    A quote that is never closed is an error all the same: nobody knows how many records it swallowed.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        target: str | None = None,
        weight: str | None = None,
        separator: str | None = None,
        on_error: str = "raise",
        classes: Sequence[ClassName] | None = None,
        batch_rows: int = 4096,
        taught: Schema | None = None,
    ) -> None:
        if separator is not None and separator not in SEPARATORS:
            raise ValueError(f"separator is {quoted(separator)}, expected a comma, a tab or a semicolon")
        if target is not None and target == weight:
            raise ValueError(f"target and weight are both {quoted(target)}, expected two columns")
        super().__init__(path, on_error, classes, batch_rows, taught)
        self.target, self.weight, self.separator = target, weight, separator
        self._describe(separator, None)
        if self.rereadable:
            with ByteReader(self.path) as reader:
                self._know(read_header(CsvRecords(reader), separator), reader.compression)

    def like(self, taught: Schema) -> CsvStream:
        """The same rows; what it was not told of its columns is as it was in what a model was taught."""
        told = (self.path, self.target, self.weight, self.separator, self.on_error, self.classes, self.batch_rows)
        return CsvStream(*told, taught)

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

    def _begun(self, reader: ByteReader, labels: Labels, wants: Wants) -> TextPass:
        records = CsvRecords(reader)
        header = read_header(records, self.separator)
        self._know(header, reader.compression)
        self._check_columns(header, labels)
        source = source_name(self.path)

        def parser(labels: Labels) -> TextParser:
            return CsvParser(
                header.columns,
                header.separator,
                target=self.target,
                weight=self.weight,
                kind=labels.kind,
                classes=[str(name) for name in labels.classes or ()],
                text=wants.text,
                names=wants.names,
                groups=wants.groups,
                packed=wants.packed,
                skip=self.on_error == "skip",
                longest_record=csv_records.LONGEST_RECORD,
            )

        def error(bad: BadLine, block: bytes, labels: Labels, lines_before: int) -> DataError:
            return sentence(bad, block, header.columns, labels, source, lines_before)

        behind = Position(bytes=len(header.text), lines=header.lines, crc=isal_zlib.crc32(header.text))
        return TextPass(self, labels, parser, records, error, behind)

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

    def _know(self, header: CsvHeader, compression: str | None) -> None:
        """What a header tells."""
        self._describe(header.separator, compression)
        known = self._taught.among(header.columns)
        if self.target is None and known.target != self.weight:
            self.target = known.target
        if self.weight is None and known.weight != self.target:
            self.weight = known.weight
        features = tuple(name for name in header.columns if name not in (self.target, self.weight))
        self.schema = Schema(self.target, self.weight, self.classes, features).bounded()

    def _describe(self, separator: str | None, compression: str | None) -> None:
        kinds = ["CSV", *([SEPARATORS[separator]] if separator else []), *([compression] if compression else [])]
        self.description = f"{source_name(self.path)} ({', '.join(kinds)})"
