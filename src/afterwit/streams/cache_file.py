"""The layout of a cache: parsed batches as they lie in memory, each with its checksums.

    magic               16 bytes
    blocks              one per batch: head, extra, body
    end                 a block without a body; its extra has the facts that hold for the whole file
    offset of the end   u64
    magic               16 bytes

A head is a CRC-32 of itself and of the extra, then `_HEAD`. The extra is JSON, padded to a multiple of 8: the classes
where they changed, the names of the features, and ids. The body, with its own CRC-32 in the head, has the arrays one
after the other, each padded to 8: values (f32 where they came packed, else f64), labels, weights, groups, keys (u32
where all fit, else u64), lengths of the rows.
All numbers are little-endian; no byte is without a check.
"""

from __future__ import annotations

import json
import os
import struct
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import astuple, fields
from io import BufferedReader
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from isal import isal_zlib

from afterwit.errors import AfterwitError
from afterwit.files.whole import whole_file
from afterwit.protocols import Batch, ClassName, Position

MAGIC = b"afterwit cache 2"
_TAIL = struct.Struct("<Q16s")
_WIDE, _WEIGHT, _GROUPS, _END, _PACKED = 1, 2, 4, 8, 16
_F4, _F8, _U4, _U8 = (np.dtype(kind) for kind in ("<f4", "<f8", "<u4", "<u8"))


class Damaged(Exception):
    """The file is not a whole cache."""


class _Head(NamedTuple):
    """What stands before a block's arrays."""

    body_crc: int
    flags: int
    extra_bytes: int
    rows: int
    features: int
    position: Position

    def packed(self, crc: int = 0) -> bytes:
        return _HEAD.pack(crc, *self[:5], *astuple(self.position))

    def parts(self) -> tuple[list[tuple[np.dtype[Any], int, int]], int]:
        """The type, the length and the place of each array of the body, and the size of all."""
        kinds = [(_F4 if self.flags & _PACKED else _F8, self.features), (_F8, self.rows)]
        kinds += [(_F8, self.rows)] if self.flags & _WEIGHT else []
        kinds += [(_U8, self.features)] if self.flags & _GROUPS else []
        parts, size = [], 0
        for kind, length in (*kinds, (_U8 if self.flags & _WIDE else _U4, self.features), (_U4, self.rows)):
            parts.append((kind, length, size))
            size += _padded(kind.itemsize * length)
        return parts, size


_HEAD = struct.Struct(f"<4I2Q{len(fields(Position))}Q")
_CRC_BYTES = 4


class CacheWriter:
    """Writes batches, then `end`."""

    def __init__(self, write: Callable[[bytes | memoryview], None]) -> None:
        self._write = write
        self._offset = 0
        self._classes: tuple[ClassName, ...] = ()
        self._put(MAGIC)

    def add(self, batch: Batch) -> None:
        extra: dict[str, Any] = {}
        if batch.classes != self._classes:
            extra["classes"] = self._classes = batch.classes
        if batch.names is not None:
            extra["names"] = batch.names
        if batch.ids is not None:
            extra["ids"] = batch.ids
        wide = len(batch.keys) > 0 and int(batch.keys.max()) >= 1 << 32
        flags = wide * _WIDE | (batch.weight is not None) * _WEIGHT | (batch.groups is not None) * _GROUPS
        flags |= (batch.values.dtype == np.float32) * _PACKED
        arrays = [batch.values, batch.y, batch.weight, batch.groups]
        arrays += [batch.keys if wide else batch.keys.astype("<u4", copy=False), np.diff(batch.starts).astype("<u4")]
        body = _joined([array for array in arrays if array is not None])
        self._put_block(_Head(_crc(body), flags, 0, len(batch), len(batch.keys), batch.position), extra, body)

    def end(self, facts: dict[str, Any]) -> None:
        """The facts that `open_cache` returns."""
        at = self._offset
        self._put_block(_Head(0, _END, 0, 0, 0, Position()), facts, b"")
        self._put(_TAIL.pack(at, MAGIC))

    def _put_block(self, head: _Head, extra: dict[str, Any], body: bytes | memoryview) -> None:
        words = json.dumps(extra).encode() if extra else b""
        words = words.ljust(_padded(len(words)))
        head = head._replace(extra_bytes=len(words))
        crc = _crc(head.packed()[_CRC_BYTES:] + words)
        for piece in (head.packed(crc), words, body):
            self._put(piece)

    def _put(self, piece: bytes | memoryview) -> None:
        self._write(piece)
        self._offset += len(piece)


