"""The text of a CSV in blocks that grow until they hold whole records."""

from __future__ import annotations

from afterwit.errors import DataError
from afterwit.files.compressed import ByteReader
from afterwit.streams import whole_lines

LONGEST_RECORD = 64 << 20


class CsvRecords:
    """What was read and not yet taken; `final` when there is nothing behind it."""

    def __init__(self, reader: ByteReader) -> None:
        self._reader = reader
        self.name = reader.name
        self.block = b""
        self.final = False

    def more(self, line: int = 1) -> bool:
        """Reads on, if there is more; a block that was already long is doubled: no byte is looked at too often."""
        if self.final:
            return False
        parts, size = [self.block], 0
        least = len(self.block) if len(self.block) > whole_lines.CHUNK_BYTES else 1
        while size < least and not self.final:
            parts.append(self._reader.read(whole_lines.CHUNK_BYTES))
            size += len(parts[-1])
            self.final = not parts[-1]
        self.block = b"".join(parts)
        return True

    longer = more

    def take(self, size: int) -> bytes:
        """The first bytes, which the block no longer has."""
        taken, self.block = self.block[:size], self.block[size:]
        return taken

    def check_length(self, line: int) -> None:
        """Refuses a block without one whole record that is longer than any record may be."""
        if len(self.block) > LONGEST_RECORD:
            raise DataError(too_long(), source=self.name, line=line, column=1)


def too_long() -> str:
    """The sentence for a record above the limit."""
    return f"the record is longer than {LONGEST_RECORD >> 20} MB, the most that is read; is a quote not closed?"
