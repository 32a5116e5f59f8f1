"""Reading a file, a pipe or standard input, decompressed by its first bytes."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import TracebackType
from typing import Any, Protocol

from afterwit.errors import DataError, quoted_path

#: The path that stands for standard input.
STDIN = "-"
_HEAD_BYTES = 10
_BZ2_BLOCKS = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...

    def readinto1(self, room: memoryview, /) -> int: ...


class ByteReader(AbstractContextManager["ByteReader"]):
    """The decompressed bytes of one source; use it in a `with` block."""

    def __init__(self, path: str) -> None:
        self.name = source_name(path)
        self.compression: str | None = None
        #: How much of a regular file is read, from 0 to 1.
        self.fraction: float | None = None
        self._size = self._descriptor = 0
        self._ahead = b""
        self._damaged: tuple[type[Exception], ...] = (OSError,)
        # Whoever waits for standard input keeps it alive: closing it at exit would wait for the same lock.
        self._stdin = sys.stdin if path == STDIN else None
        with ExitStack() as opened:
            file = _open(path, opened)
            if path != STDIN and stat.S_ISREG((found := os.fstat(file.fileno())).st_mode):
                self._size, self._descriptor, self.fraction = found.st_size, file.fileno(), 0.0
            with self._explained():
                head = file.read(_HEAD_BYTES)
                if file.seekable():
                    file.seek(0)
                else:
                    file = opened.enter_context(io.BufferedReader(_Rejoined(head, file)))
            self.compression = _compression(head)
            self._file: _Readable = file
            if self.compression is not None:
                from afterwit.files.decompressors import DAMAGED, decompressed

                self._damaged = DAMAGED
                self._file = decompressed(file, self.compression, self.name, opened)
            self._opened = opened.pop_all()

    def read(self, size: int) -> bytes:
        """At most `size` bytes, as soon as there are any; none at the end."""
        if self._ahead:
            data, self._ahead = self._ahead[:size], self._ahead[size:]
            return data
        with self._explained():
            data = self._file.read1(size)
            self._note_fraction()
            return data

    def put_back(self, data: bytes) -> None:
        """These bytes are read again before all others."""
        self._ahead = data + self._ahead

    def read_into(self, room: memoryview) -> int:
        """The same into a buffer; how many."""
        if self.compression is not None or self._ahead:
            data = self.read(len(room))
            room[: len(data)] = data
            return len(data)
        with self._explained():
            count: int = self._file.readinto1(room)
            self._note_fraction()
            return count

    def _note_fraction(self) -> None:
        if self._size:
            self.fraction = min(os.lseek(self._descriptor, 0, os.SEEK_CUR) / self._size, 1.0)

    def close(self) -> None:
        self._opened.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except EOFError as error:
            message = f"the {self.compression} data ends too early; the file was cut short, get it again"
            raise DataError(message, source=self.name) from error
        except self._damaged as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise unreadable(self.name, error) from error
            message = f"the {self.compression} data is damaged ({error}); get the file again"
            raise DataError(message, source=self.name) from error


def source_name(path: str) -> str:
    """What to call a path in reports and errors."""
    return "standard input" if path == STDIN else path


def is_rereadable(path: str) -> bool:
    """Whether the path is a regular file, and not a pipe that can be read only once."""
    if path == STDIN:
        return False
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise unreadable(path, error) from error
    if stat.S_ISDIR(mode):
        raise unreadable(path, IsADirectoryError())
    return stat.S_ISREG(mode)


class _Rejoined(io.RawIOBase):
    """A pipe with the bytes put back that were read to look at them."""

    def __init__(self, head: bytes, rest: Any) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        # Not readinto1, which may wait for more although it has some.
        data = self._head[: len(buffer)] if self._head else self._rest.read1(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def _open(path: str, opened: ExitStack) -> Any:
    if path == STDIN:
        return sys.stdin.buffer
    try:
        return opened.enter_context(open(path, "rb"))
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: str, error: OSError) -> DataError:
    """The error for a path that the system does not let us read."""
    reasons = {FileNotFoundError: "no such file", IsADirectoryError: "it is a directory"}
    reason = reasons.get(type(error), (error.strerror or str(error)).lower())
    return DataError(f"cannot read {quoted_path(path)}: {reason}")


def _compression(head: bytes) -> str | None:
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return "zstd"
    # Three letters alone could be the beginning of a word.
    return "bz2" if head.startswith(b"BZh") and head[4:] in _BZ2_BLOCKS else None
