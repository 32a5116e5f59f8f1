"""One way in: `read` finds the reader for whatever it is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from afterwit.errors import DataError
from afterwit.protocols import ClassName, Stream
from afterwit.streams.arrays import ArrayStream
from afterwit.streams.formats import format_named
from afterwit.streams.iterables import IterableStream
from afterwit.streams.text import TextStream


def read(
    source: Any,
    y: Any = None,
    weight: Any = None,
    *,
    format: str | None = None,
    classes: Sequence[ClassName] | None = None,
    on_error: str = "raise",
    batch_rows: int = 4096,
) -> Stream:
    """A stream of rows from a file, an array or a CSR matrix with its labels, or an iterable of (dict, label).

    A path (or `-` for standard input) is text, compressed or not, of the `format` `svmlight` or `vw` (Vowpal Wabbit's);
    without one the file's name tells, or else its first lines. `classes` names the two labels of a binary stream, the
    negative one first; `on_error="skip"` drops and counts bad lines instead of stopping at the first; a batch has at
    most `batch_rows` rows.

    >>> read([({"price": 3.5, "city": "Rome"}, 1)]).description
    'rows from Python'
    """
    if isinstance(source, (str, os.PathLike)):
        if y is not None or weight is not None:
            raise DataError("y and weight go with arrays; a file has its own labels")
        named = None if format is None else format_named(format)
        return TextStream(source, named, on_error, classes, batch_rows)
    if format is not None:
        raise DataError("format goes with files; arrays and rows from Python have none")
    if classes is not None:
        raise DataError("classes go with files; give labels -1 and +1, or use OneVsAll for names")
    if y is not None:
        return ArrayStream(source, y, weight, batch_rows)
    if isinstance(source, Iterable):
        return IterableStream(source, batch_rows)
    raise DataError(f"cannot read a `{type(source).__name__}`; expected a path, arrays X and y, or an iterable of rows")
