"""Several classes by one learner each, over one pass and one table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import registry
from afterwit._core import Lock
from afterwit.features import Features
from afterwit.learners.native import Native, learn_batch, several
from afterwit.learners.weights import named_weights
from afterwit.linear.linear import Linear
from afterwit.linear.per_class import PerClass
from afterwit.protocols import Batch, ClassName, Labels, Learner, Wants
from afterwit.registry import register
from afterwit.schema import Schema
from afterwit.shown import model_html
from afterwit.streams.arrays import labelled, rows_of
from afterwit.streams.labels import class_name
from afterwit.threads import locked

Raw = npt.NDArray[np.float64]
LARGEST = float(np.finfo(np.float32).max)


@register("one-vs-all")
class OneVsAll:
    """One copy of `model` per class, taught that class against all others; predicts the class of the largest margin.

    Classes are integers or words. They are learned as they first appear, each from its first row on, unless `classes`
    names them all. Linear learners share one table, which is read once per row for all classes and has a place for the
    features that were met alone. Calls are safe from several threads (docs/threads.md).

    >>> from afterwit.linear import AdaGrad
    >>> model = OneVsAll(AdaGrad(normalized=True))
    >>> for _ in range(5):
    ...     model.learn_one({"legs": 4.0}, "cat")
    ...     model.learn_one({"legs": 2.0, "wings": 2.0}, "bird")
    >>> model.classes[int(np.argmax(model.predict_one({"legs": 2.0, "wings": 2.0})))]
    'bird'
    """

    schema: Schema | None = None

    def __init__(self, model: Learner, classes: Iterable[ClassName] | None = None) -> None:
        if not isinstance(model, Learner) or isinstance(model, OneVsAll):
            message = f"model is a `{type(model).__name__}`, expected a learner of two classes"
            raise TypeError(f"{message}, such as afterwit.linear.AdaGrad()")
        self.model = registry.fresh(model)
        self._given = None if classes is None else tuple(class_name(name) for name in classes)
        if self._given is not None and (len(set(self._given)) < len(self._given) or len(self._given) < 2):
            raise ValueError(f"classes is {list(self._given)}, expected two or more different names")
        self.classes: list[ClassName] = []
        self._own: dict[ClassName, int] = {}  # the code of each class
        self._lock = Lock()
        self._kernel = several(self.model) if isinstance(self.model, Native) else PerClass(self.model)
        self._kernel.add_learners(len(self._given or ()))
        self._meet(self._given or ())

    @property
    def loss(self) -> str:
        return str(getattr(self.model, "loss", "logistic"))

    @property
    def labels(self) -> Labels:
        """Which labels it learns from."""
        return Labels("classes", self._given)

    @property
    def features(self) -> Features | None:
        """Those of its learners, where they are of the core."""
        return self.model.features if isinstance(self.model, Native) else None

    @property
    def wants(self) -> Wants:
        """What it must know of the features."""
        return self.model.wants if isinstance(self.model, Native) else Wants(names=True)

    def predict_one(self, x: Any) -> Raw:
        """One raw prediction per class, in the order of `classes`."""
        with self._lock:
            return self._kernel.predict_codes(x)

    def learn_one(self, x: Any, y: ClassName, weight: float = 1.0) -> None:
        """Learns one row and its class."""
        if type(y) in (str, int) and type(weight) in (float, int) and 0 <= weight <= LARGEST:  # or a closer look
            with self._lock:
                self._lock.refuse_nested()
                if (code := self._own.get(y)) is not None:
                    return self._kernel.learn_code(x, code, weight, len(self.classes))
        batch = labelled([{}], [y], [weight], self.labels)
        with self._lock:
            self._lock.refuse_nested()
            codes, new = self._codes(batch)
            self._kernel.learn_code(x, int(codes[0]), weight, len(self.classes) + len(new))
            self._meet(new)

    def predict_many(self, X: Any) -> Raw:
        """One row of raw predictions per row of X."""
        rows = rows_of(X, wants=self.wants)
        with self._lock:
            if isinstance(self._kernel, PerClass):
                return self._kernel.predict_batch(rows)
            return self._kernel.predict_rows(rows.keys, rows.values, rows.starts, rows.groups)

    def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Raw:
        """Learns the rows in order; the raw predictions made before each, -inf for a class that had not appeared."""
        b = labelled(X, y, weight, self.labels, wants=self.wants)
        with self._lock:
            self._lock.refuse_nested()
            codes, new = self._codes(b)
            classes = len(self.classes) + len(new)
            if isinstance(self._kernel, PerClass):
                raw = self._kernel.learn_batch(b, codes, classes)
            else:
                raw = learn_batch(self._kernel, b, codes, classes)
            self._meet(new)
        return raw

    @locked
    def coef(self, names: Iterable[str] | None = None) -> dict[str, dict[ClassName, float]]:
        """The weights by feature name, then by class."""
        if not isinstance(self.model, Linear) or isinstance(self._kernel, PerClass):
            raise TypeError(f"`{type(self.model).__name__}` is not a linear learner, so it has no weights by name")
        found = named_weights(self._kernel, self.model.features, names)
        return {name: dict(zip(self.classes, row.tolist(), strict=True)) for name, row in found.items()}

    def settings(self) -> dict[str, Any]:
        return {"model": self.model, "classes": None if self._given is None else list(self._given)}

    @locked
    def state(self) -> dict[str, Any]:
        return {"classes": list(self.classes), "learners": self._kernel.native_state()}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        classes = [class_name(name) for name in state["classes"]]
        if len(set(classes)) < len(classes) or (self._given is not None and tuple(classes) != self._given):
            raise ValueError("the classes of the state do not fit the model")
        self._kernel.set_native_state(state["learners"], len(classes))
        self.classes, self._own = classes, {name: code for code, name in enumerate(classes)}

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        return f"OneVsAll({self.model!r}, classes={self._given})"

    def _meet(self, new: Iterable[ClassName]) -> None:
        for name in new:
            self._own[name] = len(self._own)
            self.classes.append(name)

    def _codes(self, batch: Batch) -> tuple[Raw, list[ClassName]]:
        """The model's own codes for those of the batch, and the classes among them that are new, in order.

        A row of weight 0 brings no new class; its code is then -1.
        """
        seen = batch.y if batch.weight is None else batch.y[batch.weight != 0.0]
        codes, first = np.unique(seen, return_index=True)
        table = np.full(len(batch.classes), -1.0)
        new: list[ClassName] = []
        for code in codes[np.argsort(first)].astype(np.int64).tolist():
            name = batch.classes[code]
            if name not in self._own:
                table[code] = len(self._own) + len(new)
                new.append(name)
            else:
                table[code] = self._own[name]
        return table[batch.y.astype(np.int64)], new
