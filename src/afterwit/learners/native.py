"""What every learner of the core has in common: rows of any kind in, raw predictions out, state as plain data."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses, registry
from afterwit._core import Labels as CoreLabels
from afterwit._core import LearningRule, Model
from afterwit.features import Features
from afterwit.protocols import Batch, Labels, Wants
from afterwit.schema import Schema
from afterwit.shown import model_html
from afterwit.streams.arrays import csr_arrays, labelled, rows_of, weights
from afterwit.streams.labels import LabelReader, in_order


class Native(Model):
    """A learner of the core: the native class with a rule, a loss and features.

    `predict_one` and `learn_one` are native. The algorithms are its subclasses, which only choose the rule. Calls are
    safe from several threads (docs/threads.md).
    """

    loss: str
    features: Features
    schema: Schema | None = None

    def __init__(self, rule: LearningRule, loss: str | losses.Loss, features: Features | None) -> None:
        chosen = losses.get(loss)
        self.loss = str(chosen)
        self.features = features or Features()
        self._rule = rule
        super().__init__(rule, chosen, self.features.layout(), CoreLabels[chosen.labels])

    @property
    def labels(self) -> Labels:
        """Which labels it learns from."""
        return _labels_of(self.loss)

    @property
    def wants(self) -> Wants:
        """What it must know of the features."""
        return self.features.wants

    def predict_many(self, X: Any) -> npt.NDArray[np.float64]:
        """The raw predictions for all rows of X: an array, a CSR matrix, a table, dicts, or a batch."""
        rows = rows_of(X, wants=self.features.wants)
        return self.predict_rows(rows.keys, rows.values, rows.starts, rows.groups)[:, 0]

    def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> npt.NDArray[np.float64]:
        """Learns the rows in order; the raw predictions made before each row was learned."""
        if hasattr(X, "tocsr") and y is not None:
            X = X.tocsr()
            if X.data.dtype in (np.float32, np.float64):
                numbers = LabelReader(self.labels, "y").read(in_order(y), 1)
                return self.learn_csr(*csr_arrays(X), numbers, weights(weight, X.shape[0]))[:, 0]
        b = labelled(X, y, weight, self.labels, wants=self.features.wants)
        return learn_batch(self, b, b.y)[:, 0]

    def state(self) -> dict[str, Any]:
        return self.native_state()

    def set_state(self, state: dict[str, Any]) -> None:
        self.set_native_state(state, 1)

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        """As it would be constructed, without the arguments that are the defaults."""
        parameters = inspect.signature(type(self)).parameters.values()
        given = [(p.name, getattr(self, p.name)) for p in parameters if getattr(self, p.name) != p.default]
        inside = ", ".join(f"{name}={value!r}" for name, value in given if value != Features())
        return f"{type(self).__name__}({inside})"


@cache
def _labels_of(loss: str) -> Labels:
    return Labels(losses.get(loss).labels)


def several(model: Native) -> Model:
    """The native model of `model` for any number of learners over the same features, each as `model` is when fresh."""
    return Model(model._rule, losses.get(model.loss), model.features.layout(), CoreLabels.classes)


def learn_batch(model: Model, b: Batch, y: npt.NDArray[np.float64], classes: int = 0) -> npt.NDArray[np.float64]:
    """Learns a batch with the labels y, packed or not; the raw predictions made before each row."""
    if b.values.dtype == np.float32 and b.names is None and b.groups is None:
        return model.learn_csr(b.keys, b.values, b.starts, y, b.weight, classes)
    return model.learn_rows(b.keys, b.values, b.starts, y, b.weight, classes, b.names, b.groups)
