"""Parts of a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.protocols import Batch

#: About how many raw predictions are there at once: rows times classes.
MOST = 1 << 20


def rows_of(batch: Batch, first: int, end: int) -> Batch:
    """Some rows of a batch; its position is still the end of the batch."""
    if first == 0 and end >= len(batch):
        return batch
    a, b = int(batch.starts[first]), int(batch.starts[end])
    return replace(
        batch,
        keys=batch.keys[a:b],
        values=batch.values[a:b],
        starts=batch.starts[first : end + 1] - a,
        y=batch.y[first:end],
        weight=None if batch.weight is None else batch.weight[first:end],
        names=None if batch.names is None else batch.names[a:b],
        groups=None if batch.groups is None else batch.groups[a:b],
        ids=None if batch.ids is None else tuple(texts[first:end] for texts in batch.ids),
    )


def pieces(batch: Batch, *models: Any) -> Iterator[Batch]:
    """The batch in parts, if one prediction for each row and class that is known would be too many at once."""
    known = (getattr(model, "classes", ()) for model in models)
    classes = max([len(batch.classes), *(len(each) for each in known if isinstance(each, Sized))])
    step = max(1, MOST // max(1, classes))
    for first in range(0, max(1, len(batch)), step):
        yield rows_of(batch, first, min(first + step, len(batch)))


def taken(batch: Batch, rows: slice | npt.NDArray[np.int64]) -> Batch:
    """The features of some rows, in this order, without their labels."""
    counts = np.diff(batch.starts)[rows]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    at = np.repeat(batch.starts[:-1][rows] - starts[:-1], counts) + np.arange(starts[-1])
    return Batch(
        batch.keys[at],
        batch.values[at],
        starts,
        np.zeros(0),
        names=None if batch.names is None else [batch.names[i] for i in at.tolist()],
        groups=None if batch.groups is None else batch.groups[at],
    )
