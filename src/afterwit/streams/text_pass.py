"""A file of text, and a pass over it: what streams of lines and of CSV records share."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from isal import isal_zlib

from afterwit._core import BadLine
from afterwit.errors import DataError, quoted
from afterwit.files.compressed import ByteReader, is_rereadable, source_name
from afterwit.protocols import NOTHING, Batch, ClassName, Labels, Position, Wants
from afterwit.schema import UNKNOWN, Met, Schema, met_in
from afterwit.streams import labels as label_room
from afterwit.streams.labels import by_names, check_start, decided, hint, labels_in_text
from afterwit.streams.likely_ids import LEAST_ROWS
from afterwit.streams.text_format import MISFITS, TextParser
from afterwit.streams.whole_lines import Lines

KEPT_BAD_LINES = 5
#: About how large the keys and values of a batch are at most: a few batches are there at once, beside learning.
MOST_BYTES = 5 << 16
#: How much text is looked at to find out which labels it has, if there are not enough rows in less.
LOOKED_AT = 1 << 18
#: The first batch of enough rows is looked at for ids, if it begins before so many.
LOOKED_FOR_IDS = 4096
#: Labels as they are written; no stream delivers them.
_WORDS = Labels("words")


class Blocks(Protocol):
    """A text block by block."""

    @property
    def block(self) -> Lines:
        """What was read and not yet taken."""

    @property
    def final(self) -> bool:
        """Whether the block ends where a line or a record does."""

    def take(self, size: int) -> Any:
        """The first bytes, which the block no longer has."""

    def more(self, line: int) -> bool:
        """Reads on; False if there is nothing more. `line` is the number of the first line behind, for errors."""

    def longer(self, line: int) -> bool:
        """The same, but what was not taken stays in the block."""


File = TypeVar("File", bound="TextFile")


class TextFile:
    """What a stream of a file of text is made of; how a pass begins is told by `_begun` of its kind."""

    parses = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        on_error: str,
        classes: Sequence[ClassName] | None,
        batch_rows: int,
        taught: Schema | None = None,
        ids: Sequence[str] = (),
    ) -> None:
        if on_error not in ("raise", "skip"):
            raise ValueError(f"on_error is {quoted(str(on_error))}, expected `raise` or `skip`")
        if batch_rows < 1:
            raise ValueError(f"batch_rows is {batch_rows}, expected at least 1")
        self.path = os.fspath(path)
        self.on_error = on_error
        self._taught = taught or UNKNOWN
        self.classes = self._taught.classes if classes is None else tuple(classes)
        self.ids = tuple(ids)
        #: Columns that were ids when a model was taught, and that nobody asks for now.
        self._left_out: tuple[str, ...] = ()
        self._schema = Schema(classes=self.classes)
        self.batch_rows = batch_rows
        self.rereadable = is_rereadable(self.path)
        self.skipped = 0
        self.bad_lines: list[DataError] = []
        #: Columns that look like ids in the first batch of a pass.
        self.likely_ids: tuple[str, ...] = ()
        self._was_read = False
        self._reader: ByteReader | None = None
        self._opened: ByteReader | None = None
        #: What reads the rows of this pass, but for the first `unseen` of them.
        self.parser: TextParser | None = None
        self.unseen = 0

    @property
    def schema(self) -> Schema:
        """What is known of its columns; all of it once a pass was read."""
        return self.schema_after(math.inf)

    def schema_after(self, rows: float) -> Schema:
        """What so many rows of this pass have told, however many more are read already."""
        return self.schema_told(self.columns_met, rows - self.unseen)

    def schema_told(self, met: Met | None, rows: float) -> Schema:
        """What is known of its columns, and what the first so many rows told."""
        known = self._schema
        found = met_in(met, rows, (known.target, known.weight, *known.ids))
        return known if found.columns is None else replace(known, columns=found.columns, sometimes=found.sometimes)

    @property
    def columns_met(self) -> Met | None:
        """What the rows that are read have told of columns; None where they tell nothing."""
        met: Met | None = getattr(self.parser, "columns_met", None)
        return met

    def begun_by(self: File, reader: ByteReader) -> File:
        """The same stream, which reads on where a reader has begun."""
        self._opened = reader
        return self

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        """The rows from `start` on, in batches of at most `batch_rows` rows and about 512 KB of text.

        With a `start`, all before it is read again: a changed input is refused, and codes of classes stay the same.
        """
        check_start(labels, start)
        return self._pass(labels_in_text(labels, self.classes), wants, start)

    def progress(self) -> float | None:
        """The part of the file that is read in this pass, from 0 to 1; None where its size is not known."""
        return None if self._reader is None else self._reader.fraction

    def _pass(self, labels: Labels, wants: Wants, start: Position | None) -> Iterator[Batch]:
        if self._was_read and not self.rereadable:
            raise DataError("it can be read only once, and it was", source=source_name(self.path))
        self._was_read = True
        self.skipped, self.bad_lines, self.unseen = 0, [], 0
        opened, self._opened = self._opened, None
        with opened or ByteReader(self.path) as reader:
            self._reader = reader
            begun = self._begun(reader, labels, wants)
            if start is not None:
                begun.return_to(start)
            yield from begun.rows()

    def _begun(self, reader: ByteReader, labels: Labels, wants: Wants) -> TextPass:
        raise NotImplementedError


class TextPass:
    """One pass over a file: where it stands, and the parser, which `parser_of(labels)` makes.

    `error(bad, block, labels, lines)` is the error for a bad line of a block, before which the file had so many lines;
    `ids_in(block, offset, final, rows)`, if there is such a thing, the columns that look like ids in the next rows.
    """

    def __init__(
        self,
        file: TextFile,
        labels: Labels,
        parser_of: Callable[[Labels], TextParser],
        blocks: Blocks,
        error: Callable[[BadLine, Any, Labels, int], DataError],
        position: Position,
        ids_in: Callable[[Any, int, bool, int], tuple[str, ...]] | None = None,
    ) -> None:
        self._file, self._parser_of, self._blocks = file, parser_of, blocks
        self._error, self._position, self._ids_in = error, position, ids_in
        self._consumed = 0  # of the block
        self._most_rows = file.batch_rows
        self._failure: DataError | None = None
        self._decides = labels.kind == "auto"
        self._keep(by_names(labels))

    def _keep(self, labels: Labels) -> None:
        """These are the labels from here on; as long as they are to be found out, no row is delivered."""
        self._labels, self._classes = labels, labels.classes or ()
        self._parser = self._file.parser = self._parser_of(_WORDS if labels.kind == "auto" else labels)

    def rows(self) -> Iterator[Batch]:
        """The rest of the rows."""
        while True:
            if self._labels.kind == "auto":
                self._look()
            yield from filter(len, self._batches(self._blocks.block, self._blocks.final))
            self._blocks.take(self._consumed)
            if not self._blocks.more(self._position.lines + 1):
                return

    def _look(self) -> None:
        """Decides which labels there are, if there is a row; the block is parsed again then.

        A decision must not depend on how the bytes arrive, nor on the size of batches: it is made by the whole rows in
        the first `LOOKED_AT` bytes, at most `LOOKED_AT` of `labels.py`. If there is none, by those in twice as many.
        """
        rows, at, lines, size = 0, 0, self._position.lines, LOOKED_AT
        while True:
            block, most = self._blocks.block, label_room.LOOKED_AT - rows
            within = len(block) < size
            parsed = self._parser.parse(block[:size], at, self._blocks.final and within, most)
            rows, at, lines = rows + len(parsed.y), at + parsed.consumed, lines + parsed.lines
            if len(parsed.y) == most or parsed.stopped or (rows and not within):
                break
            size *= 1 if within else 2
            if within and not self._blocks.longer(lines + 1):
                break
        if rows:
            self._keep(decided(self._parser.classes))

    def return_to(self, start: Position) -> None:
        """Reads up to `start` again and checks it."""
        has_open_classes = self._labels.kind == "classes" and self._labels.classes is None
        parses = has_open_classes or (self._file.on_error == "skip" and start.skipped > 0)
        ended = True
        while (left := start.bytes - self._position.bytes) > 0:
            head = self._blocks.block[:left]
            if parses:
                self._parse_again(head, self._blocks.final or len(head) == left, start)
            else:
                crc = isal_zlib.crc32(head, self._position.crc)
                self._position = replace(start, bytes=self._position.bytes + len(head), crc=crc)
                self._consumed = len(head)
            ended = self._consumed == 0 or head[self._consumed - 1] == ord("\n")
            self._blocks.take(self._consumed)
            if self._position.bytes < start.bytes and not self._blocks.more(self._position.lines + 1):
                break
        if not ended and not self._blocks.block:
            self._blocks.more(self._position.lines + 1)
        # Where the last line did not end before, nothing may follow now.
        if self._position != start or (not ended and self._blocks.block):
            raise self._changed(start)
        self._file.skipped = start.skipped
        self._file.unseen = 0 if parses else start.rows

    def _parse_again(self, head: Lines, final: bool, start: Position) -> None:
        try:
            for _ in self._batches(head, final):
                pass
        except DataError as error:
            raise self._changed(start) from error

    def _batches(self, block: Lines, final: bool) -> Iterator[Batch]:
        """The whole lines or records of a block, piece by piece; raises at a bad one, after the rows before it."""
        self._consumed, before = 0, -1
        while before < self._consumed < len(block):
            before = self._consumed
            yield self._next(block, final)  # and has no name here: the consumer alone decides how long it lives
            if self._failure is not None:
                raise self._failure

    def _next(self, block: Lines, final: bool) -> Batch:
        """The next rows of a block; after those before a bad line, `_failure` is its error."""
        file, before = self._file, self._position
        parsed = self._parser.parse(block, self._consumed, final, self._most_rows)
        if self._ids_in is not None and before.rows < LOOKED_FOR_IDS and len(parsed.y) >= LEAST_ROWS:
            file.likely_ids = self._ids_in(block, self._consumed, final, len(parsed.y))
            self._ids_in = None
        if size := parsed.keys.nbytes + parsed.values.nbytes:
            self._most_rows = min(file.batch_rows, max(1, len(parsed.y) * MOST_BYTES // size))
        errors = [self._error(bad, block, self._labels, before.lines) for bad in parsed.bad_lines]
        self._failure = self._hinted(errors.pop(), parsed.bad_lines[-1]) if parsed.stopped else None
        file.bad_lines += errors[: KEPT_BAD_LINES - len(file.bad_lines)]
        end = self._consumed + parsed.consumed
        self._position = Position(
            rows=before.rows + len(parsed.y),
            bytes=before.bytes + parsed.consumed,
            lines=before.lines + parsed.lines,
            skipped=before.skipped + parsed.skipped,
            crc=isal_zlib.crc32(memoryview(block)[self._consumed : end], before.crc),
        )
        self._consumed, file.skipped = end, self._position.skipped
        if self._labels.classes is None and len(self._classes) != self._parser.class_count:
            self._classes = tuple(self._parser.classes)
        return Batch(
            parsed.keys,
            parsed.values,
            parsed.starts,
            parsed.y,
            weight=parsed.weight,
            classes=self._classes,
            names=parsed.names,
            position=self._position,
            groups=parsed.groups,
            labels=self._labels if self._decides else None,
            ids=tuple(parsed.ids) if file.ids else None,
        )

    def _hinted(self, error: DataError, bad: BadLine) -> DataError:
        """Not for a line that is skipped: a cache keeps the sentence for all who ask for these labels."""
        message = error.message + (hint(self._labels) if bad.fault in MISFITS else "")
        return DataError(message, source=error.source, line=error.line, column=error.column)

    def _changed(self, start: Position) -> DataError:
        message = f"the input changed since the checkpoint was written: its first {start.bytes} bytes are not the same"
        return DataError(f"{message}; start again from the beginning", source=source_name(self._file.path))
