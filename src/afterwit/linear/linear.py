"""What every linear learner has in common: rows of any kind in, raw predictions out, state as plain data."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses, registry
from afterwit._core import Labels as CoreLabels
from afterwit._core import LearningRule, Model, key_in_namespace, key_of_name
from afterwit.features import Features
from afterwit.protocols import Batch, Labels, Wants
from afterwit.streams.arrays import csr_arrays, labelled, rows_of, weights
from afterwit.streams.labels import LabelReader, in_order

INTERCEPT = "(intercept)"


class Linear(Model):
    """A linear learner of the one kernel: the native class with an update rule, a loss and features.

    `predict_one` and `learn_one` are native. The algorithms are its subclasses, which only choose the rule. Calls are
    safe from several threads (docs/threads.md).
    """

    loss: str
    features: Features

    def __init__(self, rule: LearningRule, loss: str | losses.Loss, features: Features | None) -> None:
        chosen = losses.get(loss)
        self.loss = str(chosen)
        self.features = features or Features()
        self._rule = rule
        super().__init__(rule, chosen, self.features.layout(), CoreLabels[chosen.labels])

    @property
    def labels(self) -> Labels:
        """Which labels it learns from."""
        return Labels(losses.get(self.loss).labels)

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

    def coef(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """The weights by feature name (`price`, `city=Rome`, `user^17`): all that are not zero, or those of `names`."""
        return {name: float(row[0]) for name, row in named_weights(self, self.features, names).items()}

    def state(self) -> dict[str, Any]:
        return self.native_state()

    def set_state(self, state: dict[str, Any]) -> None:
        self.set_native_state(state, 1)

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate

    def __repr__(self) -> str:
        """As it would be constructed, without the arguments that are the defaults."""
        parameters = inspect.signature(type(self)).parameters.values()
        given = [(p.name, getattr(self, p.name)) for p in parameters if getattr(self, p.name) != p.default]
        inside = ", ".join(f"{name}={value!r}" for name, value in given if value != Features())
        return f"{type(self).__name__}({inside})"


def several(model: Linear) -> Model:
    """The kernel of `model` for any number of learners over one table, each as `model` is when it is fresh."""
    return Model(model._rule, losses.get(model.loss), model.features.layout(), CoreLabels.classes)


def learn_batch(model: Model, b: Batch, y: npt.NDArray[np.float64], classes: int = 0) -> npt.NDArray[np.float64]:
    """Learns a batch with the labels y, packed or not; the raw predictions made before each row."""
    if b.values.dtype == np.float32 and b.names is None and b.groups is None:
        return model.learn_csr(b.keys, b.values, b.starts, y, b.weight, classes)
    return model.learn_rows(b.keys, b.values, b.starts, y, b.weight, classes, b.names, b.groups)


def named_weights(kernel: Model, features: Features, names: Iterable[str] | None) -> dict[str, npt.NDArray[np.float64]]:
    """Feature name to the weights of all learners."""
    if names is not None:
        return _weights_of(kernel, list(names))
    if not features.exact and not kernel.slots_are_indices:
        raise ValueError(
            'the names were hashed and not kept; ask for some with coef(names=[...]), or use Features(names="exact")'
        )
    slots, weights, known = kernel.weights()
    found = {}
    for slot, row in zip(slots.tolist(), weights, strict=True):
        name = INTERCEPT if slot == kernel.intercept_slot else known[slot - 1] if features.exact else str(slot)
        found[name] = row
    return found


def _weights_of(kernel: Model, names: list[str]) -> dict[str, npt.NDArray[np.float64]]:
    keys = np.array([_key(name) for name in names], dtype=np.uint64)
    *rows, intercept = kernel.weights_of(keys)
    found = dict(zip(names, rows, strict=True))
    if INTERCEPT in found:
        found[INTERCEPT] = intercept
    return found


def _key(name: str) -> int:
    """The key of `price`, `city=Rome` or, in a namespace, `user^17`."""
    namespace, separator, inner = str(name).partition("^")
    return key_in_namespace(namespace, inner) if separator else key_of_name(str(name))
