"""Text that can be read only once, and whose name does not tell its format: its first bytes do, when it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from afterwit.files.compressed import ByteReader
from afterwit.protocols import NOTHING, Batch, Labels, Position, Wants
from afterwit.schema import Schema
from afterwit.streams.formats import begins_with_brace


class Undecided:
    """The stream that `made` gives for JSON lines, or for another text; until it is known, the other one."""

    rereadable = False

    def __init__(self, path: str, made: Callable[[bool], Any]) -> None:
        self._path, self._made = path, made
        self._stream, self._known = made(False), False

    @property
    def description(self) -> str:
        """What to call it."""
        name: str = self._stream.description
        return name

    def like(self, taught: Schema) -> Undecided:
        """The same rows; what it was not told is as it was in what a model was taught."""
        return Undecided(self._path, lambda is_json: self._made(is_json).like(taught))

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        """The rows from `start` on."""
        as_it_is: Iterator[Batch] = self._stream.batches(labels, wants=wants, start=start)
        return as_it_is if self._known else self._found(labels, wants, start)

    def _found(self, labels: Labels, wants: Wants, start: Position | None) -> Iterator[Batch]:
        reader, self._known = ByteReader(self._path), True
        try:
            self._stream = self._made(begins_with_brace(reader)).begun_by(reader)
        except BaseException:
            reader.close()
            raise
        yield from self._stream.batches(labels, wants=wants, start=start)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._stream, name)
