"""Compressed members, one after the other, decompressed as their bytes come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# A block of four bytes of zstd may become 128 KB: small pieces bound what one of them can grow to.
_PIECE_BYTES = 8192


class MemberReader:
    """The decompressed bytes of all members of a file; one cut short is an `EOFError`, as it is for gzip.

    `begin` makes a decompressor such as those of `bz2` and `lzma`, whose own readers end at a second member that is
    damaged as if it were not there. Members may be followed by zero bytes, a multiple of `padding` of them.
    """

    def __init__(self, file: Any, begin: Callable[[], Any], padding: int | None = None) -> None:
        self._file, self._begin, self._padding = file, begin, padding
        self._member: Any = None
        self._packed = b""
        self._unpacked = memoryview(b"")
        self._zeros = 0

    def read1(self, size: int) -> bytes:
        """At most `size` bytes, as soon as there are any; none at the end."""
        while not self._unpacked:
            if self._member is None or self._member.needs_input:
                self._packed = self._packed or self._file.read1(_PIECE_BYTES)
                if not self._packed:
                    return self._end()
            if self._member is None:
                self._skip_padding()
            if self._member is not None:
                self._unpack(size)
        part, self._unpacked = self._unpacked[:size], self._unpacked[size:]
        return bytes(part)

    def _unpack(self, size: int) -> None:
        data, self._packed = self._packed, b""
        self._unpacked = memoryview(self._member.decompress(data, size))
        if self._member.eof:
            self._packed, self._member = self._member.unused_data, None

    def _skip_padding(self) -> None:
        rest = self._packed.lstrip(b"\0") if self._padding else self._packed
        self._zeros += len(self._packed) - len(rest)
        self._packed = rest
        if rest:
            self._check_padding()
            self._member = self._begin()

    def _check_padding(self) -> None:
        if self._padding and self._zeros % self._padding:
            raise OSError(f"{self._zeros} zero bytes between its parts, expected a multiple of {self._padding}")
        self._zeros = 0

    def _end(self) -> bytes:
        if self._member is not None:
            raise EOFError
        self._check_padding()
        return b""
