"""Several files as one stream: their rows in order, one table of classes, one position."""

from __future__ import annotations

import glob
import math
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from afterwit.errors import DataError, quoted_path
from afterwit.protocols import NOTHING, Batch, ClassName, Labels, Position, Stream, Wants
from afterwit.schema import UNKNOWN, Schema, known_after
from afterwit.streams.cache import ENDING
from afterwit.streams.labels import check_start

KEPT_BAD_LINES = 5


def paths_of(source: Any) -> list[str] | None:
    """The files of a list of paths and patterns, or of a pattern such as `part-*.svm`; None for anything else.

    A pattern never means the caches of the files that it means.
    """
    if isinstance(source, str):
        return _matching(source) if _is_pattern(source) else None
    if not isinstance(source, (list, tuple)) or not source:
        return None
    if not all(isinstance(path, (str, os.PathLike)) for path in source):
        return None
    paths = [os.fspath(path) for path in source]
    return [found for path in paths for found in (_matching(path) if _is_pattern(path) else [path])]


def _is_pattern(path: str) -> bool:
    return glob.has_magic(path) and not os.path.lexists(path)


def _matching(pattern: str) -> list[str]:
    every = glob.glob(pattern, recursive=True)
    found = sorted(path for path in every if not path.endswith(ENDING) and not os.path.isdir(path))
    if not found:
        raise DataError(f"no file matches {quoted_path(pattern)}; is the folder right?")
    return found


class ChainedStream:
    """The rows of one stream after those of another.

    A position counts rows and skipped lines over all files; its bytes and lines are those in the file that it is in.
    To go on from one, the files before it are read again, so that codes of classes stay the same and a file that
    changed is refused; files that were added behind it are read when their turn comes. Labels of kind "auto" are those
    of the first file that has a row, in all files.
    """

    def __init__(self, paths: Sequence[str], stream_of: Callable[[str], Stream]) -> None:
        self._paths = paths
        self._streams = [stream_of(path) for path in paths]
        self.rereadable = all(stream.rereadable for stream in self._streams)
        self.parses = any(getattr(stream, "parses", False) for stream in self._streams)
        self._sizes = [os.path.getsize(path) for path in paths] if self.rereadable else []
        first = self._streams[0].description
        self.description = f"{len(self._streams)} files, first {first}" if len(paths) > 1 else first
        self._read = 0
        #: How many rows there were by the end of each file that this pass has read.
        self._ends: list[int] = []

    @property
    def schema(self) -> Schema:
        """What is known of all files."""
        return self.schema_after(math.inf)

    def schema_after(self, rows: float) -> Schema:
        """What so many rows of this pass have told, however many more are read already."""
        known, starts = UNKNOWN, [0, *self._ends]
        for file, stream in enumerate(self._streams):
            inside = max(rows - starts[file], 0) if file < len(starts) else 0
            known = known.and_then(known_after(stream, inside))
        return known

    def like(self, taught: Schema) -> ChainedStream:
        """The same rows; what a file was not told is as it was in what a model was taught."""
        files = iter([stream.like(taught) if hasattr(stream, "like") else stream for stream in self._streams])
        return ChainedStream(self._paths, lambda _: next(files))

    @property
    def likely_ids(self) -> tuple[str, ...]:
        """The columns that look like ids in the first file."""
        found: tuple[str, ...] = getattr(self._streams[0], "likely_ids", ()) if self._streams else ()
        return found

    @property
    def skipped(self) -> int:
        """Bad lines that were skipped, over all files that this pass has met."""
        return sum(getattr(stream, "skipped", 0) for stream in self._streams[: self._read])

    @property
    def bad_lines(self) -> list[DataError]:
        """The first few of them."""
        lines = [bad for stream in self._streams[: self._read] for bad in getattr(stream, "bad_lines", [])]
        return lines[:KEPT_BAD_LINES]

    def progress(self) -> float | None:
        """The part of all bytes that is read in this pass, from 0 to 1; None where it is not known."""
        if not self._read or not sum(self._sizes):
            return None
        inside = getattr(self._streams[self._read - 1], "progress", lambda: None)()
        if inside is None:
            return None
        before = sum(self._sizes[: self._read - 1])
        return float((before + inside * self._sizes[self._read - 1]) / sum(self._sizes))

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        """The rows from `start` on; an error names the file that it is in."""
        check_start(labels, start)
        codes, before, decision = _Codes(), Position(), None
        self._ends = []
        resumed = 0 if start is None else start.file
        if resumed >= len(self._streams):
            raise DataError(
                f"the input changed: it has {len(self._streams)} files, and file {resumed + 1} was read before"
            )
        for file, stream in enumerate(self._streams):
            self._read = file + 1
            inside = _inside(start, before) if start is not None and file == resumed else None
            last = inside or Position()
            for batch in self._file(stream, labels, wants, inside, resumed > 0):
                last = batch.position
                decision = decision or batch.labels
                labels = decision or labels
                shared = codes.shared(batch) if labels.kind == "classes" else batch
                if file >= resumed:
                    yield replace(shared, position=_whole(last, before, file), labels=decision)
            if last == inside and labels.kind == "classes" and labels.classes is None:
                # The position was the end of this file: nothing came that could say which classes it has.
                for batch in stream.batches(labels, wants=wants):
                    codes.shared(batch)
            before = _after(before, last, getattr(stream, "skipped", 0))
            self._ends.append(before.rows)

    def _file(
        self, stream: Stream, labels: Labels, wants: Wants, inside: Position | None, several: bool
    ) -> Iterator[Batch]:
        """The rows of one file; where it is not what it was before, that may be due to an earlier one."""
        begun = False
        try:
            for batch in stream.batches(labels, wants=wants, start=inside):
                begun = True
                yield batch
        except DataError as error:
            if inside is None or begun or not several or "the input changed" not in error.message:
                raise
            message = "this file, or one before it, changed since the checkpoint was written"
            raise DataError(f"{message}; start again from the beginning", source=error.source) from error


