"""Running the command as a person would, in its own process."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

COMMAND = [sys.executable, "-m", "afterwit"]


def afterwit(
    *words: object, stdin: bytes | None = None, preexec: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, words)], input=stdin, capture_output=True, timeout=120, preexec_fn=preexec, check=False
    )


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_svmlight(
    path: Path, rows: int, features: int = 1000, seed: int = 0, classes: Sequence[Any] = (-1, 1)
) -> Path:
    """Random rows of a noisy linear concept."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=(len(classes), features))
    lines = []
    for _ in range(rows):
        columns = np.sort(rng.choice(features, size=rng.integers(1, 12), replace=False))
        values = rng.normal(size=len(columns))
        score = w[:, columns] @ values + rng.normal(size=len(classes))
        pairs = " ".join(f"{column}:{value!r}" for column, value in zip(columns.tolist(), values.tolist(), strict=True))
        lines.append(f"{classes[int(np.argmax(score))]} {pairs}\n")
    path.write_text("".join(lines))
    return path
