"""Memory does not grow with the rows of a stream."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.memory import ON_LINUX, PEAK

# Peak resident sizes in kB after so many rows of a file that a pipe repeats.
PROGRAM = f"""
import json, subprocess, sys
import afterwit as aw
from afterwit.learning import Lesson
{PEAK}
path, header, options, *marks = sys.argv[1:]
with subprocess.Popen(["cat", header, *[path] * 200], stdout=subprocess.PIPE) as source:
    stream = aw.read(f"/dev/fd/{{source.stdout.fileno()}}", **json.loads(options))
    lesson = Lesson(aw.linear.AdaGrad(normalized=True), stream, window=1000, holdout=10)
    steps, peaks = lesson.steps(), []
    for mark in map(int, marks):
        while lesson.rows < mark:
            next(steps)
        peaks.append(peak())
    source.kill()
print(json.dumps([lesson.rows, peaks]))
"""
ROW = {
    "svmlight": lambda i: f"{i % 2} 1:{i % 7} {i % 500}:0.25 {1000 + i % 3000}:1",
    "vw": lambda i: f"{i % 2} | a:{i % 7} w{i % 500} |n v{i % 3000}",
    "csv": lambda i: f"{i % 2},{i % 7},w{i % 500},v{i % 3000}",
}


@pytest.mark.slow
@ON_LINUX
@pytest.mark.parametrize("kind", ROW)
def test_two_million_rows_take_no_more_than_two_hundred_thousand(tmp_path: Path, kind: str) -> None:
    rows, header = tmp_path / "rows", tmp_path / "header"
    rows.write_text("".join(ROW[kind](i) + "\n" for i in range(20_000)))
    header.write_text("y,a,b,c\n" if kind == "csv" else "")
    options = {"format": kind, **({"target": "y"} if kind == "csv" else {})}
    command = [sys.executable, "-c", PROGRAM, rows, header, json.dumps(options), "200000", "2000000"]
    learned, (early, late) = json.loads(subprocess.check_output(command))
    assert learned >= 2_000_000
    assert late - early < 2_000