class _Codes:
    """One table of classes for files that have one each."""

    def __init__(self) -> None:
        self._codes: dict[ClassName, int] = {}
        self._own: tuple[ClassName, ...] = ()
        self._table = np.zeros(0)
        self._classes: tuple[ClassName, ...] = ()

    def shared(self, batch: Batch) -> Batch:
        if batch.classes is not self._own:
            codes = [self._codes.setdefault(name, len(self._codes)) for name in batch.classes]
            self._own, self._table, self._classes = batch.classes, np.array(codes, np.float64), tuple(self._codes)
        return replace(batch, y=self._table[batch.y.astype(np.int64)], classes=self._classes)


def _whole(last: Position, before: Position, file: int) -> Position:
    """A position inside a file as one of all; `before` is what `_after` said of the files before it.

    The checksums are mixed so that the one inside the file comes out right only when those before it are the same.
    """
    return replace(
        last, rows=before.rows + last.rows, skipped=before.skipped + last.skipped, crc=before.crc ^ last.crc, file=file
    )


def _inside(start: Position, before: Position) -> Position:
    """The opposite of `_whole`."""
    rows, skipped = start.rows - before.rows, start.skipped - before.skipped
    if rows < 0 or skipped < 0:
        message = f"the input changed since the checkpoint was written: the first {start.file} files are not the same"
        raise DataError(f"{message}; start again from the beginning")
    return replace(start, rows=rows, skipped=skipped, crc=start.crc ^ before.crc, file=0)


def _after(before: Position, last: Position, skipped: int) -> Position:
    crc = zlib.crc32(last.crc.to_bytes(4, "little"), before.crc)
    return Position(rows=before.rows + last.rows, skipped=before.skipped + skipped, crc=crc)
