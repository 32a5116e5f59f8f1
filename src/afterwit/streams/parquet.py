"""Parquet files, read through PyArrow some rows of a row group at a time."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from afterwit.errors import DataError, quoted
from afterwit.files.compressed import STDIN, is_rereadable, unreadable
from afterwit.streams.arrow_tables import ArrowBlock, Pieces, import_pyarrow
from afterwit.streams.blocks import Block, KnownCategories, checked_names

MAGIC = b"PAR1"
#: Rows that are decoded at once, and bytes of a column that are in memory at once.
DECODED_ROWS = 1 << 15
BUFFER_BYTES = 1 << 20


def is_parquet(path: str) -> bool:
    """Whether a path is a Parquet file, by its first bytes or its extension."""
    if path == STDIN:
        return False
    if path.endswith((".parquet", ".pq")):
        return True
    with suppress(OSError):
        # A pipe must not be opened: its first bytes would be lost.
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read(len(MAGIC)) == MAGIC
    return False


class ParquetTable:
    """A Parquet file; its checksum is that of the footer, which has the sizes and ranges of all columns."""

    kind = "Parquet"
    rereadable = True

    def __init__(self, path: str) -> None:
        self.name = path
        if not is_rereadable(path):
            raise DataError("a Parquet file is read from its end, so that it cannot come through a pipe", source=path)
        _check_head(path)
        self._pa = import_pyarrow("a Parquet file")
        self._known = KnownCategories()
        with self._opened() as file:
            self.columns = checked_names(file.schema_arrow.names, path)
            self._groups: list[int] = [file.metadata.row_group(g).num_rows for g in range(file.metadata.num_row_groups)]
        self.crc = _footer_crc(path)

    @property
    def size(self) -> int | None:
        return sum(self._groups)

    def blocks(self, names: list[str], most: int, start: int = 0, stop: int | None = None) -> Iterator[Block]:
        first, before = 0, 0
        while first < len(self._groups) and before + self._groups[first] <= start:
            before += self._groups[first]
            first += 1
        with self._opened() as file:
            batches = file.iter_batches(
                batch_size=DECODED_ROWS,
                row_groups=list(range(first, len(self._groups))),
                columns=names,
                use_threads=False,
            )
            for batch, done in Pieces(iter(batches), before).between(start, stop, most):
                yield ArrowBlock(batch, done + 1, self.name, self._known)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        from pyarrow import parquet

        try:
            # With pre_buffer a row group would be in memory as a whole.
            with parquet.ParquetFile(
                self.name, buffer_size=BUFFER_BYTES, pre_buffer=False, page_checksum_verification=True
            ) as file:
                yield file
        except (self._pa.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise unreadable(self.name, error) from error
            reason = " ".join(str(error).split())
            message = f"the Parquet data is damaged or cut short ({reason}); get the file again"
            raise DataError(message, source=self.name) from error


def _check_head(path: str) -> None:
    try:
        with open(path, "rb") as file:
            head = file.read(len(MAGIC))
    except OSError as error:
        raise unreadable(path, error) from error
    if not MAGIC.startswith(head):
        message = f"it begins with {quoted(head)}, not with `PAR1`; expected a Parquet file"
        raise DataError(f"{message} (if it is text, give it another ending)", source=path)


def _footer_crc(path: str) -> int:
    """The checksum of the footer: the last eight bytes are its length and the magic bytes."""
    with open(path, "rb") as file:
        size = file.seek(-8, os.SEEK_END)
        length = int.from_bytes(file.read(4), "little")
        file.seek(max(0, size - length))
        return zlib.crc32(file.read())
