"""Zstandard frames, with the face of Python's decompressors."""

from __future__ import annotations

from typing import Any

from afterwit.errors import DataError

_LONGEST_HEADER = 18


class ZstdFrames:
    """Begins one frame after the other."""

    def __init__(self, name: str) -> None:
        try:
            import zstandard
        except ImportError:
            message = "zstd data needs the package `zstandard`: pip install 'afterwit[zstd]'"
            raise DataError(message, source=name) from None
        self.name, self.package = name, zstandard
        self._decompressor = zstandard.ZstdDecompressor()

    def __call__(self) -> ZstdFrame:
        return ZstdFrame(self, self._decompressor.decompressobj())


class ZstdFrame:
    """One frame; all that comes of some bytes comes at once."""

    needs_input = True

    def __init__(self, frames: ZstdFrames, frame: Any) -> None:
        self._frames, self._frame, self._head = frames, frame, b""

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._frame.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        self._head += data[: _LONGEST_HEADER - len(self._head)]
        try:
            return bytes(self._frame.decompress(data))
        except self._frames.package.ZstdError as error:
            if "too much memory" in str(error):
                self._check_window()
            raise OSError(str(error)) from error

    def _check_window(self) -> None:
        """Names the window that is too wide; one that no compressor writes is damage."""
        try:
            window = int(self._frames.package.get_frame_parameters(self._head).window_size)
        except self._frames.package.ZstdError:
            return
        size = f"{window >> 30} GB" if window >> 30 else f"{window >> 20} MB"
        raise DataError(f"the zstd data needs a window of {size}; recompress without --long", source=self._frames.name)
