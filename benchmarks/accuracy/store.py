"""Predictions of the peers, kept so that none of them has to run again on rows that it has seen."""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path

import numpy as np

from benchmarks.accuracy.predictions import Predictions

#: Another number forgets all that is kept.
VERSION = 1


def place(folder: Path, data: str, learner: str) -> Path:
    """Where the predictions of a learner on a version of a set are; any two words of theirs give two places."""
    return folder / f"v{VERSION}" / data / f"{re.sub(r'[^A-Za-z0-9.=-]+', '_', learner)}.npz"


def kept(path: Path, rows: int) -> Predictions | None:
    """The predictions of the first so many rows, if there are as many; a later row changes no earlier prediction."""
    try:
        with np.load(path) as file:
            predictions: Predictions = file["predictions"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return predictions[:rows] if len(predictions) >= rows else None


def keep(path: Path, predictions: Predictions) -> None:
    """Writes them, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with open(unfinished, "wb") as file:
            np.savez_compressed(file, predictions=np.asarray(predictions, dtype=np.float32))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
