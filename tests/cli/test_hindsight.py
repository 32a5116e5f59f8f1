"""`learn --hindsight`, run as a process."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import afterwit as aw
from tests.cli.commands import COMMAND, afterwit, inside, on_a_terminal, write_svmlight


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_svmlight(tmp_path / "data.svm", 400, features=20)


def test_it_prints_what_the_library_finds(data: Path) -> None:
    report = aw.learn(aw.linear.AdaGrad(), aw.read(data))
    found = report.hindsight()
    shown = json.loads(afterwit("learn", data, "--learner", "adagrad", "--hindsight", "--json").stdout)
    assert shown["hindsight"] == json.loads(found.to_json())
    assert {name: value for name, value in shown.items() if name != "hindsight"} == json.loads(report.to_json())
    table = afterwit("learn", data, "--learner", "adagrad", "--hindsight").stdout.decode()
    lines = [line.split("  ", 1) for line in table.splitlines()]
    assert [(name, value.strip()) for name, value in lines] == report.lines() + found.lines()
    assert "hindsight" not in json.loads(afterwit("learn", data, "--json").stdout)


def test_a_pipe_is_refused_before_it_is_learned(data: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.afterwit"
    done = afterwit("learn", "-", "--hindsight", "--save", model, stdin=data.read_bytes())
    assert done.returncode == 1
    assert b"standard input can be read only once; save it to a file first" in done.stderr
    assert not model.exists()


def test_without_scipy_it_says_so_before_it_learns(data: Path, tmp_path: Path) -> None:
    """A folder in front of all others, in which SciPy cannot be imported."""
    (tmp_path / "blocked" / "scipy").mkdir(parents=True)
    (tmp_path / "blocked" / "scipy" / "__init__.py").write_text("raise ImportError\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "blocked")}
    words = [*COMMAND, "learn", str(data), "--hindsight"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2
    assert "--hindsight: comparators in hindsight need the package `scipy`" in done.stderr
    assert done.stdout == ""


def test_a_resumed_run_looks_back_at_all_rows(data: Path, tmp_path: Path) -> None:
    words = ["--checkpoint", 100, "--json", "--learner", "adagrad", "--hindsight"]
    whole = afterwit("learn", data, "--save", tmp_path / "whole", *words)
    lines = data.read_text().splitlines(keepends=True)
    data.write_text("".join([*lines[:150], "oops\n", *lines[150:]]))
    assert inside("learn", data, "--save", tmp_path / "half", *words) == 1  # leaves a checkpoint
    data.write_text("".join(lines))
    resumed = afterwit("learn", data, "--save", tmp_path / "half", *words, "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["hindsight"]["rows"] == 400
    assert resumed.stdout == whole.stdout


def test_on_a_terminal_it_says_how_far_it_is(data: Path) -> None:
    printed, drawn = on_a_terminal("learn", data, "--hindsight")
    assert b"regret" in printed
    assert b"looking back: reading 1, 100%" in drawn
