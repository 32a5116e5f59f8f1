"""What reads compressed bytes; apart, because plain files need not spend the megabyte and the time of loading it."""

from __future__ import annotations

import bz2
import lzma
from contextlib import ExitStack
from typing import Any, cast

from isal import igzip, igzip_lib

from afterwit.files.zstd import ZstdReader

# Not igzip_threaded: its queue costs a tenth more CPU time.
_READERS: dict[str, Any] = {"gzip": igzip.open, "bz2": bz2.BZ2File, "xz": lzma.LZMAFile}
#: What a reader may raise where its data is damaged. (isal's annotations call its error an instance.)
DAMAGED = (OSError, cast("type[Exception]", igzip_lib.error), lzma.LZMAError)


def decompressed(file: Any, compression: str, name: str, opened: ExitStack) -> Any:
    """A reader of the decompressed bytes, which is closed with `opened`."""
    if compression == "zstd":
        return ZstdReader(file, name)
    return opened.enter_context(_READERS[compression](file))
