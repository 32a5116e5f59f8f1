"""Zstandard frames, one after the other, decompressed as their bytes come."""

from __future__ import annotations

from typing import Any

from afterwit.errors import DataError

# A block of four bytes may become 128 KB: small pieces bound what one of them can grow to.
_PIECE_BYTES = 8192


class ZstdReader:
    """The decompressed bytes of a file of zstd frames; a frame cut short is an `EOFError`, as it is for gzip."""

    def __init__(self, file: Any, name: str) -> None:
        try:
            import zstandard
        except ImportError:
            message = "zstd data needs the package `zstandard`: pip install 'afterwit[zstd]'"
            raise DataError(message, source=name) from None
        self._file = file
        self._error: type[Exception] = zstandard.ZstdError
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame: Any = None
        self._packed = b""
        self._unpacked = memoryview(b"")

    def read1(self, size: int) -> bytes:
        """At most `size` bytes, as soon as there are any; none at the end."""
        while not self._unpacked:
            self._packed = self._packed or self._file.read1(_PIECE_BYTES)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError
                return b""
            self._unpack()
        part, self._unpacked = self._unpacked[:size], self._unpacked[size:]
        return bytes(part)

    def _unpack(self) -> None:
        frame = self._frame or self._decompressor.decompressobj()
        try:
            self._unpacked = memoryview(frame.decompress(self._packed))
        except self._error as error:
            raise OSError(str(error)) from error
        self._packed = frame.unused_data if frame.eof else b""
        self._frame = None if frame.eof else frame
