"""Text in blocks of whole lines, whatever the sizes in which its bytes arrive."""

from __future__ import annotations

from typing import TypeAlias

from afterwit.errors import DataError
from afterwit.files.compressed import ByteReader

#: Some lines of text.
Lines: TypeAlias = bytes | memoryview

CHUNK_BYTES = 1 << 19
LONGEST_LINE = 64 << 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class WholeLines:
    """One buffer, read into again and again; the unfinished line at its end moves to its beginning."""

    final = True

    def __init__(self, reader: ByteReader) -> None:
        self._reader = reader
        self._buffer = bytearray()
        self._given = self._filled = 0
        self._is_first = True
        self.block: Lines = b""

    def take(self, size: int) -> None:
        """The block no longer has its first bytes."""
        self.block = self.block[size:]

    def more(self, line: int) -> bool:
        """The next lines, none cut in two, become the block, whatever it was; False at the end.

        They are there until the next call. `line` is the number of the first, for errors. A byte order mark is left
        out.
        """
        self._given = self._whole_lines(line)
        block = memoryview(self._buffer)[: self._given]
        if self._is_first:
            self._is_first = False
            if self._buffer.find(b"\n", 0, self._given) < 0:
                refuse_returns(bytes(block), self._reader.name)
            if self._buffer.startswith(BYTE_ORDER_MARK, 0, self._given):
                block = block[len(BYTE_ORDER_MARK) :]
        self.block = block
        return bool(block)

    def longer(self, line: int) -> bool:
        """The next lines join the block; False at the end."""
        before = bytes(self.block)
        found = self.more(line)
        self.block = before + bytes(self.block)
        return found

    def _whole_lines(self, line: int) -> int:
        """Reads on until the buffer begins with a whole line, or is at the end; where its last whole line ends."""
        unfinished = self._filled - self._given
        self._buffer[:unfinished] = self._buffer[self._given : self._filled]
        self._filled = unfinished
        while True:
            if self._filled == len(self._buffer):
                longer = bytearray(2 * self._filled or CHUNK_BYTES)
                longer[: self._filled] = self._buffer
                self._buffer = longer
            with memoryview(self._buffer) as room:
                count = self._reader.read_into(room[self._filled :])
            first = self._buffer.find(b"\n", self._filled, self._filled + count)
            self._check_length(self._filled + count if first < 0 else first, line)
            self._filled += count
            if first >= 0:
                return self._buffer.rfind(b"\n", 0, self._filled) + 1
            if count == 0:
                return self._filled

    def _check_length(self, length: int, line: int) -> None:
        if length > LONGEST_LINE:
            message = f"the line is longer than {LONGEST_LINE >> 20} MB, the most that is read; is this a text file?"
            raise DataError(message, source=self._reader.name, line=line, column=LONGEST_LINE + 1)


def refuse_returns(text: bytes, source: str) -> None:
    """Refuses the whole of a text, or its header, whose lines end with a carriage return alone: it would be one row."""
    if b"\n" not in text and (at := text.rstrip(b"\r").find(b"\r")) >= 0:
        message = "the line ends with `\\r` alone; expected `\\n` or `\\r\\n` (convert the file: tr '\\r' '\\n')"
        raise DataError(message, source=source, line=1, column=at + 1)
