"""Learners as River's, for its pipelines, ensembles, metrics and evaluations: docs/faces.md says what maps to what."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from afterwit._core import probability
from afterwit.learning.answers import probabilities
from afterwit.learning.chosen import chosen, taught
from afterwit.learning.lesson import loss_of
from afterwit.linear import OneVsAll
from afterwit.linear.linear import Linear
from afterwit.protocols import ClassName, Labels, Learner
from afterwit.streams.labels import class_name
from afterwit.streams.pandas_tables import is_frame

try:
    from river import base
except ImportError:
    raise ImportError("afterwit.river needs the package `river`: pip install 'afterwit[river]'") from None

__all__ = ["OnlineClassifier", "OnlineRegressor"]


class _Face:
    """A learner whose methods are bound once.

    One that is not linear has its columns in the order in which they are met: it gets rows in the order of their names.
    """

    @property
    def learner(self) -> Any:
        """What learns, for `afterwit.save` and all that River does not know."""
        return self._learner

    def _take(self, learner: Any) -> None:
        self._learner, self._learn, self._raw = learner, learner.learn_one, learner.predict_one
        one = learner.model if isinstance(learner, OneVsAll) else learner
        self._sorts, self._logistic = not isinstance(one, Linear), loss_of(learner) == "logistic"

    def _frame(self, X: Any) -> Any:
        if not is_frame(X):
            raise TypeError(f"X is a `{type(X).__name__}`, expected a pandas data frame")
        return X[_in_order(X.columns)] if self._sorts else X

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_learn", "_raw")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._take(self._learner)


class OnlineRegressor(_Face, base.MiniBatchRegressor):  # type: ignore[misc]
    """Any learner of numbers, by default `Auto`.

    `algorithm` is a name with settings as on the command line, such as "adagrad:normalized=true", or a learner, whose
    settings are taken; `loss` goes with a name, and is squared without one. Values are numbers, bools, words or dates,
    as docs/features.md says.

    >>> model = OnlineRegressor("adagrad:normalized=true")
    >>> for k in range(100):
    ...     model.learn_one({"size": k % 7, "city": "Rome"}, 3.0 * (k % 7))
    >>> abs(model.predict_one({"size": 3, "city": "Rome"}) - 9.0) < 1.0
    True
    """

    def __init__(self, algorithm: str | Learner = "auto", loss: str | None = None) -> None:
        self.algorithm, self.loss = algorithm, loss
        self._take(chosen(algorithm, loss, Labels("real")))

    def learn_one(self, x: Mapping[Any, Any], y: float, w: float = 1.0) -> None:
        """Learns one row of importance `w`."""
        self._learn(_row(x) if self._sorts else x, y, w)

    def predict_one(self, x: Mapping[Any, Any]) -> float:
        """The number of one row."""
        return float(self._raw(_row(x) if self._sorts else x))

    def learn_many(self, X: Any, y: Any, w: Any = None) -> None:
        """Learns the rows of a data frame in order, as `learn_one` would."""
        self.learner.learn_many(self._frame(X), y, w)

    def predict_many(self, X: Any) -> Any:
        """The numbers of all rows, as a series."""
        return _series(self.learner.predict_many(self._frame(X)), X)


class OnlineClassifier(_Face, base.MiniBatchClassifier):  # type: ignore[misc]
    """Any learner of classes, by default `Auto`.

    Classes are bools, words or whole numbers. Where the first label is a bool, there are two; else there may always
    come another. Two names in `classes` say that there are but these, and give better probabilities than to expect
    more; of more names, none else will come. `algorithm` is a name with settings as on the command line, such as
    "adagrad:normalized=true", or a learner, whose settings are taken; `loss` goes with a name. Only logistic loss, the
    default of most, gives probabilities.

    >>> model = OnlineClassifier()
    >>> for k in range(300):
    ...     model.learn_one({"a": k % 7, "b": k % 5}, "odd" if (k % 7 > 3) != (k % 5 > 2) else "even")
    >>> model.predict_one({"a": 5, "b": 1}), model.predict_one({"a": 5, "b": 4})
    ('odd', 'even')
    """

    def __init__(
        self, algorithm: str | Learner = "auto", loss: str | None = None, classes: Iterable[ClassName] | None = None
    ) -> None:
        self.algorithm, self.loss, self.classes = algorithm, loss, classes
        self._begin(() if classes is None else _names(classes))

    @property
    def _multiclass(self) -> bool:
        return True

    def learn_one(self, x: Mapping[Any, Any], y: ClassName, w: float = 1.0) -> None:
        """Learns one row of importance `w`."""
        if self._sorts:
            x = _row(x)
        try:
            code = self._codes[y]
        except (KeyError, TypeError):
            with self._meeting([y], w):
                return self._learn(x, self._codes[y], w)  # type: ignore[no-any-return]
        self._learn(x, code, w)

    def predict_one(self, x: Mapping[Any, Any]) -> Any:
        """The class of one row; None before the first label."""
        if not self._codes:
            return None
        raw = self._raw(_row(x) if self._sorts else x)
        return self._two[raw >= 0.0] if self._two else self.learner.classes[int(np.argmax(raw))]

    def predict_proba_one(self, x: Mapping[Any, Any]) -> dict[Any, float]:
        """The probability of each class that was met; of none before the first label."""
        self._check_probabilities()
        if not self._codes:
            return {}
        raw = self._raw(_row(x) if self._sorts else x)
        if self._two:
            no, yes = self._two
            p = probability(raw)
            return {no: 1.0 - p, yes: p}
        return dict(zip(self.learner.classes, probabilities(self.learner, raw[None, :])[0].tolist(), strict=True))

    def learn_many(self, X: Any, y: Any, w: Any = None) -> None:
        """Learns the rows of a data frame in order, as `learn_one` would."""
        frame, found = self._frame(X), list(y)
        with self._meeting(found, w):
            self.learner.learn_many(frame, [self._codes[label] for label in found], w)

    def predict_many(self, X: Any) -> Any:
        """The classes of all rows, as a series; None before the first label."""
        frame = self._frame(X)
        if not self._codes:
            return _series([None] * len(X), X)
        raw = self.learner.predict_many(frame)
        chosen = (raw >= 0.0).astype(np.int64) if self._two else raw.argmax(axis=1)
        names = self._two or self.learner.classes
        return _series([names[k] for k in chosen.tolist()], X)

    def predict_proba_many(self, X: Any) -> Any:
        """The probabilities of all rows, with a column for each class that was met."""
        import pandas

        self._check_probabilities()
        frame = self._frame(X)
        if not self._codes:
            return pandas.DataFrame(index=X.index)
        found = probabilities(self.learner, self.learner.predict_many(frame))
        columns = np.stack([1.0 - found, found], axis=1) if self._two else found
        return pandas.DataFrame(columns, columns=list(self._two or self.learner.classes), index=X.index)

    def _begin(self, names: tuple[Any, ...]) -> None:
        #: What the learner is told for each label that was named or met.
        self._codes: dict[Any, Any] = {}
        #: The names where there are but two classes, the negative one first.
        self._two: tuple[Any, Any] | None = None
        if len(names) > 2:
            self._take(chosen(self.algorithm, self.loss, Labels("classes", tuple(map(class_name, names)))))
            self._codes = {name: class_name(name) for name in names}
        else:  # without a name the first label decides, for these or for several
            self._take(chosen(self.algorithm, self.loss, Labels("binary")))
            if names:
                self._are_two(*names)

    def _are_two(self, no: Any, yes: Any) -> None:
        self._two, self._codes = (no, yes), {no: -1.0, yes: 1.0}
        taught(self.learner, classes=(class_name(no), class_name(yes)))

    @contextmanager
    def _meeting(self, found: list[Any], w: Any) -> Iterator[None]:
        """Meets the labels that are new. What this changed is undone where learning fails, or no row has a weight."""
        before = self.learner, dict(self._codes), self._two
        counts = False
        try:
            for label in found:
                if not isinstance(label, Hashable) or label not in self._codes:
                    self._meet(label)
            yield
            counts = bool(found) and (w is None or bool(np.any(w)))
        finally:
            if not counts:
                learner, self._codes, self._two = before
                self._take(learner)

    def _meet(self, label: Any) -> None:
        if not self._codes and isinstance(label, (bool, np.bool_)):
            return self._are_two(False, True)
        if self._codes and (self._two or self.classes):
            known = ", ".join(f"`{name!r}`" for name in self._codes)
            raise ValueError(f"the label is `{label!r}`, expected one of {known}")
        try:
            name = class_name(label)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"the label is `{label!r}`, expected a bool, a word or a whole number") from None
        if not self._codes:
            self._take(chosen(self.algorithm, self.loss, Labels("classes")))
        self._codes[label] = name

    def _check_probabilities(self) -> None:
        if not self._logistic:
            raise NotImplementedError(f"`{loss_of(self.learner)}` loss gives no probability; learn with logistic loss")


def _row(x: Mapping[Any, Any]) -> Mapping[Any, Any]:
    names = list(x)
    sorted_names = _in_order(names)
    return x if sorted_names == names else {name: x[name] for name in sorted_names}


def _in_order(names: Iterable[Any]) -> list[Any]:
    try:
        return sorted(names)
    except TypeError:  # words and numbers
        return sorted(names, key=str)


def _names(classes: Iterable[ClassName]) -> tuple[Any, ...]:
    names = () if isinstance(classes, str) else tuple(classes)
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(f"classes is `{classes!r}`, expected two or more different names")
    return names


def _series(values: Any, X: Any) -> Any:
    import pandas

    return pandas.Series(values, index=X.index)
