"""What the classifier and the regressor share: how they learn, predict, and show their weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted

from afterwit.features import Features
from afterwit.learners import Native
from afterwit.learning.chosen import chosen, taught
from afterwit.learning.lesson import learn_batch, predict_batch, wants_of
from afterwit.learning.pieces import MOST
from afterwit.linear import OneVsAll
from afterwit.linear.linear import Linear
from afterwit.protocols import ClassName, Labels
from afterwit.sklearn.rows import Order, Rows, bits_for, checked, keys_of, only_numbers
from afterwit.streams.arrays import rows_of
from afterwit.streams.tables import is_table
from afterwit.streams.weights import weights

Array = npt.NDArray[np.float64]
#: Rows that are put in order at once.
STEP = 1 << 16


class Answers(NamedTuple):
    """A number for each row, its importance, and the names of several classes, of which the number is then one."""

    y: Array
    weight: Array | None
    classes: tuple[ClassName, ...] = ()


class Face(BaseEstimator):  # type: ignore[misc]
    """A learner behind `fit`, `partial_fit` and `predict`."""

    #: Whether it was taught by columns of anything but numbers.
    _words: bool

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def coef_(self) -> Any:
        """The weights of the columns, where the prediction is a sum of these times values."""
        return self._weights()[:-1].T

    @property
    def intercept_(self) -> Any:
        """What such a prediction is for a row of zeros."""
        return self._weights()[-1]

    def _begin(self, labels: Labels, X: Any, two: tuple[ClassName, ...] | None = None) -> Any:
        """A learner that has learned nothing, with a slot for every column of X; `two` are the names of two classes."""
        bits = 18 if is_table(X) else bits_for(X.shape[1])
        features = Features(bits=bits) if bits > 18 and isinstance(self.algorithm, str) else None
        learner = chosen(self.algorithm, self.loss, labels, features)
        names = getattr(self, "feature_names_in_", None)
        taught(learner, columns=None if names is None else tuple(map(str, names)), classes=two)
        self._words = False
        return learner

    def _learn(self, learner: Any, X: Any, answers: Answers, shuffle: bool = False, passes: int = 1) -> None:
        """Teaches the learner all rows, `passes` times, and keeps it."""
        y, weight, classes = answers
        rows = Rows(X, getattr(self, "feature_names_in_", None), wants_of(learner))
        random = check_random_state(self.random_state) if shuffle else None
        for _ in range(passes):
            for where in _parts(rows.count, len(classes), random):
                part, h = rows.part(where), None if weight is None else weight[where]
                if isinstance(learner, Native) and hasattr(part, "indptr"):
                    learner.learn_many(part, y[where], h)  # as it is in memory
                else:
                    learn_batch(learner, replace(rows_of(part), y=y[where], weight=h, classes=classes))
        self._words = self._words or (is_table(X) and not only_numbers(X))
        self.model_, self.n_iter_ = learner, passes

    def _predict(self, X: Any) -> Array:
        """The raw predictions of all rows, one line per row."""
        check_is_fitted(self, "model_")
        X = checked(self, X, reset=False)
        rows = Rows(X, getattr(self, "feature_names_in_", None), wants_of(self.model_))
        several = len(getattr(self.model_, "classes", ()))
        parts = _parts(rows.count, several)
        return np.concatenate([predict_batch(self.model_, rows_of(rows.part(where))) for where in parts])

    def _weights(self) -> Array:
        """A line per column and one for the intercept, with a weight per class."""
        if not hasattr(self, "model_"):
            raise AttributeError("nothing is learned yet, so there are no weights; call fit")
        one = self.model_.model if isinstance(self.model_, OneVsAll) else self.model_
        if not isinstance(one, Linear):
            raise AttributeError(f"`{type(one).__name__}` is not linear, so it has no weights by column")
        told = one.features
        if self._words or told.interactions or told.text or told.dates or told.categorical:
            raise AttributeError("there are more weights than columns; model_.coef(names=[...]) has them by name")
        names = getattr(self, "feature_names_in_", None)
        keys = np.arange(self.n_features_in_, dtype=np.uint64) if names is None else keys_of(names)
        kernel: Any = one if self.model_ is one else self.model_._kernel
        return np.asarray(kernel.weights_of(keys), dtype=np.float64)

    def _importance(self, sample_weight: Any, X: Any, y: Any) -> Array | None:
        """The sample weights, checked, once X and y are seen to have as many rows."""
        check_consistent_length(X, y)
        return weights(None if sample_weight is None else np.asarray(sample_weight), X.shape[0])

    def _passes(self) -> int:
        if isinstance(self.max_iter, bool) or not isinstance(self.max_iter, Integral) or self.max_iter < 1:
            raise ValueError(f"max_iter is `{self.max_iter!r}`, expected a whole number, 1 or more")
        return int(self.max_iter)

    def _check_y(self, y: Any) -> None:
        if y is None:
            name = type(self).__name__
            raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")


def check_some_weight(weight: Array | None) -> None:
    """Refuses to learn from the beginning of rows that do not count."""
    if weight is not None and not weight.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")


def _parts(rows: int, classes: int, random: Any = None) -> Iterator[Order]:
    """All rows in parts, in their order or in a random one."""
    order = None if random is None else random.permutation(rows)
    step = max(1, min(STEP, MOST // max(1, classes)))
    for first in range(0, rows, step):
        part = slice(first, first + step)
        yield part if order is None else order[part]
