"""Files of text, one row a line, in any of the formats."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from afterwit._core import BadLine
from afterwit.errors import DataError, quoted
from afterwit.files.compressed import ByteReader, source_name
from afterwit.protocols import ClassName, Labels, Position, Wants
from afterwit.schema import Schema
from afterwit.streams.formats import format_of_path, format_of_text
from afterwit.streams.ids import WHO_HAS_IDS
from afterwit.streams.svmlight import SVMLIGHT
from afterwit.streams.text_format import TextFormat, TextParser
from afterwit.streams.text_pass import TextFile, TextPass
from afterwit.streams.whole_lines import Lines, WholeLines


class TextStream(TextFile):
    """The rows of a text file, plain or compressed, or of standard input (`-`).

    Without a `format` the file's name tells it, or else its first lines. `on_error="skip"` drops bad lines whole and
    counts them in `skipped`; `bad_lines` has the first few of the pass. `classes` are the labels' names when `batches`
    is given none.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        format: TextFormat | None = None,
        on_error: str = "raise",
        classes: Sequence[ClassName] | None = None,
        batch_rows: int = 4096,
        taught: Schema | None = None,
        ids: Sequence[str] = (),
    ) -> None:
        super().__init__(path, on_error, classes, batch_rows, taught, ids)
        self.format = format or format_of_path(self.path)
        self._describe(None)
        if self.rereadable:
            with ByteReader(self.path) as reader:
                self._first_lines(WholeLines(reader))
                self._describe(reader.compression)

    def like(self, taught: Schema) -> TextStream:
        """The same rows; the names of two labels, where it was not told any, are those that a model was taught."""
        told = (self.path, self.format, self.on_error, self.classes, self.batch_rows)
        return TextStream(*told, taught, self.ids)

    @property
    def options(self) -> dict[str, Any]:
        """All that decides which rows and batches the file gives; a cache holds for the same alone."""
        return {
            "format": self.format.name if self.format else None,
            "on_error": self.on_error,
            "classes": self.classes,
            "batch_rows": self.batch_rows,
            "ids": self.ids,
        }

    def _begun(self, reader: ByteReader, labels: Labels, wants: Wants) -> TextPass:
        lines = WholeLines(reader)
        self._first_lines(lines)
        self._describe(reader.compression)
        format, source = self.format or SVMLIGHT, source_name(self.path)  # of blank lines alone nothing is left to read
        if self.ids and self.ids != format.ids:
            which = f", and {format.name} has only {quoted(format.ids[0])}" if format.ids else ""
            message = f"there is no id {quoted(self.ids[0])} in {format.name}: {WHO_HAS_IDS}{which}"
            raise DataError(message, source=source)

        def parser(labels: Labels) -> TextParser:
            classes = [str(name) for name in labels.classes or ()]
            return format.parser(labels.kind, classes, self.on_error == "skip", wants, bool(self.ids))

        def error(bad: BadLine, block: Lines, labels: Labels, lines_before: int) -> DataError:
            return format.error(bad, block, labels, source, lines_before)

        return TextPass(self, labels, parser, lines, error, Position())

    def _first_lines(self, lines: WholeLines) -> None:
        """Finds the format, if it is not known; what was read for it is the block then."""
        head = b""
        while self.format is None and lines.more(1 + head.count(b"\n")):
            head += bytes(lines.block)
            if not head.isspace():
                self.format = format_of_text(head, source_name(self.path))
                lines.block = head

    def _describe(self, compression: str | None) -> None:
        known = [word for word in (self.format.name if self.format else None, compression) if word]
        self.description = source_name(self.path) + (f" ({', '.join(known)})" if known else "")
