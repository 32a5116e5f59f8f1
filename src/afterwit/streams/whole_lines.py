"""Text in blocks of whole lines, whatever the sizes in which its bytes arrive."""

from __future__ import annotations

from afterwit.errors import DataError
from afterwit.files.compressed import ByteReader

CHUNK_BYTES = 1 << 19
LONGEST_LINE = 64 << 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class WholeLines:
    """Keeps the unfinished line at the end of each chunk for the next block; leaves out a byte order mark."""

    def __init__(self, reader: ByteReader) -> None:
        self._reader = reader
        self._unfinished: list[bytes] = []
        self._unfinished_bytes = 0
        self._is_first = True
        self._put_back = b""

    def put_back(self, block: bytes) -> None:
        """The next `read` gives these lines again."""
        self._put_back = block

    def read(self, line: int) -> bytes:
        """The next lines, none cut in two; empty at the end. `line` is the number of the first, for errors."""
        if self._put_back:
            block, self._put_back = self._put_back, b""
            return block
        block = self._block(line)
        if self._is_first:
            self._is_first = False
            refuse_returns(block, self._reader.name)
            return block.removeprefix(BYTE_ORDER_MARK)
        return block

    def _block(self, line: int) -> bytes:
        while chunk := self._reader.read(CHUNK_BYTES):
            first = chunk.find(b"\n")
            self._check_length(len(chunk) if first < 0 else first, line)
            if first >= 0:
                cut = chunk.rfind(b"\n") + 1
                block = b"".join([*self._unfinished, chunk[:cut]])
                self._unfinished, self._unfinished_bytes = [chunk[cut:]], len(chunk) - cut
                return block
            self._unfinished.append(chunk)
            self._unfinished_bytes += len(chunk)
        block, self._unfinished, self._unfinished_bytes = b"".join(self._unfinished), [], 0
        return block

    def _check_length(self, more: int, line: int) -> None:
        if self._unfinished_bytes + more > LONGEST_LINE:
            message = f"the line is longer than {LONGEST_LINE >> 20} MB, the most that is read; is this a text file?"
            raise DataError(message, source=self._reader.name, line=line, column=LONGEST_LINE + 1)


def refuse_returns(text: bytes, source: str) -> None:
    """Refuses the whole of a text, or its header, whose lines end with a carriage return alone: it would be one row."""
    if b"\n" not in text and (at := text.rstrip(b"\r").find(b"\r")) >= 0:
        message = "the line ends with `\\r` alone; expected `\\n` or `\\r\\n` (convert the file: tr '\\r' '\\n')"
        raise DataError(message, source=source, line=1, column=at + 1)
