"""A file that is parsed once: the first pass keeps its batches beside it, later passes and runs read those."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import astuple, replace
from functools import partial
from typing import Any, Protocol

from isal import isal_zlib

from afterwit._core import version
from afterwit.errors import DataError, quoted_path
from afterwit.files.whole import remove_leftovers
from afterwit.protocols import NOTHING, Batch, Labels, Position, Stream, Wants
from afterwit.schema import Met, Schema, known_after
from afterwit.streams.ahead import ahead
from afterwit.streams.cache_file import CacheReader, Damaged, Draft
from afterwit.streams.labels import check_start

ENDING = ".afterwit-cache"
#: A file changed again within the grain of its clock looks unchanged; one this young is known by its content alone.
YOUNG_NS = 2_000_000_000
_NOT_A_CACHE = (Damaged, OSError, ValueError, TypeError, KeyError)


class Cacheable(Stream, Protocol):
    """A stream of a file. `options` are plain data: all that decides which rows and batches the file gives."""

    path: str
    skipped: int
    bad_lines: list[DataError]

    def like(self, taught: Schema) -> Cacheable: ...

    @property
    def options(self) -> dict[str, Any]: ...

    def progress(self) -> float | None: ...

    def schema_told(self, met: Met | None, rows: float) -> Schema: ...


class CachedStream:
    """The batches of a stream, from PATH.afterwit-cache where that holds just what the stream would give.

    The cache is written during a pass from the beginning and appears when the pass ends. It is used while the source
    has the same size, time and inode, or else the same checksum, for the same options; if not, or if a check of any of
    its blocks fails, the text is read instead and the cache replaced. Text is parsed in a thread of its own; a cache is
    read faster than a thread is woken.
    """

    rereadable = True

    def __init__(self, stream: Cacheable) -> None:
        if not stream.rereadable:
            raise DataError(f"{stream.description} cannot have a cache: it can be read only once; leave the cache out")
        self._stream = stream
        self.path = stream.path
        self.cache_path = stream.path + ENDING
        if os.path.realpath(self.cache_path) == os.path.realpath(self.path):
            raise DataError(f"{quoted_path(self.cache_path)} is a link to the file that it would be the cache of")
        self.description = f"{stream.description[:-1]}, cache)"
        self.skipped = 0
        self.bad_lines: list[DataError] = []
        self.likely_ids: tuple[str, ...] = ()
        self._met: Met | None = None
        self._known: tuple[Any, ...] | None = None
        self._fraction: float | None = None
        self._parsing = False

    @property
    def schema(self) -> Schema:
        """What is known of the file; where only its rows tell of columns, as the cache has them."""
        return self.schema_after(math.inf)

    def schema_after(self, rows: float) -> Schema:
        """What so many rows of this pass have told."""
        return known_after(self._stream, rows) if self._met is None else self._stream.schema_told(self._met, rows)

    def like(self, taught: Schema) -> CachedStream:
        """The same rows; what the file was not told is as it was in what a model was taught."""
        return CachedStream(self._stream.like(taught))

    def progress(self) -> float | None:
        """The part of the pass that is read, from 0 to 1."""
        return self._stream.progress() if self._parsing else self._fraction

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        """The rows from `start` on, the same as without a cache."""
        if labels.kind == "auto":
            check_start(labels, start)
            return self._decided(labels, wants)
        return self._pass(labels, wants, start, self._parsed(labels, wants, start))

    def _decided(self, labels: Labels, wants: Wants) -> Iterator[Batch]:
        """The text alone decides; the cache is then that of labels which were asked for by name."""
        with closing(self._stream.batches(labels, wants=wants)) as text:  # type: ignore[type-var]
            decision = next((batch.labels for batch in text), None) or Labels("real")
        with closing(self.batches(decision, wants=wants)) as batches:  # type: ignore[type-var]
            yield from map(partial(replace, labels=decision), batches)

    def _parsed(self, labels: Labels, wants: Wants, start: Position | None) -> Iterator[Batch]:
        return ahead(self._stream.batches(labels, wants=wants, start=start))

    def _pass(self, labels: Labels, wants: Wants, start: Position | None, text: Iterator[Batch]) -> Iterator[Batch]:
        options = self._options(labels, wants)
        self._parsing, self._met = False, None
        remove_leftovers(self.cache_path)  # this pass may be the last, and write none
        last = start
        with ExitStack() as opened:
            opened.callback(_close, text)
            rows = self._kept(options, start, opened)
            if rows is not None:
                while True:
                    try:
                        batch = next(rows)
                    except StopIteration:
                        return
                    except _NOT_A_CACHE:
                        break
                    last = batch.position
                    self.skipped = last.skipped
                    yield batch
            self._parsing = True
            if start is not None and last == start:
                # A checkpoint of a run that had no cache, or another one.
                yield from self._watched(text)
            else:
                again = text if last is None else self._parsed(labels, wants, None)
                opened.callback(_close, again)
                yield from self._written(options, last, again)

    def _watched(self, text: Iterator[Batch]) -> Iterator[Batch]:
        for batch in text:
            self._follow(batch.position.skipped)
            yield batch
        self._follow(self._stream.skipped)

    def _follow(self, skipped: int) -> None:
        self.skipped, self.bad_lines = skipped, self._stream.bad_lines
        self.likely_ids = getattr(self._stream, "likely_ids", ())

    def _written(self, options: dict[str, Any], last: Position | None, text: Iterator[Batch]) -> Iterator[Batch]:
        """All batches go to a new cache; those after `last` are delivered."""
        before = _identity(self.path)
        rows, waits = 0, last is not None
        with Draft(self.cache_path) as draft:
            for batch in self._watched(text):
                draft.add(batch)
                rows = batch.position.rows
                if not waits:
                    yield batch
                elif last is not None and rows >= last.rows:
                    if batch.position != last:
                        raise DataError("the input changed while it was read; start again", source=self.path)
                    waits = False
            checksum = _checksum(self.path)
            if _identity(self.path) == before:
                draft.end(self._facts(options, before, checksum, rows))
                self._known = (before, checksum)

    def _kept(self, options: dict[str, Any], start: Position | None, opened: ExitStack) -> Iterator[Batch] | None:
        """The batches of the cache, if there is one that may be used."""
        try:
            file = opened.enter_context(open(self.cache_path, "rb"))
            cache = CacheReader(file)
            facts = cache.facts
            if facts["options"] != options or not self._is_of_source(facts["source"]):
                return None
            self.skipped = 0 if start is None else start.skipped
            self.bad_lines = [_bad_line(*fields) for fields in facts["bad_lines"]]
            self.likely_ids = tuple(facts["likely_ids"])
            self._met = facts["columns_met"]
            return self._counted(cache, facts, start)
        except _NOT_A_CACHE:
            return None

    def _counted(self, cache: CacheReader, facts: dict[str, Any], start: Position | None) -> Iterator[Batch]:
        rows = int(facts["rows"])
        with closing(cache.batches(start)) as batches:  # type: ignore[type-var]
            for batch in batches:
                self._fraction = batch.position.rows / max(rows, 1)
                yield batch
        self.skipped = int(facts["skipped"])

    def _is_of_source(self, source: dict[str, Any]) -> bool:
        now = _identity(self.path)
        if source["identity"] == list(now):
            return True
        if source["size"] != now[0]:
            return False
        if self._known != (now, source["checksum"]):
            self._known = (now, _checksum(self.path))
        return self._known == (now, source["checksum"])

    def _options(self, labels: Labels, wants: Wants) -> dict[str, Any]:
        options = {
            "library": version,
            "stream": self._stream.options,
            "labels": [labels.kind, labels.classes],
            "wants": astuple(wants),
        }
        plain: dict[str, Any] = json.loads(json.dumps(options))  # as it is read back
        return plain

    def _facts(self, options: dict[str, Any], identity: tuple[int, ...], checksum: str, rows: int) -> dict[str, Any]:
        bad_lines = [[bad.message, bad.source, bad.line, bad.column] for bad in self._stream.bad_lines]
        old = time.time_ns() - identity[1] > YOUNG_NS
        source = {"identity": list(identity) if old else None, "size": identity[0], "checksum": checksum}
        facts = {"options": options, "source": source, "skipped": self.skipped, "bad_lines": bad_lines, "rows": rows}
        met = getattr(self._stream, "columns_met", None)
        return {**facts, "likely_ids": self.likely_ids, "columns_met": met}


def _identity(path: str) -> tuple[int, ...]:
    """Size, time and inode: as long as they are the same, the file is."""
    try:
        found = os.stat(path)
    except OSError:
        return -1, 0, 0
    return found.st_size, found.st_mtime_ns, found.st_ino


def _checksum(path: str) -> str:
    """The CRC-32 and the Adler-32 of a file: to find changes, not enemies, and twenty times as fast as SHA-256."""
    crc, adler = 0, 1
    try:
        with open(path, "rb") as file:
            while piece := file.read(1 << 20):
                crc, adler = isal_zlib.crc32(piece, crc), isal_zlib.adler32(piece, adler)
    except OSError:
        return ""
    return f"{crc:08x}{adler:08x}"


def _bad_line(message: Any, source: Any, line: Any, column: Any) -> DataError:
    return DataError(str(message), source=source, line=line, column=column)


def _close(batches: Any) -> None:
    batches.close()
