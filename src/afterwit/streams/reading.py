"""One way in: `read` finds the reader for whatever it is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from afterwit.errors import DataError, quoted
from afterwit.files.compressed import ByteReader, is_rereadable
from afterwit.protocols import ClassName, Stream
from afterwit.streams.arrays import ArrayStream
from afterwit.streams.cache import CachedStream
from afterwit.streams.chain import ChainedStream, paths_of
from afterwit.streams.csv import CsvStream
from afterwit.streams.formats import JSON_ENDINGS, begins_with_brace, ending, format_named, tells_format
from afterwit.streams.ids import WHO_HAS_IDS
from afterwit.streams.iterables import IterableStream
from afterwit.streams.json_lines import JsonLines
from afterwit.streams.parquet import ParquetTable, is_parquet
from afterwit.streams.tables import TableStream, is_table, table_of
from afterwit.streams.text import TextStream
from afterwit.streams.undecided import Undecided

_SEPARATORS = {"csv": None, "tsv": "\t"}


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
    cache: bool = False,
    ids: Sequence[str] = (),
) -> Stream:
    """A stream of rows from files, a table, an array or a CSR matrix with its labels, or an iterable of (dict, label).

    Rows that are only to be predicted need no labels.

    A path (or `-` for standard input) is text, compressed or not, of the `format` `svmlight`, `vw` (Vowpal Wabbit's),
    `csv`, `tsv` or `json` (an object a line); without one the file's name tells, or a `target`, or else the first
    lines. A table is a Parquet file, a pandas or Polars data frame, a PyArrow table or reader, or all that exports an
    Arrow stream. In CSV and tables `target` names the column of the label, `weight` that of importance; in JSON they
    are keys. Several files, as a list or as a pattern such as `part-*.svm.gz`, are one stream.

    `classes` names the two labels of a binary stream, the negative one first; `on_error="skip"` drops and counts bad
    lines instead of stopping at the first; a batch has at most `batch_rows` rows; `cache=True` keeps what the
    first pass over a text file parsed in PATH.afterwit-cache. The columns in `ids` are no features: their cells come
    along in `Batch.ids` (of VW text, `tag`).

    >>> read([({"price": 3.5, "city": "Rome"}, 1)]).description
    'rows from Python'
    """
    ids = _names(ids)
    if (paths := paths_of(source)) is not None:
        more: dict[str, Any] = {"format": format, "classes": classes, "on_error": on_error, "batch_rows": batch_rows}
        more |= {"target": target, "cache": cache, "ids": ids}
        return ChainedStream(paths, lambda path: read(path, y, weight, **more))
    if isinstance(source, (str, os.PathLike)) and is_parquet(os.fspath(source)):
        source = ParquetTable(os.fspath(source))
    if isinstance(source, ParquetTable) or is_table(source):
        if cache:
            raise DataError("a cache goes with text; a table needs no parsing")
        if on_error != "raise":
            raise DataError(f"on_error is {quoted(on_error)}, which goes with text; drop bad rows of a table first")
        table = source if isinstance(source, ParquetTable) else table_of(source)
        return TableStream(table, target, weight, y=y, classes=classes, batch_rows=batch_rows, ids=ids)
    if isinstance(source, (str, os.PathLike)):
        if y is not None or not isinstance(weight, (str, type(None))):
            raise DataError(
                "y and weight go with arrays; a file has its own labels (in CSV and JSON, weight names a column)"
            )
        stream = _text(os.fspath(source), target, weight, format, classes, on_error, batch_rows, ids)
        return CachedStream(stream) if cache else stream
    if ids:
        raise DataError(
            f"rows from Python have no id {quoted(ids[0])}: {WHO_HAS_IDS}; keep those of your rows yourself"
        )
    if cache:
        raise DataError("a cache goes with a file; these rows are in memory already")
    if target is not None or format is not None:
        raise DataError("target and format go with files; arrays and rows from Python come with their labels")
    if classes is not None:
        raise DataError("classes go with files; give labels -1 and +1, or use OneVsAll for names")
    if y is not None or hasattr(source, "tocsr") or isinstance(source, np.ndarray):
        return ArrayStream(source, y, weight, batch_rows)
    if isinstance(source, Iterable):
        return IterableStream(source, batch_rows)
    raise DataError(f"cannot read a `{type(source).__name__}`; expected a path, arrays X and y, or an iterable of rows")


def _text(
    path: str,
    target: str | None,
    weight: str | None,
    format: str | None,
    classes: Sequence[ClassName] | None,
    on_error: str,
    batch_rows: int,
    ids: tuple[str, ...],
) -> Any:
    if format is None and ending(path) in (".csv", ".tsv"):
        format = ending(path)[1:]
    elif format is None and ending(path) in JSON_ENDINGS:
        format = "json"
    elif format is None and not tells_format(path):

        def made(is_json: bool) -> Any:
            found = "json" if is_json else "csv" if target is not None else None
            return _text_of(path, target, weight, found, classes, on_error, batch_rows, ids)

        if not is_rereadable(path):
            return Undecided(path, made)
        with ByteReader(path) as reader:
            return made(begins_with_brace(reader))
    if format is None and target is not None:
        format = "csv"
    return _text_of(path, target, weight, format, classes, on_error, batch_rows, ids)


def _text_of(
    path: str,
    target: str | None,
    weight: str | None,
    format: str | None,
    classes: Sequence[ClassName] | None,
    on_error: str,
    batch_rows: int,
    ids: tuple[str, ...],
) -> TextStream | CsvStream | JsonLines:
    if format == "json":
        return JsonLines(path, target, weight, on_error, classes, batch_rows, ids=ids)
    if format in _SEPARATORS:
        return CsvStream(path, target, weight, _SEPARATORS[format], on_error, classes, batch_rows, ids=ids)
    if target is not None or weight is not None:
        raise DataError("target and weight go with CSV and JSON; svmlight and VW text have their labels in front")
    known = None if format is None else format_named(format)
    return TextStream(path, known, on_error, classes, batch_rows, ids=ids)


def _names(ids: Sequence[str]) -> tuple[str, ...]:
    if isinstance(ids, str) or not all(isinstance(name, str) for name in ids):
        raise DataError(f"ids is {quoted(repr(ids))}, expected a list of columns")
    return tuple(ids)
