"""Rows from any iterable of (dict, label) or (dict, label, weight)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from afterwit.errors import DataError
from afterwit.protocols import NOTHING, Batch, Labels, Position, Wants
from afterwit.schema import UNKNOWN, Schema
from afterwit.streams import labels as label_room
from afterwit.streams.arrays import rows_of
from afterwit.streams.labels import LabelReader, check_start
from afterwit.streams.weights import weights

SOURCE = "iterable"


class IterableStream:
    """Rows as they come from an iterable; read again only if the iterable can be (a list, not a generator)."""

    skipped = 0

    def __init__(self, rows: Iterable[Any], batch_rows: int = 4096) -> None:
        self._batch_rows = batch_rows
        self._rows = rows
        self.rereadable = not isinstance(rows, Iterator)
        self.description = "rows from Python"
        self.size = len(rows) if isinstance(rows, Sized) else None
        self._was_read = False
        self._met, self._rows_met = Counter[Any](), 0

    @property
    def schema(self) -> Schema:
        """The names that rows have had so far; those that are numbers do not count."""
        named = tuple(name for name in self._met if isinstance(name, str))
        rare = tuple(name for name in named if self._met[name] < self._rows_met)
        return Schema(columns=named, sometimes=rare).bounded() if named else UNKNOWN

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        check_start(labels, start)
        if self._was_read and not self.rereadable:
            raise DataError(
                f"a `{type(self._rows).__name__}` can be read only once, and it was; give a list", source=SOURCE
            )
        self._was_read = True
        reader = LabelReader(labels, SOURCE)
        self._met, self._rows_met = Counter(), 0
        done = 0
        rows = iter(self._rows)
        if start is not None:
            for row in islice(rows, start.rows):
                done += 1
                if labels.kind == "classes":
                    reader.read([row[1]], done)
            if done < start.rows:
                raise DataError(f"the input changed: it has {done} rows, and {start.rows} were read before")
        if reader.labels.kind == "auto":
            first = list(islice(rows, label_room.LOOKED_AT))
            reader.look([row[1] for row in first if _is_row(row)])
            rows = chain(first, rows)
        while chunk := list(islice(rows, self._batch_rows)):
            if labels.kind == "none":
                chunk = [(row, None) if isinstance(row, Mapping) else row for row in chunk]
            yield self._batch(chunk, reader, wants, done)
            done += len(chunk)

    def _batch(self, chunk: list[Any], reader: LabelReader, wants: Wants, done: int) -> Batch:
        for i, row in enumerate(chunk):
            if not _is_row(row):
                raise DataError(
                    f"`{repr(row)[:60]}` is not a row; expected (dict, label) or (dict, label, weight)",
                    source=f"{SOURCE}, row {done + i + 1}",
                )
        mappings = [row[0] if isinstance(row[0], dict) else dict(row[0]) for row in chunk]
        rows = _rows(mappings, wants, done)
        self._met.update(chain.from_iterable(mappings))
        self._rows_met += len(mappings)
        y = reader.read([row[1] for row in chunk], done + 1)
        weight = None
        if any(len(row) == 3 for row in chunk):
            given = [row[2] if len(row) == 3 else 1.0 for row in chunk]
            weight = weights(given, len(chunk), SOURCE, done + 1)
        classes, position = tuple(reader.classes), Position(rows=done + len(chunk))
        return replace(rows, y=y, weight=weight, classes=classes, position=position, labels=reader.decision)


def _is_row(row: Any) -> bool:
    return isinstance(row, tuple) and len(row) in (2, 3) and isinstance(row[0], Mapping)


def _rows(mappings: list[dict[Any, Any]], wants: Wants, done: int) -> Batch:
    """The rows; where one is no mapping of numbers and words, once more one by one to find the place."""
    try:
        return rows_of(mappings, wants=wants, source=SOURCE, first_row=done + 1)
    except DataError:
        raise
    except (TypeError, ValueError):
        for row, mapping in enumerate(mappings, done + 1):
            try:
                rows_of([mapping], wants=wants)
            except (TypeError, ValueError) as error:
                raise DataError(str(error), source=f"{SOURCE}, row {row}") from None
        raise
