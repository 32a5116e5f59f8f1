"""Vowpal Wabbit's command line on rows in memory."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

from tests.peers.data import Rows


def predictions(folder: Path, rows: Rows, *options: str, weight: np.ndarray | None = None) -> np.ndarray:
    """What it predicts before each row; six decimals, as it prints them."""
    data, out = folder / "rows.vw", folder / "predictions"
    data.write_text("".join(_lines(rows, weight)))
    command = [sys.executable, "-m", "vowpalwabbit", "--quiet", *options, "-d", str(data), "-p", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    return np.loadtxt(out)


def _lines(rows: Rows, weight: np.ndarray | None) -> list[str]:
    X, y = rows
    features = [f"{i}:{x:.9g}" for i, x in zip(X.indices.tolist(), X.data.tolist(), strict=True)]
    weights = np.ones(len(y)) if weight is None else weight
    bounds = pairwise(X.indptr.tolist())
    return [
        f"{label:.9g} {h:.9g} | {' '.join(features[first:last])}\n"
        for label, h, (first, last) in zip(y.tolist(), weights.tolist(), bounds, strict=True)
    ]
