"""Numbers by any learner."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import check_array, column_or_1d

from afterwit.protocols import Labels, Learner
from afterwit.sklearn.face import Answers, Array, Face, check_some_weight
from afterwit.sklearn.rows import checked


class OnlineRegressor(RegressorMixin, Face):  # type: ignore[misc]
    """Numbers by any learner, by default `Auto`, which needs no tuning and no scaling.

    `algorithm` is a name with settings as on the command line, such as "adagrad:normalized=true", or a learner, whose
    settings are taken; `loss` goes with a name, and is squared without one. `fit` goes over the rows `max_iter` times,
    shuffled by `random_state`, or in their order with `shuffle=False`; `partial_fit` once, in their order. With
    `warm_start=True` `fit` goes on with what was learned.

    `model_` is the learner behind it; `coef_` and `intercept_` are there where it is linear.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> model = OnlineRegressor(random_state=0).fit(X, X[:, 0] * X[:, 1])
    >>> model.score(X, X[:, 0] * X[:, 1]) > 0.9
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
        warm_start: bool = False,
    ) -> None:
        self.algorithm, self.loss = algorithm, loss
        self.max_iter, self.shuffle, self.random_state, self.warm_start = max_iter, shuffle, random_state, warm_start

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OnlineRegressor:
        """Learns the rows from the beginning, or goes on with `warm_start`."""
        passes, goes_on = self._passes(), self.warm_start and hasattr(self, "model_")
        X, answers = self._checked(X, y, sample_weight, reset=not goes_on)
        check_some_weight(answers.weight)
        learner = self.model_ if goes_on else self._begin(Labels("real"), X)
        self._learn(learner, X, answers, self.shuffle, passes)
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> OnlineRegressor:
        """Learns some more rows, in their order."""
        first = not hasattr(self, "model_")
        X, answers = self._checked(X, y, sample_weight, reset=first)
        self._learn(self._begin(Labels("real"), X) if first else self.model_, X, answers)
        return self

    @property
    def coef_(self) -> Any:
        """The weight of each column, where the prediction is a sum of these times values."""
        return super().coef_[0]

    def predict(self, X: Any) -> Array:
        """The number of each row."""
        return self._predict(X)[:, 0]

    def _checked(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> tuple[Any, Answers]:
        self._check_y(y)
        X = checked(self, X, reset=reset)
        y = check_array(column_or_1d(y, warn=True), ensure_2d=False, dtype=np.float64, input_name="y")
        return X, Answers(y, self._importance(sample_weight, X, y))
