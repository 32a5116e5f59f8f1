"""CSV in plain Python: the csv module, then a dict per record, then the path that dicts take."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from afterwit._core import CsvParser, csv_header
from afterwit.protocols import Batch, Wants
from afterwit.streams.arrays import rows_of

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
TRUE, FALSE = ("True", "true", "TRUE"), ("False", "false", "FALSE")
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL")


@dataclass
class Table:
    """The records behind the header, as dicts without the target and the weight."""

    dicts: list[dict[str, Any]]
    y: list[str]
    weight: list[float]


def read_slowly(data: bytes, separator: str, target: str, weight: str | None = None, text: Sequence[str] = ()) -> Table:
    lines = data.decode().removeprefix("\ufeff").split("\n")
    given = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    records = [[cell.strip(" \t") for cell in record] for record in csv.reader(given, delimiter=separator)]
    header, *rows = [record for record in records if record not in ([], [""])]
    table = Table([], [], [])
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        table.y.append(cells.pop(target))
        if weight is not None:
            table.weight.append(float(cells.pop(weight)))
        values = {name: value_of(cell, name in text) for name, cell in cells.items()}
        table.dicts.append({name: value for name, value in values.items() if value != 0})
    return table


def value_of(cell: str, is_text: bool) -> str | float | None:
    if cell in MISSING:
        return None
    if not is_text and cell in (*TRUE, *FALSE):
        return cell in TRUE
    return float(cell) if NUMBER.fullmatch(cell) and not is_text else cell


def rows_slowly(table: Table, wants: Wants) -> Batch:
    return rows_of(table.dicts, wants=wants)


def parse(
    data: bytes, separator: str = ",", chunk: int | None = None, max_rows: int = 1 << 40, **options: Any
) -> dict[str, Any]:
    """All of a CSV through the parser, given `chunk` bytes more at a time; arrays as bytes, to be compared."""
    header = csv_header(data, separator, True)
    assert header is not None
    cells, offset, _ = header
    parser = CsvParser([cell.decode() for cell in cells], separator, **options)
    parts = []
    given = min(len(data), offset + (chunk or len(data)))
    while offset < len(data):
        final = given == len(data)
        part = parser.parse(data[:given], offset, final, max_rows)
        assert not part.stopped
        parts.append(part)
        offset += part.consumed
        given = min(len(data), given + (chunk or len(data)))
    return {
        "keys": b"".join(part.keys.tobytes() for part in parts),
        "values": b"".join(part.values.tobytes() for part in parts),
        "sizes": b"".join(np.diff(part.starts).tobytes() for part in parts),
        "y": b"".join(part.y.tobytes() for part in parts),
        "weight": b"".join(part.weight.tobytes() for part in parts if part.weight is not None),
        "names": [name for part in parts for name in part.names or ()],
        "groups": b"".join(part.groups.tobytes() for part in parts if part.groups is not None),
        "lines": sum(part.lines for part in parts),
        "classes": parser.classes,
    }
