"""The same file read by Vowpal Wabbit and by us: weights, tags, namespaces, scales and words mean the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import afterwit as aw
from afterwit.learning import Lesson

pytest.importorskip("vowpalwabbit", reason="vowpalwabbit is not installed, and it is what we compare with")

CLOSE = 1e-4


def theirs(path: Path) -> np.ndarray:
    """What it predicts before each row; a tag stands behind the number."""
    out = path.with_suffix(".predictions")
    options = ["--quiet", "--noconstant", "-b", "24", "-d", str(path), "-p", str(out)]
    subprocess.run([sys.executable, "-m", "vowpalwabbit", *options], check=True, capture_output=True)
    return np.array([float(line.split()[0]) for line in out.read_text().splitlines() if line.strip()])


def ours(path: Path) -> np.ndarray:
    features = aw.Features(bits=24, intercept=False)
    model = aw.linear.AdaGrad(0.5, normalized=True, loss="squared", features=features)
    return np.concatenate([step.raw[:, 0] for step in Lesson(model, aw.read(path)).steps()])


def assert_same(path: Path, y: np.ndarray) -> None:
    """The first rows set the range of labels, and it knows a row's own label before it clips."""
    assert y[:2].tolist() == [y.min(), y.max()]
    assert np.abs(ours(path) - theirs(path))[2:].max() < CLOSE * (max(y.max(), 0.0) - min(y.min(), 0.0))


def test_numbers_with_weights(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    path, w = tmp_path / "numbers.vw", rng.normal(size=40)
    y, lines = [-3.0, 3.0], ["-3 | 1:1\n", "3 | 2:1\n"]
    for i in range(1500):
        columns = np.sort(rng.choice(40, size=6, replace=False))
        values = rng.normal(size=6).round(3)
        label = float(np.clip(w[columns] @ values, -2.9, 2.9).round(4))
        header = [f"{label!r}", f"{label!r} {rng.integers(1, 9) / 4}", f"{label!r} 2 'row{i}", f"{label!r} 0.5 0 t{i}"]
        gap = "" if i % 4 == 3 else " "
        pairs = " ".join(f"{k}:{v!r}" for k, v in zip(columns.tolist(), values.tolist(), strict=True))
        lines.append(f"{header[i % 4]}{gap}| {pairs}\n")
        y.append(label)
    path.write_text("".join(lines))
    assert_same(path, np.array(y))


def test_words_namespaces_and_scales(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    path = tmp_path / "flights.vw"
    delay = dict(zip(["UA", "AA", "DL", "WN"], rng.normal(size=4), strict=True))
    far = dict(zip(["ATL", "BOS", "DEN", "JFK", "SEA"], rng.normal(size=5), strict=True))
    y, lines = [-4.0, 4.0], ["-4 |c UA\n", "4 |c DL\n"]
    for _ in range(1500):
        carrier, airport, hour = str(rng.choice(list(delay))), str(rng.choice(list(far))), round(rng.random(), 3)
        label = float(np.clip(delay[carrier] + far[airport] + hour + 0.1 * rng.normal(), -3.9, 3.9).round(4))
        time = f"|time:0.5 hour:{hour!r} late:{1 - hour:.3f}"
        lines.append(
            f"{label!r} {rng.integers(1, 5) / 2} |carrier {carrier} |to {airport} busy |from {carrier} {time}\n"
        )
        y.append(label)
    path.write_text("".join(lines))
    assert_same(path, np.array(y))
