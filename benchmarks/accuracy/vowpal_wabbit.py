"""Vowpal Wabbit: its default learner, and 44 settings from which hindsight may choose."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.accuracy.predictions import Predictions, of_margins, of_scores, within
from benchmarks.accuracy.sets import Rows
from benchmarks.measure import python, usage

RATES = ("0.01", "0.05", "0.1", "0.5", "1", "2", "5", "10")
ALPHAS = ("0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3", "10")
COINS = ("1", "4", "16")
#: What it does when nothing is said; one of the settings.
DEFAULT = "-l 0.5"
SETTINGS = (
    *(f"{kind}-l {rate}" for kind in ("", "--power_t 0 ", "--sgd ", "--sgd --power_t 0 ") for rate in RATES),
    *(f"--ftrl --ftrl_alpha {alpha}" for alpha in ALPHAS),
    *(f"--coin --ftrl_alpha {alpha}" for alpha in COINS),
)


def predictions(rows: Rows, settings: Sequence[str]) -> Iterator[Predictions]:
    """What it predicts before each row, by one setting after the other, each in a process of its own."""
    for said, _ in runs(_lines(rows), settings, _options(rows), _output(rows)):
        yield _read(said, rows)


def runs(
    lines: Iterable[str], settings: Sequence[str], options: Sequence[str], output: str = "-p"
) -> Iterator[tuple[bytes, float]]:
    """The text of its predictions of these lines by each setting, and the CPU seconds of the process."""
    with tempfile.TemporaryDirectory() as folder:
        data, out = Path(folder) / "rows.vw", Path(folder) / "predictions"
        with open(data, "w", encoding="ascii") as file:
            file.writelines(lines)
        for words in settings:
            used = usage(python("vowpalwabbit", "--quiet", *options, *words.split(), "-d", data, output, out))
            yield out.read_bytes(), used.seconds


def _options(rows: Rows) -> list[str]:
    loss = ["--loss_function", "squared" if rows.task == "regression" else "logistic"]
    if rows.task != "multiclass":
        return loss
    # A slot for every feature of every class: with the usual 2^18, those of wide sets would share them.
    slots = rows.X.shape[1] * 2 ** (len(rows.classes) - 1).bit_length()
    return [*loss, "--oaa", str(len(rows.classes)), "-b", str(max(18, (slots - 1).bit_length()))]


def _output(rows: Rows) -> str:
    return "-r" if rows.task == "multiclass" else "-p"


def _lines(rows: Rows) -> Iterator[str]:
    labels = rows.y + 1.0 if rows.task == "multiclass" else rows.y
    X = rows.X
    for label, (first, last) in zip(labels.tolist(), pairwise(X.indptr.tolist()), strict=True):
        pairs = zip(X.indices[first:last].tolist(), X.data[first:last].tolist(), strict=True)
        yield f"{label:.9g} | {' '.join(f'{i}:{x:.9g}' for i, x in pairs)}\n"


def _read(said: bytes, rows: Rows) -> Predictions:
    """What has diverged counts as 0.

    Numbers are cut to the range of 0 and the labels before each: VW cuts them so, but with labels that it has read and
    not yet predicted, so that a setting that diverges would be right on a file of growing labels.
    """
    numbers = np.array(re.sub(rb"(?<= )\d+:", b"", said).split(), dtype=np.float64)
    numbers = np.nan_to_num(numbers.reshape(len(rows), -1), nan=0.0, posinf=0.0, neginf=0.0)
    if rows.task == "multiclass":
        return of_scores(numbers, rows.y)
    return of_margins(within(numbers[:, 0], rows.y, zero=True) if rows.task == "regression" else numbers[:, 0])
