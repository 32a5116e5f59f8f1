"""Rows whose labels come late: predicted, and learned so many rows afterwards."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.learning.pieces import rows_of
from afterwit.protocols import Batch
from afterwit.registry.plain import count

Raw = npt.NDArray[np.float64]
#: A model and rows -> the raw predictions, one line per row.
Call = Callable[[Any, Batch], Raw]


class Pending:
    """The rows that are not learned yet, `delay` of them at most, and how a model predicts rows and learns them.

    Row t is predicted when the rows up to t - 1 - delay are learned, and then row t - delay is.
    """

    def __init__(self, delay: int, predict: Call, learn: Call) -> None:
        self.delay, self._predict, self._learn = delay, predict, learn
        self._rows: deque[Batch] = deque()

    def learn(self, model: Any, batch: Batch) -> Raw:
        """The raw predictions of all rows; learns those whose labels have come by then."""
        raw = []
        for r in range(len(batch)):
            row = rows_of(batch, r, r + 1)
            raw.append(self._predict(model, row)[0])
            self._rows.append(row)
            if len(self._rows) > self.delay:
                self._learn(model, self._rows.popleft())
        width = max((len(line) for line in raw), default=1)
        # Of a class that came later nothing was predicted.
        padded = [np.concatenate([line, np.full(width - len(line), -np.inf)]) for line in raw]
        return np.array(padded).reshape(len(raw), width)

    def flush(self, model: Any) -> None:
        """Learns all that are left: their labels have come when the pass ends."""
        while self._rows:
            self._learn(model, self._rows.popleft())

    def state(self) -> dict[str, Any]:
        """The rows as plain data."""
        rows = list(self._rows)
        if not rows:
            return {"rows": 0}
        most = max(len(row.classes) for row in rows)
        weights = np.concatenate([np.ones(1) if row.weight is None else row.weight for row in rows])
        parts = {name: np.concatenate([getattr(row, name) for row in rows]) for name in ("keys", "values", "y")}
        return {
            "rows": len(rows),
            **parts,
            "weight": weights,
            "sizes": np.array([len(row.keys) for row in rows], dtype=np.int64),
            "names": None if rows[0].names is None else [name for row in rows for name in row.names or ()],
            "groups": None if rows[0].groups is None else np.concatenate([row.groups for row in rows]),
            "classes": list(next(row.classes for row in rows if len(row.classes) == most)),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        rows = count(state["rows"], "its number of pending rows")
        if rows > self.delay:
            raise ValueError(f"its pending rows are {rows}, expected at most {self.delay}")
        self._rows = deque(_rows(state) if rows else ())


def _rows(state: dict[str, Any]) -> list[Batch]:
    """The rows of a state, checked."""
    sizes = state["sizes"]
    for name, kind in (("keys", "u"), ("values", "f"), ("y", "f"), ("weight", "f"), ("sizes", "i"), ("groups", "u")):
        part = state[name]
        if not (name == "groups" and part is None) and not (isinstance(part, np.ndarray) and part.dtype.kind == kind):
            raise ValueError(f"the `{name}` of its pending rows are of another kind")
    total = int(sizes.sum()) if (sizes >= 0).all() else -1
    long = [len(state[name]) for name in ("keys", "values", "names", "groups") if state[name] is not None]
    short = [len(state[name]) for name in ("y", "weight", "sizes")]
    if set(long) != {total} or set(short) != {state["rows"]}:
        raise ValueError("its pending rows have not one number for each value")
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    parts = {name: state[name] for name in ("keys", "values", "y", "weight", "names", "groups")}
    whole = Batch(starts=starts, classes=tuple(state["classes"]), **parts)
    return [rows_of(whole, r, r + 1) for r in range(len(whole))]
