"""Classes by any learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils import column_or_1d, compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, unique_labels

from afterwit.learning.answers import probabilities
from afterwit.learning.chosen import chosen
from afterwit.learning.lesson import loss_of
from afterwit.panel import Auto
from afterwit.protocols import ClassName, Labels, Learner
from afterwit.sklearn.face import Answers, Array, Face, check_some_weight
from afterwit.sklearn.rows import checked
from afterwit.streams.labels import class_name
from afterwit.streams.weights import weights


def _has_probabilities(self: OnlineClassifier) -> bool:
    if hasattr(self, "model_"):
        return loss_of(self.model_) == "logistic"
    if isinstance(self.algorithm, Auto) or str(self.algorithm).partition(":")[0] == "auto":
        return True  # which takes long to make
    return loss_of(chosen(self.algorithm, self.loss, Labels("binary"))) == "logistic"


class OnlineClassifier(ClassifierMixin, Face):  # type: ignore[misc]
    """Classes by any learner, by default `Auto`, which needs no tuning and no scaling.

    `algorithm` is a name with settings as on the command line, such as "adagrad:normalized=true", or a learner, whose
    settings are taken; `loss` goes with a name. One of two classes makes one for each of several. `fit` goes over the
    rows `max_iter` times, shuffled by `random_state`, or in their order with `shuffle=False`; `partial_fit` once, in
    their order. With `warm_start=True` `fit` goes on with what was learned. `class_weight` is a dict of the importance
    of each class, or "balanced", for `fit`.

    `model_` is the learner behind it; `coef_` and `intercept_` are there where it is linear, `predict_proba` where its
    loss is logistic.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "same", "different")
    >>> model = OnlineClassifier(random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        algorithm: str | Learner = "auto",
        loss: str | None = None,
        *,
        max_iter: int = 1,
        shuffle: bool = True,
        random_state: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        warm_start: bool = False,
    ) -> None:
        self.algorithm, self.loss, self.class_weight = algorithm, loss, class_weight
        self.max_iter, self.shuffle, self.random_state, self.warm_start = max_iter, shuffle, random_state, warm_start

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OnlineClassifier:
        """Learns the rows from the beginning, or goes on with `warm_start`."""
        passes, goes_on = self._passes(), self.warm_start and hasattr(self, "model_")
        X, y = self._checked(X, y, reset=not goes_on)
        weight = self._importance(sample_weight, X, y)
        check_some_weight(weight)
        if not goes_on:
            self.classes_ = _two_or_more(unique_labels(y))
        learner = self.model_ if goes_on else self._begun(X)
        self._learn(learner, X, self._answers(y, weight), self.shuffle, passes)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> OnlineClassifier:
        """Learns some more rows, in their order; the first time, `classes` are all labels that will come."""
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight 'balanced' is not supported for partial_fit. In order to use 'balanced' weights, use "
                "compute_class_weight('balanced', classes=classes, y=y). Pass the resulting weights as class_weight."
            )
        first = not hasattr(self, "model_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if not first and classes is not None and not np.array_equal(self.classes_, unique_labels(classes)):
            raise ValueError(f"classes is {classes!r}, and on the first call to partial_fit it was {self.classes_!r}")
        X, y = self._checked(X, y, reset=first)
        weight = self._importance(sample_weight, X, y)
        if first:
            self.classes_ = _two_or_more(unique_labels(classes))
        self._learn(self._begun(X) if first else self.model_, X, self._answers(y, weight))
        return self

    def decision_function(self, X: Any) -> Array:
        """The margin of each row for the second of two classes, or a line of one for each class."""
        raw = self._predict(X)
        return raw if len(self.classes_) > 2 else raw[:, 0]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class of each row."""
        raw = self._predict(X)
        codes = raw.argmax(axis=1) if len(self.classes_) > 2 else (raw[:, 0] >= 0.0).astype(np.int64)
        return np.asarray(self.classes_[codes])

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, a line per row."""
        raw = self._predict(X)
        found = probabilities(self.model_, raw)
        return found if len(self.classes_) > 2 else np.stack([1.0 - found, found], axis=1)

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of each of them."""
        return np.asarray(np.log(self.predict_proba(X)))

    def _checked(self, X: Any, y: Any, *, reset: bool) -> tuple[Any, npt.NDArray[Any]]:
        self._check_y(y)
        X = checked(self, X, reset=reset)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        return X, y

    def _begun(self, X: Any) -> Any:
        names = self._names()
        return self._begin(Labels("binary"), X, names) if len(names) == 2 else self._begin(Labels("classes", names), X)

    def _answers(self, y: npt.NDArray[Any], weight: Array | None) -> Answers:
        """Labels as numbers, and weights times those of the classes."""
        codes = np.minimum(np.searchsorted(self.classes_, y), len(self.classes_) - 1)
        if (strange := self.classes_[codes] != y).any():
            label = y.tolist()[int(np.argmax(strange))]
            raise ValueError(f"the label is `{label!r}`, expected one of the classes {self.classes_.tolist()}")
        if self.class_weight is not None:
            each = compute_class_weight(self.class_weight, classes=self.classes_, y=y)[codes]
            weight = weights(each if weight is None else each * weight, len(y))
        if len(self.classes_) == 2:
            return Answers(2.0 * codes - 1.0, weight)
        return Answers(codes.astype(np.float64), weight, self._names())

    def _names(self) -> tuple[ClassName, ...]:
        return tuple(class_name(name) for name in self.classes_.tolist())


def _two_or_more(classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if len(classes) < 2:
        raise ValueError(f"The number of classes has to be greater than one; got {len(classes)} class")
    return classes
