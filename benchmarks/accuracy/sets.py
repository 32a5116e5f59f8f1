"""The sets of the data folder, as its README lists them."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

TASKS = ("binary", "multiclass", "regression")
#: Sets that are sorted by class are shuffled with it.
SEED = 1
IN_TIME = re.compile("(?:time|stream) order")


@dataclass(frozen=True)
class Set:
    """A file, what it asks for, and whether its rows come class by class, or in an order of time."""

    name: str
    task: str
    path: Path
    by_class: bool
    in_time: bool

    def version(self) -> str:
        """Another one where the file or the order of its rows is another."""
        order = f"-seed{SEED}" if self.by_class else ""
        return f"{zlib.crc32(self.path.read_bytes()):08x}{order}"


@dataclass(frozen=True)
class Rows:
    """Rows in the order in which they are learned: a CSR matrix whose column is the index in the file, and labels.

    Labels are -1.0 and 1.0 (binary), codes into `classes` (multiclass), or numbers (regression).
    """

    task: str
    X: Any
    y: npt.NDArray[np.float64]
    classes: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.y)

    def first(self, count: int) -> Rows:
        """The rows with which it begins; the classes stay all of them."""
        return self if count >= len(self) else replace(self, X=self.X[:count], y=self.y[:count])


def sets_of(folder: Path) -> list[Set]:
    """The binary, multiclass and regression sets, in the order of the README."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    lines = re.findall(rf"^\| *(\S+)\.svm\.gz *\| *({'|'.join(TASKS)}) *\|(.*)", text, re.MULTILINE)
    by_class, in_time = _named(text, "**Sorted by class**"), _named(text, "keep the order")
    return [
        Set(name, task, folder / f"{name}.svm.gz", name in by_class, name in in_time or bool(IN_TIME.search(about)))
        for name, task, about in lines
    ]


def _named(text: str, phrase: str) -> set[str]:
    """The words of the lines with this phrase."""
    lines = (line for line in text.splitlines() if phrase in line)
    return {word.rstrip(".") for line in lines for word in re.findall(r"[\w.-]+", line)}


def read(chosen: Set) -> Rows:
    """All rows, shuffled where they are sorted by class."""
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(str(chosen.path), zero_based=True)
    if chosen.by_class:
        order = np.random.default_rng(SEED).permutation(len(y))
        X, y = X[order], y[order]
    if chosen.task == "multiclass":
        names, codes = np.unique(y.astype(np.int64), return_inverse=True)
        return Rows(chosen.task, X, codes.astype(np.float64), tuple(names.tolist()))
    if chosen.task == "binary":
        y = np.where(y > 0.0, 1.0, -1.0)
    return Rows(chosen.task, X, y)
