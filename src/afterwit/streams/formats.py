"""Which text format a file has: by its name, or else by its first lines."""

from __future__ import annotations

import os
import re

from afterwit.errors import DataError, quoted
from afterwit.streams.svmlight import SVMLIGHT
from afterwit.streams.text_format import TextFormat
from afterwit.streams.vw import VW

#: The formats by the name a user gives.
FORMATS: dict[str, TextFormat] = {"svmlight": SVMLIGHT, "vw": VW}
_ENDINGS = {".svm": SVMLIGHT, ".svmlight": SVMLIGHT, ".libsvm": SVMLIGHT, ".vw": VW}
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_SVMLIGHT_LINE = re.compile(rb"[^\s:,|]+([ \t]+[^\s:,|]+:[^\s,|]*)*")
_LINES_LOOKED_AT = 100


def format_named(name: str) -> TextFormat:
    """The format that a user names."""
    if name not in FORMATS:
        raise ValueError(f"format is {quoted(name)}, expected one of {', '.join([*FORMATS, 'csv', 'tsv'])}")
    return FORMATS[name]


def format_of_path(path: str) -> TextFormat | None:
    """The format that a file's name tells, or None.

    >>> format_of_path("clicks.vw.gz").name
    'VW text'
    """
    return _ENDINGS.get(ending(path))


def tells_format(path: str) -> bool:
    """Whether a file's name tells what is in it, be it text or a table."""
    return ending(path) in (*_ENDINGS, ".csv", ".tsv", ".parquet", ".pq")


def ending(path: str) -> str:
    """The ending of a file's name, in small letters and without that of a compression.

    >>> ending("Clicks.CSV.gz")
    '.csv'
    """
    stem, last = os.path.splitext(path.lower())
    return os.path.splitext(stem)[1] if last in _COMPRESSED else last


def format_of_text(head: bytes, source: str) -> TextFormat:
    """The format that the first lines tell: the first line that looks like one of them decides.

    >>> format_of_text(b"1 3:0.5 7:1\\n", "standard input").name
    'svmlight'
    """
    lines = [line for line in (line.strip() for line in head.splitlines()) if line][:_LINES_LOOKED_AT]
    for line in lines:
        content = line.partition(b"#")[0].strip()
        if b"|" in content:
            return VW
        if not content or _SVMLIGHT_LINE.fullmatch(content):
            return SVMLIGHT
    message = f"cannot tell its format: {quoted(lines[0])} looks neither like svmlight (`1 3:0.5`) nor like VW text"
    advice = "say which it is with `format`, or for CSV name the column of the label with `target`"
    raise DataError(f"{message} (`1 | price:0.5`); {advice}", source=source)
