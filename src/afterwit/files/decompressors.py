"""What reads compressed bytes; apart, because plain files need not spend the megabyte and the time of loading it."""

from __future__ import annotations

import bz2
import lzma
from contextlib import ExitStack
from typing import Any, cast

from isal import igzip, igzip_lib

from afterwit.files.members import MemberReader
from afterwit.files.zstd import ZstdFrames

#: What a reader may raise where its data is damaged. (isal's annotations call its error an instance.)
DAMAGED = (OSError, cast("type[Exception]", igzip_lib.error), lzma.LZMAError)


def decompressed(file: Any, compression: str, name: str, opened: ExitStack) -> Any:
    """A reader of the decompressed bytes, which is closed with `opened`."""
    if compression == "gzip":
        # Not igzip_threaded: its queue costs a tenth more CPU time.
        return opened.enter_context(igzip.open(file))
    if compression == "bz2":
        return MemberReader(file, bz2.BZ2Decompressor)
    if compression == "xz":
        return MemberReader(file, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ), padding=4)
    return MemberReader(file, ZstdFrames(name))
