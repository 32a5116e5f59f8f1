"""A ledger that knows classes by their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses
from afterwit._core import Ledger
from afterwit.protocols import Batch, ClassName
from afterwit.streams.labels import class_name


class Account(Ledger):
    """The running totals of one pass by a loss; classes are numbered as they are met, whatever the learner's codes."""

    def __init__(self, loss: str, classes: bool, window: int = 0, confusion: bool = False) -> None:
        super().__init__(losses.get(loss), classes, window, confusion)
        self.codes: dict[ClassName, int] = {}

    def enter(
        self,
        batch: Batch,
        raw: npt.NDArray[np.float64],
        classes: Sequence[ClassName] | None,
        only: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """A batch, or some rows of it, and what was predicted: of several classes, a column for each of `classes`."""
        y, weight = batch.y, batch.weight
        if only is not None:
            y, raw, weight = y[only], raw[only], None if weight is None else weight[only]
        if classes is None:
            self.add(raw, y, weight)
            return
        came = y.astype(np.int64)
        self._meet(classes)
        if not self.codes.keys() >= set(batch.classes):  # strangers to the learner
            self._meet(_in_order(batch.classes, came if weight is None else came[weight > 0.0]))
        own = {name: code for code, name in enumerate(classes)}
        table = np.array([own.get(name, len(own)) for name in batch.classes], dtype=np.float64)
        known = np.array([self.codes.get(name, len(self.codes)) for name in batch.classes], dtype=np.float64)
        predicted = classes[: raw.shape[1]]  # others were learned after these rows were predicted
        columns = np.array([self.codes[name] for name in predicted], dtype=np.float64)
        self.add(raw, table[came], weight, columns, known[came])

    def _meet(self, classes: Iterable[ClassName]) -> None:
        for name in classes:
            self.codes.setdefault(name, len(self.codes))

    def state(self) -> dict[str, Any]:
        return {**super().state(), "classes": list(self.codes)}

    def set_state(self, state: dict[str, Any]) -> None:
        names = [class_name(name) for name in state.get("classes", [])]
        if len(set(names)) < len(names):
            raise ValueError("two of the ledger's `classes` have one name")
        if len(names) < len(state.get("tallies", ())):
            raise ValueError(f"the ledger's `classes` are {len(names)}, expected one for each of its tallies")
        super().set_state(state)
        self.codes = {name: code for code, name in enumerate(names)}


def _in_order(names: Sequence[ClassName], codes: npt.NDArray[np.int64]) -> list[ClassName]:
    """The names of those that come, in the order in which they come."""
    found, first = np.unique(codes, return_index=True)
    return [names[code] for code in found[np.argsort(first)].tolist()]
