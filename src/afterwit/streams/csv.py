"""CSV files: a header with the names of the columns, then one record a row."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from isal import isal_zlib

from afterwit._core import BadLine, CsvParser
from afterwit.errors import DataError, listed, quoted
from afterwit.features import cell_rules
from afterwit.files.compressed import ByteReader, source_name
from afterwit.protocols import Batch, ClassName, Labels, Position, Wants
from afterwit.schema import Schema
from afterwit.streams import csv_records
from afterwit.streams.csv_faults import sentence
from afterwit.streams.csv_header import SEPARATORS, CsvHeader, check_column, read_header
from afterwit.streams.csv_records import CsvRecords
from afterwit.streams.ids import check_roles, no_features
from afterwit.streams.likely_ids import columns_to_look_at, likely_ids
from afterwit.streams.text_format import TextParser
from afterwit.streams.text_pass import TextFile, TextPass


class CsvStream(TextFile):
    """The rows of a table in text, separated by commas, tabs or semicolons; plain or compressed, or `-`.

    A row is what the dict of its cells would be: the cell 3.5 of `price` is the feature `price`, the cell Rome of
    `city` is `city=Rome`; blanks around a cell do not count, nor does it matter whether it is in quotes. A cell that is
    empty, or NA, N/A, NaN, nan, null or NULL, is missing, and is no feature; neither is 0. A cell True, true or TRUE is
    1, and so for False. Each cell is judged alone, whatever else is in its column: `inf` and `infinity`, in any case
    and with any sign, are bad numbers and never words, except in a column of `Features(text=..., categorical=...)`.
    `target` has the label, `weight` the importance of the row; columns in `ids` come along as they are.

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
        ids: Sequence[str] = (),
    ) -> None:
        if separator is not None and separator not in SEPARATORS:
            raise ValueError(f"separator is {quoted(separator)}, expected a comma, a tab or a semicolon")
        super().__init__(path, on_error, classes, batch_rows, taught, ids)
        self.target, self.weight, self.separator = target, weight, separator
        check_roles(self.ids, target, weight)
        self._describe(separator, None)
        if self.rereadable:
            with ByteReader(self.path) as reader:
                self._know(read_header(CsvRecords(reader), separator), reader.compression)

    def like(self, taught: Schema) -> CsvStream:
        """The same rows; what it was not told of its columns is as it was in what a model was taught."""
        told = (self.path, self.target, self.weight, self.separator, self.on_error, self.classes, self.batch_rows)
        return CsvStream(*told, taught, self.ids)

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
            "ids": self.ids,
            "left_out": self._left_out,
        }

    def _begun(self, reader: ByteReader, labels: Labels, wants: Wants) -> TextPass:
        records = CsvRecords(reader)
        header = read_header(records, self.separator)
        self._know(header, reader.compression)
        self._check_columns(header, labels)
        source = source_name(self.path)
        wants = replace(wants, ignore=(*wants.ignore, *self._left_out))

        def parser(labels: Labels, wants: Wants = wants) -> TextParser:
            return CsvParser(
                header.columns,
                header.separator,
                target=self.target,
                weight=self.weight,
                ids=self.ids,
                kind=labels.kind,
                classes=[str(name) for name in labels.classes or ()],
                cells=cell_rules(wants),
                names=wants.names,
                groups=wants.groups,
                packed=wants.packed,
                skip=self.on_error == "skip",
                longest_record=csv_records.LONGEST_RECORD,
            )

        def error(bad: BadLine, block: bytes, labels: Labels, lines_before: int) -> DataError:
            return sentence(bad, block, header.columns, labels, source, lines_before)

        def ids_in(block: bytes, offset: int, final: bool, rows: int) -> tuple[str, ...]:
            columns = columns_to_look_at(self.schema.columns, wants)
            if not columns:
                return ()
            grouped = parser(Labels("none"), replace(wants, names=False, groups=True, packed=False))
            found = grouped.parse(block, offset, final, rows)
            return likely_ids(Batch(found.keys, found.values, found.starts, found.y, groups=found.groups), columns)

        behind = Position(bytes=len(header.text), lines=header.lines, crc=isal_zlib.crc32(header.text))
        looks = None if labels.kind == "none" else ids_in
        return TextPass(self, labels, parser, records, error, behind, looks)

    def _check_columns(self, header: CsvHeader, labels: Labels) -> None:
        source = source_name(self.path)
        for name in self.ids:
            check_column(name, "id", header.columns, source)
        if labels.kind == "none":
            return
        if self.target is None and self._taught.target is not None:
            check_column(self._taught.target, "target", header.columns, source)
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
        taught = replace(known, columns=self._taught.columns)
        self._left_out = no_features(taught, self.ids, self.target, self.weight)
        left_out = (self.target, self.weight, *self._left_out)
        features = tuple(name for name in header.columns if name not in left_out)
        self._schema = Schema(self.target, self.weight, self.classes, features, ids=self._left_out).bounded()

    def _describe(self, separator: str | None, compression: str | None) -> None:
        kinds = ["CSV", *([SEPARATORS[separator]] if separator else []), *([compression] if compression else [])]
        self.description = f"{source_name(self.path)} ({', '.join(kinds)})"
