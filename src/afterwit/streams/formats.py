"""Which text format a file has: by its name, or else by its first lines."""

from __future__ import annotations

import os
import re

from afterwit.errors import DataError, quoted
from afterwit.files.compressed import ByteReader
from afterwit.streams.svmlight import SVMLIGHT
from afterwit.streams.text_format import TextFormat
from afterwit.streams.vw import VW
from afterwit.streams.whole_lines import BYTE_ORDER_MARK

#: The formats by the name a user gives.
FORMATS: dict[str, TextFormat] = {"svmlight": SVMLIGHT, "vw": VW}
_ENDINGS = {".svm": SVMLIGHT, ".svmlight": SVMLIGHT, ".libsvm": SVMLIGHT, ".vw": VW}
#: Those of a text that has an object on each line.
JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_SVMLIGHT_LINE = re.compile(rb"[^\s:,|]+([ \t]+[^\s:,|]+:[^\s,|]*)*")
_LINES_LOOKED_AT = 100
_BLANK_BYTES = 1 << 16


def format_named(name: str) -> TextFormat:
    """The format that a user names."""
    if name not in FORMATS:
        raise ValueError(f"format is {quoted(name)}, expected one of {', '.join([*FORMATS, 'csv', 'tsv', 'json'])}")
    return FORMATS[name]


def format_of_path(path: str) -> TextFormat | None:
    """The format that a file's name tells, or None.

    >>> format_of_path("clicks.vw.gz").name
    'VW text'
    """
    return _ENDINGS.get(ending(path))


def tells_format(path: str) -> bool:
    """Whether a file's name tells what is in it, be it text or a table."""
    return ending(path) in (*_ENDINGS, *JSON_ENDINGS, ".csv", ".tsv", ".parquet", ".pq")


def begins_with_brace(reader: ByteReader) -> bool:
    """Whether a text begins as JSON lines do; the reader then stands where it stood."""
    head = b""
    while len(head) < _BLANK_BYTES and not head.removeprefix(BYTE_ORDER_MARK).strip():
        if not (more := reader.read(_BLANK_BYTES - len(head))):
            break
        head += more
    reader.put_back(head)
    return head.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"{")


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
    message = f"cannot tell its format: {quoted(lines[0])} looks neither like svmlight (`1 3:0.5`), VW text"
    advice = "say which it is with `format`, or for CSV name the column of the label with `target`"
    raise DataError(f'{message} (`1 | price:0.5`) nor JSON lines (`{{"price": 0.5}}`); {advice}', source=source)
