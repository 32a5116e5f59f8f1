"""One way in: `read` finds the reader for whatever it is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from afterwit.errors import DataError, quoted
from afterwit.protocols import ClassName, Stream
from afterwit.streams.arrays import ArrayStream
from afterwit.streams.csv import CsvStream
from afterwit.streams.iterables import IterableStream
from afterwit.streams.svmlight import SvmlightStream


def read(
    source: Any,
    y: Any = None,
    weight: Any = None,
    *,
    target: str | None = None,
    format: str | None = None,
    classes: Sequence[ClassName] | None = None,
    on_error: str = "raise",
    batch_rows: int = 4096,
) -> Stream:
    """A stream of rows from a file, an array or a CSR matrix with its labels, or an iterable of (dict, label).

    A path (or `-` for standard input) is text, compressed or not: CSV if it ends in .csv or .tsv or has a `target`, the
    column of the label (and `weight` may name another), else svmlight; `format` says it outright. `classes` names the
    two labels of a binary stream, the negative one first; `on_error="skip"` drops and counts bad lines instead of
    stopping at the first; a batch has at most `batch_rows` rows.

    >>> read([({"price": 3.5, "city": "Rome"}, 1)]).description
    'rows from Python'
    """
    if isinstance(source, (str, os.PathLike)):
        format = format or _format_of(os.fspath(source), target)
        if format in ("csv", "tsv") and y is None and isinstance(weight, (str, type(None))):
            separator = "\t" if format == "tsv" else None
            return CsvStream(source, target, weight, separator, on_error, classes, batch_rows)
        if format not in ("svmlight", "csv", "tsv"):
            raise DataError(f"format is {quoted(format)}, expected `svmlight`, `csv` or `tsv`")
        if target is not None:
            raise DataError("target goes with CSV; svmlight text has its labels in front")
        if y is not None or weight is not None:
            raise DataError("y and weight go with arrays; a file has its own labels (in CSV, weight names a column)")
        return SvmlightStream(source, on_error, classes, batch_rows)
    if target is not None or format is not None:
        raise DataError("target and format go with files; arrays and rows from Python come with their labels")
    if classes is not None:
        raise DataError("classes go with files; give labels -1 and +1, or use OneVsAll for names")
    if y is not None:
        return ArrayStream(source, y, weight, batch_rows)
    if isinstance(source, Iterable):
        return IterableStream(source, batch_rows)
    raise DataError(f"cannot read a `{type(source).__name__}`; expected a path, arrays X and y, or an iterable of rows")


def _format_of(path: str, target: str | None) -> str:
    root, extension = os.path.splitext(path.lower())
    if extension in (".gz", ".bz2", ".xz", ".zst"):
        extension = os.path.splitext(root)[1]
    if extension == ".tsv":
        return "tsv"
    return "csv" if extension == ".csv" or target is not None else "svmlight"
