"""One way in: `read` finds the reader for whatever it is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from afterwit.errors import DataError
from afterwit.protocols import ClassName, Stream
from afterwit.streams.arrays import ArrayStream
from afterwit.streams.cache import CachedStream
from afterwit.streams.iterables import IterableStream
from afterwit.streams.svmlight import SvmlightStream


def read(
    source: Any,
    y: Any = None,
    weight: Any = None,
    *,
    classes: Sequence[ClassName] | None = None,
    on_error: str = "raise",
    batch_rows: int = 4096,
    cache: bool = False,
) -> Stream:
    """A stream of rows from a file, an array or a CSR matrix with its labels, or an iterable of (dict, label).

    A path (or `-` for standard input) is svmlight text, compressed or not; `classes` names the two labels of a binary
    stream, the negative one first; `on_error="skip"` drops and counts bad lines instead of stopping at the first; a
    batch has at most `batch_rows` rows; `cache=True` keeps what the first pass parsed in PATH.afterwit-cache.

    >>> read([({"price": 3.5, "city": "Rome"}, 1)]).description
    'rows from Python'
    """
    if isinstance(source, (str, os.PathLike)):
        if y is not None or weight is not None:
            raise DataError("y and weight go with arrays; a file has its own labels")
        stream = SvmlightStream(source, on_error, classes, batch_rows)
        return CachedStream(stream) if cache else stream
    if cache:
        raise DataError("a cache goes with a file; these rows are in memory already")
    if classes is not None:
        raise DataError("classes go with files; give labels -1 and +1, or use OneVsAll for names")
    if y is not None:
        return ArrayStream(source, y, weight, batch_rows)
    if isinstance(source, Iterable):
        return IterableStream(source, batch_rows)
    raise DataError(f"cannot read a `{type(source).__name__}`; expected a path, arrays X and y, or an iterable of rows")
