"""The benchmarks run; what they measure is not a test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from benchmarks.facts import Fact, Told

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_quick_benchmarks_run(tmp_path):
    out = tmp_path / "numbers.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", "--folder", str(tmp_path / "rows"), "--json", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    numbers = json.loads(out.read_text())
    assert {"cpu", "python", "packages"} <= numbers["machine"].keys()
    assert len(numbers["results"]) == 38
    measured = [line["measured"] for line in numbers["results"] if line["measured"]]
    assert len(measured) >= 29  # all but Numba and the flights, which the tests do not ask for
    assert all(np.isfinite(line[side]) for line in measured for side in ("ours", "theirs"))
    assert all(line["lowest"] <= line["ratio"] <= line["highest"] for line in measured if line["ratio"] is not None)
    assert all(line["work"] in done.stdout for line in numbers["results"])
    alone = {one["fact"]["name"]: one["numbers"] for one in numbers["alone"]}
    assert len(alone) == (11 if sys.platform == "linux" else 10)
    assert all(len(of_runs) == 2 and min(of_runs) > 0.0 for of_runs in alone.values())
    assert all(name in done.stdout for name in alone)


def test_a_fact_is_shown_by_its_median_and_range():
    one = Told(Fact("saved", "kB", "9 kB"), 2_000, [1234.5, 3.0, 20.0])
    assert one.cells() == ["saved", "2,000", "3", "20 kB", "3-1,234", "9 kB"]


def checkout(folder: Path, line: str) -> Path:
    """A folder with a `python` in its `.venv`, which does what this line of a shell says."""
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\n{line}\n")
    python.chmod(0o755)
    return folder


def against(other: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.against", str(other), "--quick", "--folder", str(folder)]
    return subprocess.run([*command, "--only", "dict-classes", "steady"], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize(("line", "known"), [(f'exec "{sys.executable}" "$@"', True), ("exit 1", False)])
def test_two_checkouts_are_run_in_turn(tmp_path, line, known):
    done = against(checkout(tmp_path / "other", line), tmp_path)
    assert done.returncode == 0, done.stderr
    ours, steady = done.stdout.splitlines()[-2:]
    assert ours.startswith("`OneVsAll.learn_one`")
    assert ("not known there" in ours) != known
    assert "measures itself" in steady


def test_a_checkout_that_is_not_built_is_said_so(tmp_path):
    done = against(tmp_path / "none", tmp_path)
    assert done.returncode == 2
    assert "run `make build` there" in done.stderr


def test_the_rows_of_several_classes_are_those_of_two_with_other_labels(tmp_path):
    for kind in ("sparse", "sparse-3"):
        subprocess.run(
            [sys.executable, "-m", "benchmarks.data", kind, "50", str(tmp_path / kind)], cwd=ROOT, check=True
        )
    two, three, theirs = (
        [line.split(" ", 1) for line in (tmp_path / name).read_text().splitlines()]
        for name in ("sparse/all.svm", "sparse-3/all.svm", "sparse-3/all.vw")
    )
    assert {label for label, _ in two} == {"-1", "1"}
    assert {label for label, _ in three} == {"1", "2", "3"}
    assert [(label, "| " + row) for label, row in three] == [tuple(line) for line in theirs]
    assert [row for _, row in three] == [row for _, row in two]


def test_both_text_formats_have_the_same_rows(tmp_path):
    def made(kind: str) -> Path:
        command = [sys.executable, "-m", "benchmarks.data", kind, "50", str(tmp_path / kind)]
        subprocess.run(command, cwd=ROOT, check=True)
        return tmp_path / kind

    sparse, csr = made("sparse"), np.load(made("csr") / "rows.npz")
    theirs = (sparse / "all.vw").read_text()
    assert theirs.replace(" |", "") == (sparse / "all.svm").read_text()
    assert (sparse / "one.vw").read_text() == theirs.splitlines(keepends=True)[0]
    X, y = load_svmlight_file(str(sparse / "all.svm.gz"), zero_based=True)
    assert np.array_equal(X.indices, csr["indices"])
    assert np.array_equal(X.indptr, csr["indptr"])
    assert np.array_equal(X.data, csr["data"])
    assert np.array_equal(y, csr["y"])
    dense = load_svmlight_file(str(made("dense") / "all.svm"), zero_based=True)[0]
    assert dense.shape == (50, 55)
    assert dense.nnz == 50 * 54
