"""Files of text, one row a line, in any of the formats."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from isal import isal_zlib

from afterwit._core import Parsed
from afterwit.errors import DataError, quoted
from afterwit.files.compressed import ByteReader, is_rereadable, source_name
from afterwit.protocols import NOTHING, Batch, ClassName, Labels, Position, Wants
from afterwit.streams.formats import format_of_path, format_of_text
from afterwit.streams.labels import labels_in_text
from afterwit.streams.text_format import TextFormat, TextParser
from afterwit.streams.whole_lines import Lines, WholeLines

KEPT_BAD_LINES = 5


class TextStream:
    """The rows of a text file, plain or compressed, or of standard input (`-`).

    Without a `format` the file's name tells it, or else its first lines. `on_error="skip"` drops bad lines whole and
    counts them in `skipped`; `bad_lines` has the first few of the pass. `classes` are the labels' names when `batches`
    is given none.
    """

    parses = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        format: TextFormat | None = None,
        on_error: str = "raise",
        classes: Sequence[ClassName] | None = None,
        batch_rows: int = 4096,
    ) -> None:
        if on_error not in ("raise", "skip"):
            raise ValueError(f"on_error is {quoted(str(on_error))}, expected `raise` or `skip`")
        if batch_rows < 1:
            raise ValueError(f"batch_rows is {batch_rows}, expected at least 1")
        self.path = os.fspath(path)
        self.format = format or format_of_path(self.path)
        self.on_error = on_error
        self.classes = None if classes is None else tuple(classes)
        self.batch_rows = batch_rows
        self.rereadable = is_rereadable(self.path)
        self.skipped = 0
        self.bad_lines: list[DataError] = []
        self._was_read = False
        self._reader: ByteReader | None = None
        self._describe(None)
        if self.rereadable:
            with ByteReader(self.path) as reader:
                self._first_lines(WholeLines(reader))
                self._describe(reader.compression)

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        """The rows from `start` on, in batches of at most `batch_rows` rows and about 512 KB of text.

        With a `start`, all before it is read again: a changed input is refused, and codes of classes stay the same.
        """
        return self._pass(labels_in_text(labels, self.classes), wants, start)

    @property
    def options(self) -> dict[str, Any]:
        """All that decides which rows and batches the file gives; a cache holds for the same alone."""
        return {
            "format": self.format.name if self.format else None,
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
            lines = WholeLines(reader)
            lines.put_back(self._first_lines(lines))
            self._describe(reader.compression)
            if self.format is None:  # nothing but blank lines
                if start is not None and start.bytes > 0:
                    raise self._changed(start)
                return
            classes = [str(name) for name in labels.classes or ()]
            parser = self.format.parser(labels.kind, classes, self.on_error == "skip", wants)
            position = Position()
            rest: Lines = b""
            if start is not None:
                position, rest = start, self._return_to(start, lines, parser, labels)
            yield from self._rows(position, rest, lines, parser, labels)

    def _first_lines(self, lines: WholeLines) -> bytes:
        """Finds the format, if it is not known, and returns what was read for it."""
        head = b""
        while self.format is None and (block := lines.read(1 + head.count(b"\n"))):
            head += bytes(block)
            if not head.isspace():
                self.format = format_of_text(head, source_name(self.path))
        return head

    def _rows(
        self, position: Position, block: Lines, lines: WholeLines, parser: TextParser, labels: Labels
    ) -> Iterator[Batch]:
        classes = labels.classes or ()
        while block or (block := lines.read(position.lines + 1)):
            offset = 0
            while offset < len(block):
                parsed = parser.parse(block, offset, True, self.batch_rows)
                error = self._note_bad_lines(parsed, block, labels, position.lines)
                position = _advanced(position, parsed, block, offset)
                offset += parsed.consumed
                self.skipped = position.skipped
                if labels.classes is None and len(classes) != parser.class_count:
                    classes = tuple(parser.classes)
                if len(parsed.y):
                    yield _batch(parsed, classes, position)
                if error is not None:
                    raise error
            block = b""

    def _return_to(self, start: Position, lines: WholeLines, parser: TextParser, labels: Labels) -> Lines:
        """Reads up to `start` again and checks it; returns what was read beyond."""
        has_open_classes = labels.kind == "classes" and labels.classes is None
        parses = has_open_classes or (self.on_error == "skip" and start.skipped > 0)
        position = Position()
        block: Lines = b""
        while position.bytes < start.bytes:
            block = lines.read(position.lines + 1)
            head = block[: start.bytes - position.bytes]
            if parses:
                try:
                    position = self._parsed_again(position, head, parser, labels)
                except DataError as error:
                    raise self._changed(start) from error
            else:
                crc = isal_zlib.crc32(head, position.crc)
                position = replace(start, bytes=position.bytes + len(head), crc=crc)
            block = block[len(head) :]
            # Nothing more to read, or the last line did not end here before.
            if not head or (block and head[-1:] != b"\n"):
                raise self._changed(start)
        if position != start:
            raise self._changed(start)
        self.skipped = start.skipped
        return block

    def _parsed_again(self, position: Position, block: Lines, parser: TextParser, labels: Labels) -> Position:
        offset = 0
        while offset < len(block):
            parsed = parser.parse(block, offset, True, self.batch_rows)
            error = self._note_bad_lines(parsed, block, labels, position.lines)
            if error is not None:
                raise error
            position = _advanced(position, parsed, block, offset)
            offset += parsed.consumed
        return position

    def _note_bad_lines(self, parsed: Parsed, block: Lines, labels: Labels, lines_before: int) -> DataError | None:
        """Keeps the first few when skipping; otherwise returns the error to raise after the rows before it."""
        if not parsed.bad_lines or self.format is None:
            return None
        source = source_name(self.path)
        errors = [self.format.error(bad, block, labels, source, lines_before) for bad in parsed.bad_lines]
        if self.on_error == "raise":
            return errors[0]
        self.bad_lines += errors[: KEPT_BAD_LINES - len(self.bad_lines)]
        return None

    def _changed(self, start: Position) -> DataError:
        message = f"the input changed since the checkpoint was written: its first {start.bytes} bytes are not the same"
        return DataError(f"{message}; start again from the beginning", source=source_name(self.path))

    def _describe(self, compression: str | None) -> None:
        known = [word for word in (self.format.name if self.format else None, compression) if word]
        self.description = source_name(self.path) + (f" ({', '.join(known)})" if known else "")


def _batch(parsed: Parsed, classes: tuple[ClassName, ...], position: Position) -> Batch:
    return Batch(
        parsed.keys,
        parsed.values,
        parsed.starts,
        parsed.y,
        weight=parsed.weight,
        classes=classes,
        names=parsed.names,
        position=position,
        groups=parsed.groups,
    )


def _advanced(position: Position, parsed: Parsed, block: Lines, offset: int) -> Position:
    end = offset + parsed.consumed
    return Position(
        rows=position.rows + len(parsed.y),
        bytes=position.bytes + parsed.consumed,
        lines=position.lines + parsed.lines,
        skipped=position.skipped + parsed.skipped,
        crc=isal_zlib.crc32(memoryview(block)[offset:end], position.crc),
    )
