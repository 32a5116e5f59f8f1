"""How much of a pass is read."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from rich.console import Console

from afterwit.cli.screen import Screen, speed
from afterwit.learning import Lesson
from afterwit.linear import AdaGrad
from afterwit.streams import read
from tests.cli.commands import write_svmlight


@pytest.mark.parametrize("kind", ["plain", "gzip", "cache"])
def test_progress_goes_from_0_to_1(tmp_path: Path, kind: str) -> None:
    data = write_svmlight(tmp_path / "rows.svm", 500)
    data.write_bytes(data.read_bytes() * 40)
    if kind == "gzip":
        data.write_bytes(gzip.compress(data.read_bytes(), mtime=0))
    stream = read(data, cache=kind == "cache")
    for _ in range(2):
        lesson = Lesson(AdaGrad(), stream, passes=2)
        seen = [lesson.progress() for _ in lesson.steps()]
        numbers = [part for part in seen if part is not None]
        assert numbers == sorted(numbers)
        assert numbers[0] < numbers[-1] == 1.0
        assert lesson.progress() == 1.0
    limited = Lesson(AdaGrad(), read([({"x": 1.0}, 1)] * 10, batch_rows=4), limit=8)
    assert [limited.progress() for _ in limited.steps()] == [0.5, 1.0]


def test_what_has_no_size_has_no_progress() -> None:
    lesson = Lesson(AdaGrad(), read([({"x": 1.0}, 1)] * 10, batch_rows=4))
    assert [lesson.progress() for _ in lesson.steps()] == [None] * 3


def test_the_line_below_the_table() -> None:
    assert speed(100, 0.0, None) == "100 rows"
    assert speed(100, 2.0, None) == "100 rows  50 rows/s"
    assert speed(7200, 7200.0, 0.5) == "7,200 rows  1 rows/s  50%  2:00:00 left"
    assert speed(100, 10.0, 0.75, 0.5) == "100 rows  10 rows/s  75%  0:10 left"
    assert speed(100, 10.0, 1.0) == "100 rows  10 rows/s  100%"


@pytest.mark.parametrize("window", [None, 3])
def test_the_table_has_a_column_for_the_window(window: int | None) -> None:
    lesson = Lesson(AdaGrad(), read([({"x": 1.0}, 1)] * 10), window=window)
    for _ in lesson.steps():
        pass
    console = Console(file=io.StringIO(), width=100)
    console.print(Screen("d")._table(lesson.curve(), "fast"))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert ("window" in shown) == (window is not None)
    assert shown.splitlines()[-1].strip() == "fast"
