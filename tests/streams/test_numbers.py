"""A CSV of numbers is what Python's own reader makes of it, whatever the sizes in which its bytes arrive."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.errors import DataError
from afterwit.streams import csv_records, whole_lines
from afterwit.streams.numbers import read_numbers

MISSING = ["", "NA", "nan", "NaN", "null", "N/A", " ", '""']


def random_csv(rng: np.random.Generator, rows: int) -> str:
    def cell() -> str:
        kind = rng.random()
        if kind < 0.1:
            return str(rng.choice(MISSING))
        number = (
            repr(float(rng.normal() * 10.0 ** rng.integers(-5, 6))) if kind < 0.7 else str(int(rng.integers(-5, 5)))
        )
        return f'"{number}"' if kind > 0.9 else f" {number} " if kind > 0.8 else number

    ends = ["\n", "\r\n"]
    lines = ["name,a,b,y\n"]
    for t in range(rows):
        name = f'"round\n{t}, ""so"""' if rng.random() < 0.2 else f"round {t}"
        lines.append(f"{name},{cell()},{cell()},{rng.normal()!r}{ends[int(rng.integers(2))]}")
        lines += ["\n"] * (rng.random() < 0.1)
    return "".join(lines)


def slowly(text: str) -> tuple[list[str], np.ndarray]:
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row][1:]
    values = [[math.nan if v.strip() in MISSING else float(v) for v in row[1:]] for row in rows]
    return [row[0] for row in rows], np.array(values).reshape(len(rows), 3)


@pytest.mark.parametrize("chunk", [7, 64, 1 << 19])
def test_it_reads_what_python_reads(tmp_path: Path, monkeypatch: Any, chunk: int) -> None:
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", chunk)
    rng = np.random.default_rng(chunk)
    path = tmp_path / "a.csv"
    for rows in (0, 1, 2, 60):
        text = random_csv(rng, rows)
        path.write_text(text, newline="")
        names, values = slowly(text)
        table = read_numbers(str(path), "y")
        if rows:
            assert table.index == tuple(names)
            np.testing.assert_array_equal(np.column_stack([table.values, table.target]), values)
            lines = text.replace("\r\n", "\n").split("\n")
            assert all(lines[line - 1].lstrip('"').startswith("round") for line in table.lines)
        assert table.columns[-2:] == ("a", "b")
        assert len(table.lines) == rows
    assert table.shape == (60, 2)
    np.testing.assert_array_equal(table["b"], table.values[:, 1])


def test_which_column_names_the_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    for text, target, columns, index in [
        ("day,a\nmon,1\n", None, ("a",), ("mon",)),
        ("day,a\n2020-01-01,1\n", None, ("a",), ("2020-01-01",)),
        ("day;a\n20200101;1\n", None, ("day", "a"), None),
        (",a\n0,1\n1,2\n", None, ("a",), ("0", "1")),
        ("y,a\n1,2\n", "y", ("a",), None),
        ("x,a\nNA,2\n1,2\n", None, ("x", "a"), None),
        ("x,a\n1e999,2\n", None, "no finite number", None),
        ("x,a\n1,2\nmon,2\n", None, "line 3, column 1: column `x`: `mon` is not a number", None),
        ("y,a\nmon,2\n", "y", "line 2, column 1: column `y`: `mon` is not a number", None),
        ('d,a\nx,"1\n', None, "the quote that opens `a` here is never closed", None),
        ("", None, "it is empty", None),
    ]:
        path.write_text(text)
        if isinstance(columns, str):
            with pytest.raises(DataError, match=columns):
                read_numbers(str(path), target)
        else:
            table = read_numbers(str(path), target)
            assert (table.columns, table.index) == (columns, index)


def test_a_record_may_not_be_endless(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(csv_records, "LONGEST_RECORD", 1000)
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", 100)
    path = tmp_path / "a.csv"
    path.write_text('d,a\nx,1\nx,"' + "1" * 5000)
    with pytest.raises(DataError, match="line 3, column 1: the record is longer than"):
        read_numbers(str(path))