class Draft(AbstractContextManager["Draft"]):
    """A cache that is being written, and appears with `end`. Where the disk refuses, it is given up quietly."""

    def __init__(self, path: str) -> None:
        self._opened = ExitStack()
        self._writer: CacheWriter | None = None
        with self._attempt():
            self._writer = CacheWriter(self._opened.enter_context(whole_file(path)))

    def add(self, batch: Batch) -> None:
        if self._writer is not None:
            with self._attempt():
                self._writer.add(batch)

    def end(self, facts: dict[str, Any]) -> None:
        if self._writer is not None:
            with self._attempt():
                self._writer.end(facts)
                self._opened.close()

    def __exit__(self, *_: object) -> None:
        """Removes what was not ended."""
        self._writer = None
        unfinished = Damaged("unfinished")
        self._opened.__exit__(Damaged, unfinished, None)

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        try:
            yield
        except AfterwitError:
            self.__exit__()


class CacheReader:
    """An open cache; `facts` are those that it was ended with. Raises `Damaged` at anything that is not right."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._rooms: list[tuple[bytearray, weakref.ref[Any]]] = []
        size = os.fstat(file.fileno()).st_size
        if size < len(MAGIC) + _TAIL.size or self._read(len(MAGIC)) != MAGIC:
            raise Damaged
        file.seek(size - _TAIL.size)
        self._end, magic = _TAIL.unpack(self._read(_TAIL.size))
        if magic != MAGIC or self._end > size:
            raise Damaged
        file.seek(self._end)
        head, self.facts = self._head(size - self._end)
        if head.flags != _END or file.tell() != size - _TAIL.size:
            raise Damaged

    def batches(self, start: Position | None) -> Iterator[Batch]:
        """The batches after `start`; `Damaged` before the first where none ends there."""
        self._file.seek(len(MAGIC))
        classes: tuple[ClassName, ...] = ()
        found = start is None
        at = len(MAGIC)
        while at < self._end:
            head, extra = self._head(self._end - at)
            parts, size = head.parts()
            at += _HEAD.size + head.extra_bytes + size
            if head.flags & _END or at > self._end:
                raise Damaged
            if "classes" in extra:
                classes = tuple(extra["classes"])
            if found:
                yield self._batch(head, parts, size, classes, extra)
            else:
                self._file.seek(size, os.SEEK_CUR)
                found = head.position == start
        if not found:
            raise Damaged

    def _head(self, limit: int) -> tuple[_Head, dict[str, Any]]:
        """The next head and its extra, which are not longer than `limit`."""
        fixed = self._read(_HEAD.size)
        crc, body_crc, flags, extra_bytes, rows, features, *position = _HEAD.unpack(fixed)
        if _HEAD.size + extra_bytes > limit:
            raise Damaged
        words = self._read(extra_bytes) if extra_bytes else b""
        if _crc(fixed[_CRC_BYTES:] + words) != crc:
            raise Damaged
        head = _Head(body_crc, flags, extra_bytes, rows, features, Position(*position))
        return head, json.loads(words) if words else {}

    def _batch(
        self,
        head: _Head,
        parts: list[tuple[np.dtype[Any], int, int]],
        size: int,
        classes: tuple[ClassName, ...],
        extra: dict[str, Any],
    ) -> Batch:
        body = self._body(size)
        if self._file.readinto(body.data) != len(body) or _crc(body) != head.body_crc:
            raise Damaged
        values, y, *optional, keys, lengths = [np.frombuffer(body, kind, length, at) for kind, length, at in parts]
        starts = np.zeros(head.rows + 1, dtype=np.int64)
        np.add.accumulate(lengths.astype(np.int64), out=starts[1:])
        if starts[-1] != head.features:
            raise Damaged
        weight = optional.pop(0) if head.flags & _WEIGHT else None
        groups = optional.pop(0) if head.flags & _GROUPS else None
        if not head.flags & _PACKED:
            keys = keys.astype(np.uint64, copy=False)
        ids = tuple(extra["ids"]) if "ids" in extra else None
        return Batch(keys, values, starts, y, weight, classes, extra.get("names"), head.position, groups, ids=ids)

    def _body(self, size: int) -> npt.NDArray[np.uint8]:
        """Room for a body: that of an earlier one where nobody looks at it any more. New memory is slow."""
        room = next((room for room, body in self._rooms if body() is None and len(room) >= size), None)
        if room is None:
            room = bytearray(size + size // 4)
        body = np.frombuffer(room, dtype=np.uint8, count=size)  # not a part of an array: its parts keep it alive
        used = [(other, other_body) for other, other_body in self._rooms if other_body() is not None]
        self._rooms = [*used[-1:], (room, weakref.ref(body))]
        return body

    def _read(self, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) != size:
            raise Damaged
        return data


def _padded(size: int) -> int:
    return (size + 7) & ~7


def _crc(data: Any) -> int:
    return int(isal_zlib.crc32(data))


def _joined(arrays: list[npt.NDArray[Any]]) -> memoryview:
    """The arrays one after the other, each padded with zeros."""
    body = np.zeros(sum(_padded(array.nbytes) for array in arrays), dtype=np.uint8)
    at = 0
    for array in arrays:
        little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        body[at : at + array.nbytes] = little.view(np.uint8)
        at += _padded(array.nbytes)
    return body.data
