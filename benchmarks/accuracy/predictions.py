"""What is kept of a prediction, and what it cost.

One float32 per row: the margin (binary: its sigmoid is the probability of +1) or the number (regression). Two per row
of a multiclass set: the code of the class that was chosen, and the probability that its true class was given.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmarks.accuracy.sets import Rows

Predictions = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
MEASURES = ("error", "log loss", "squared error")
#: Nobody's probabilities are nearer to 0 or 1, so that one sure mistake is not all that counts.
CLIP = 1e-6


def of_margins(margins: Floats) -> Predictions:
    """Of margins, or of numbers."""
    return np.asarray(margins, dtype=np.float32)


def within(numbers: Floats, y: Floats, zero: bool = False) -> Floats:
    """The numbers cut to the range of the labels before each, of 0 too if asked to; without 0 the first stays."""
    past = np.concatenate([[0.0], y[:-1]]) if zero else y[:-1]
    lowest, highest = np.minimum.accumulate(past), np.maximum.accumulate(past)
    first = 0 if zero else 1
    return np.concatenate([numbers[:first], np.clip(numbers[first:], lowest, highest)])


def of_probability(p: Floats) -> Predictions:
    """Of the probability of +1."""
    p = np.clip(p, CLIP, 1.0 - CLIP)
    return of_margins(np.log(p) - np.log1p(-p))


def of_shares(shares: Floats, y: Floats) -> Predictions:
    """Of a probability per class, one line per row; the first of the largest is chosen."""
    true = shares[np.arange(len(y)), y.astype(np.int64)]
    return np.stack([shares.argmax(axis=1), true], axis=1).astype(np.float32)


def of_scores(scores: Floats, y: Floats) -> Predictions:
    """Of a margin per class, each against all others: a share is its sigmoid over the sum of all."""
    logs = -np.logaddexp(0.0, -scores)
    top = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - np.where(np.isfinite(top), top, 0.0))
    total = shares.sum(axis=1, keepdims=True)
    return of_shares(np.where(total > 0.0, shares / np.where(total > 0.0, total, 1.0), 1.0 / scores.shape[1]), y)


def losses_of(rows: Rows, predictions: Predictions) -> dict[str, Floats]:
    """The losses of each row, by measure."""
    p = np.asarray(predictions, dtype=np.float64)
    if rows.task == "regression":
        # The first row counts for nobody: before any label its unit is unknown.
        return {"squared error": np.square(p - rows.y)[1:]}
    if rows.task == "multiclass":
        true = np.clip(p[:, 1], CLIP, 1.0 - CLIP)
        return {"error": (p[:, 0] != rows.y).astype(np.float64), "log loss": -np.log(true)}
    most = np.log((1.0 - CLIP) / CLIP)
    wrong = (p >= 0.0) != (rows.y > 0.0)
    return {"error": wrong.astype(np.float64), "log loss": np.logaddexp(0.0, -rows.y * np.clip(p, -most, most))}
