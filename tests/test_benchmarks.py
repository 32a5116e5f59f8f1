"""The benchmarks run; what they measure is not a test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_quick_benchmarks_run(tmp_path):
    out = tmp_path / "numbers.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", "--folder", str(tmp_path / "rows"), "--json", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    numbers = json.loads(out.read_text())
    assert {"cpu", "python", "packages"} <= numbers["machine"].keys()
    assert len(numbers["results"]) == 18
    measured = [line["measured"] for line in numbers["results"] if line["measured"]]
    assert len(measured) >= 13  # all but River, Numba and the flights, which the tests do not ask for
    assert all(np.isfinite(line[side]) for line in measured for side in ("ours", "theirs"))
    assert all(line["lowest"] <= line["ratio"] <= line["highest"] for line in measured if line["ratio"] is not None)
    assert all(line["work"] in done.stdout for line in numbers["results"])


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
