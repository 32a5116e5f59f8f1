"""Rows for comparisons: stored sets from AFTERWIT_DATA, and generated ones that are always there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_svmlight_file


class Rows(NamedTuple):
    X: scipy.sparse.csr_matrix
    y: np.ndarray

    def first(self, count: int) -> Rows:
        return Rows(self.X[:count], self.y[:count])

    def shuffled(self, seed: int) -> Rows:
        order = np.random.default_rng(seed).permutation(len(self.y))
        return Rows(self.X[order], self.y[order])


def stored(name: str) -> Rows:
    """A set of the data folder; skips the test where there is none."""
    folder = os.environ.get("AFTERWIT_DATA")
    if not folder:
        pytest.skip("AFTERWIT_DATA is not set: it names the folder with the public data sets")
    path = Path(folder) / f"{name}.svm.gz"
    if not path.exists():
        pytest.skip(f"AFTERWIT_DATA has no {path.name}")
    return Rows(*load_svmlight_file(str(path), zero_based=True))


def scales(rng: np.random.Generator, rows: int) -> Rows:
    """Columns from thousandths to millions, and signs that a line almost tells apart."""
    X = rng.normal(size=(rows, 8)) * 10.0 ** np.arange(-3, 5)
    z = (X / 10.0 ** np.arange(-3, 5)) @ rng.normal(size=8) + rng.normal(size=rows)
    return _rows(X, np.where(z > 0.0, 1.0, -1.0))


def words(rng: np.random.Generator, rows: int) -> Rows:
    """About ten of 300 words a row, some of them rare."""
    frequency = np.minimum(0.5, 4.0 / np.arange(3, 303))
    X = (rng.random((rows, 300)) < frequency) * rng.random((rows, 300)).round(3)
    z = X @ rng.normal(size=300) + 0.3 * rng.normal(size=rows)
    return _rows(X, np.where(z > 0.0, 1.0, -1.0))


def outliers(rng: np.random.Generator, rows: int) -> Rows:
    """Real labels, and now and then a row a hundred times as large as the others."""
    X = rng.normal(size=(rows, 6)) * np.where(rng.random((rows, 1)) < 0.01, 100.0, 1.0)
    return _rows(X, np.clip(X @ rng.normal(size=6), -20.0, 30.0) + rng.normal(size=rows))


GENERATED: dict[str, Callable[[np.random.Generator, int], Rows]] = {
    "scales": scales, "words": words, "outliers": outliers,
}  # fmt: skip


def generated(name: str, rows: int = 2000) -> Rows:
    return GENERATED[name](np.random.default_rng(1), rows)


def classes(count: int, rows: int = 2000) -> Rows:
    """Points around as many centres as there are classes, 1 to count."""
    rng = np.random.default_rng(2)
    y = rng.integers(1, count + 1, rows)
    X = rng.normal(size=(count, 6))[y - 1] + 0.7 * rng.normal(size=(rows, 6))
    return _rows(X, y.astype(np.float64))


def _rows(X: np.ndarray, y: np.ndarray) -> Rows:
    # As single precision, which is what either side keeps.
    return Rows(scipy.sparse.csr_matrix(X.astype(np.float32).astype(np.float64)), y.astype(np.float32).astype(float))
