"""Copies of any learner, one per class, with the face that `OneVsAll` needs of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import registry
from afterwit.protocols import Batch, Learner
from afterwit.streams.arrays import as_dicts, check_values

Raw = npt.NDArray[np.float64]


class PerClass:
    """As many fresh copies of a learner as there are classes; the label is +1 for its own class, -1 for the others.

    Until a copy learns, the learner itself, which never does, stands for it: a file may name any number of classes.
    """

    def __init__(self, model: Learner) -> None:
        self._model = model
        self._learners: list[Learner] = []

    def add_learners(self, n: int) -> None:
        self._learners += [self._model] * n

    def predict_codes(self, x: Any) -> Raw:
        return np.array([float(learner.predict_one(x)) for learner in self._learners])

    def learn_code(self, x: Any, y: int, weight: float, classes: int) -> None:
        with self._no_class_of_a_failure():
            self._learn(x, y, weight)

    def _learn(self, x: Any, y: int, weight: float) -> None:
        if weight == 0.0:
            return
        self.add_learners(max(0, y + 1 - len(self._learners)))
        for code, learner in enumerate(self._learners):
            if learner is self._model:
                learner = self._learners[code] = registry.fresh(learner)
            learner.learn_one(x, 1.0 if code == y else -1.0, weight)

    @contextmanager
    def _no_class_of_a_failure(self) -> Iterator[None]:
        known = len(self._learners)
        try:
            yield
        except BaseException:
            del self._learners[known:]
            raise

    def predict_batch(self, batch: Batch) -> Raw:
        return np.array([self.predict_codes(x) for x in as_dicts(batch)]).reshape(len(batch), len(self._learners))

    def learn_batch(self, batch: Batch, codes: Raw, classes: int) -> Raw:
        check_values(batch, "X", 1)  # a learner of any kind cannot take back the rows before a bad one
        raw = np.full((len(batch), max(classes, len(self._learners))), -np.inf)
        weights = np.ones(len(batch)) if batch.weight is None else batch.weight
        with self._no_class_of_a_failure():
            for r, x in enumerate(as_dicts(batch)):
                raw[r, : len(self._learners)] = self.predict_codes(x)
                self._learn(x, int(codes[r]), float(weights[r]))
        return raw

    def native_state(self) -> dict[str, Any]:
        return {"learners": [registry.state(learner) for learner in self._learners]}

    def set_native_state(self, state: dict[str, Any], learners: int) -> None:
        states = state["learners"]
        if len(states) != learners:
            raise ValueError("the state has not one learner per class")
        name, settings = registry.name_of(self._model), registry.settings(self._model)
        self._learners = [registry.build(name, settings, each) for each in states]
