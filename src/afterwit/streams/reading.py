"""One way in: `read` finds the reader for whatever it is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from afterwit.errors import DataError, quoted
from afterwit.protocols import ClassName, Stream
from afterwit.streams.arrays import ArrayStream
from afterwit.streams.chain import ChainedStream, paths_of
from afterwit.streams.iterables import IterableStream
from afterwit.streams.parquet import ParquetTable, is_parquet
from afterwit.streams.svmlight import SvmlightStream
from afterwit.streams.tables import TableStream, is_table, table_of


def read(
    source: Any,
    y: Any = None,
    weight: Any = None,
    *,
    target: str | None = None,
    classes: Sequence[ClassName] | None = None,
    on_error: str = "raise",
    batch_rows: int = 4096,
) -> Stream:
    """A stream of rows from files, a table, an array or a CSR matrix with its labels, or an iterable of (dict, label).

    A table is a pandas or Polars data frame, a PyArrow table or reader, all that exports an Arrow stream, or a Parquet
    file: `target` names its column of labels, `weight` that of its importance weights. Several files, as a list or as
    a pattern such as `part-*.svm.gz`, are one stream.

    A path (or `-` for standard input) is svmlight text, compressed or not; `classes` names the two labels of a binary
    stream, the negative one first; `on_error="skip"` drops and counts bad lines instead of stopping at the first; a
    batch has at most `batch_rows` rows.

    >>> read([({"price": 3.5, "city": "Rome"}, 1)]).description
    'rows from Python'
    """
    if (paths := paths_of(source)) is not None:
        settings = {"target": target, "classes": classes, "on_error": on_error, "batch_rows": batch_rows}
        return ChainedStream(paths, lambda path: read(path, y, weight, **settings))  # type: ignore[arg-type]
    if isinstance(source, (str, os.PathLike)) and is_parquet(os.fspath(source)):
        source = ParquetTable(os.fspath(source))
    if isinstance(source, ParquetTable) or is_table(source):
        if on_error != "raise":
            raise DataError(f"on_error is {quoted(on_error)}, which goes with text; drop bad rows of a table first")
        table = source if isinstance(source, ParquetTable) else table_of(source)
        return TableStream(table, target, weight, y=y, classes=classes, batch_rows=batch_rows)
    if isinstance(source, (str, os.PathLike)):
        if y is not None or weight is not None:
            raise DataError("y and weight go with arrays; a file has its own labels")
        return SvmlightStream(source, on_error, classes, batch_rows)
    if classes is not None:
        raise DataError("classes go with files; give labels -1 and +1, or use OneVsAll for names")
    if y is not None:
        return ArrayStream(source, y, weight, batch_rows)
    if isinstance(source, Iterable):
        return IterableStream(source, batch_rows)
    raise DataError(f"cannot read a `{type(source).__name__}`; expected a path, arrays X and y, or an iterable of rows")
