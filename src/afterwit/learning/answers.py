"""What raw predictions say: labels by name, and probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit._core import probabilities as of_margins
from afterwit._core import probability as of_margin
from afterwit.learning.lesson import labels_of, loss_of
from afterwit.learning.passes import predict
from afterwit.learning.sources import known_of
from afterwit.numbers import real
from afterwit.protocols import ClassName, Learner

Raw = npt.NDArray[np.float64]


def label(model: Learner, x: Any, threshold: float | None = None) -> Any:
    """The label that the model gives a row: -1 or +1, or the name of a class where the model knows names.

    Of many rows (a table, an array, a CSR matrix, a list of dicts, a stream, a path) it is an array. One of two labels
    is the positive one from the probability `threshold` on; without it, where the margin is 0 or more.

    >>> from afterwit.linear import GradientDescent
    >>> label(GradientDescent(), [{"x": 1.0}, {"x": 2.0}])
    array([1, 1])
    >>> label(GradientDescent(loss="squared"), {"x": 1.0})
    Traceback (most recent call last):
    ...
    ValueError: `squared` loss predicts a number, not a label; ask for the prediction itself
    """
    kind = check_answers(model, "label", threshold)
    if not is_one(x):
        return labels(model, predict(model, x), threshold)
    raw = model.predict_one(x)
    if kind == "classes":
        return model.classes[int(np.argmax(raw))]  # type: ignore[attr-defined]
    return names_of(model)[bool(raw >= 0.0 if threshold is None else of_margin(raw) >= threshold)]


def probability(model: Learner, x: Any) -> Any:
    """The probability of the positive label, or of every class as a dict; only logistic loss has one.

    Of many rows (a table, an array, a CSR matrix, a list of dicts, a stream, a path) it is an array: a number per row,
    or a line with one for each of `model.classes`.

    >>> from afterwit.linear import AdaGrad
    >>> probability(AdaGrad(), {"x": 1.0})
    0.5
    >>> probability(AdaGrad(), [{"x": 1.0}, {"x": 2.0}])
    array([0.5, 0.5])
    """
    kind = check_answers(model, "probability")
    if not is_one(x):
        return probabilities(model, predict(model, x))
    raw = model.predict_one(x)
    if kind != "classes":
        return of_margin(raw)
    shares = of_margins(np.atleast_2d(np.asarray(raw, dtype=np.float64)), True)[0]
    return dict(zip(model.classes, shares.tolist(), strict=True))  # type: ignore[attr-defined]


def names_of(model: Any) -> tuple[ClassName, ClassName]:
    """The two labels by name, the negative one first."""
    no, yes = labels_of(model).classes or known_of(model).classes or (-1, 1)
    return no, yes


def labels(model: Any, raw: Raw, threshold: float | None = None) -> npt.NDArray[Any]:
    """The label of every row, by its raw predictions."""
    if labels_of(model).kind == "classes":
        return _array(model.classes)[raw.argmax(axis=1), ...]
    margins = raw.reshape(len(raw))
    positive = margins >= 0.0 if threshold is None else probabilities(model, raw) >= threshold
    return _array(names_of(model))[positive.astype(np.int64), ...]


def probabilities(model: Any, raw: Raw) -> Raw:
    """The probability of the positive label in every row, or of each class; by its raw predictions."""
    several = labels_of(model).kind == "classes"
    found = of_margins(np.ascontiguousarray(raw.reshape(len(raw), raw.shape[1] if several else 1)), several)
    return found if several else found[:, 0]


def check_answers(model: Any, what: str, threshold: float | None = None) -> str:
    """The kind of its labels; raises where the model has no label, or no probability."""
    kind = labels_of(model).kind
    if kind == "auto":
        raise ValueError("the model has not met any label yet")
    if kind == "real" and what == "label":
        raise ValueError(f"`{loss_of(model)}` loss predicts a number, not a label; ask for the prediction itself")
    if (what == "probability" or threshold is not None) and loss_of(model) != "logistic":
        raise ValueError(f"`{loss_of(model)}` loss gives no probability; learn with logistic loss")
    if kind == "classes":
        if threshold is not None:
            raise ValueError(f"threshold is {threshold}, which is for two labels; these are several classes")
        if not len(model.classes):
            raise ValueError("the model has not met any class yet")
    if threshold is not None and not 0.0 <= real(threshold) <= 1.0:
        raise ValueError(f"threshold is {threshold}, expected a probability from 0 to 1")
    return kind


def is_one(x: Any) -> bool:
    """Whether x is one row, a mapping or one-dimensional, and not many of them."""
    if isinstance(x, Mapping):
        return True
    if isinstance(x, (list, tuple)):
        return bool(x) and np.ndim(x[0]) == 0 and isinstance(x[0], (int, float, np.number))
    return isinstance(x, np.ndarray) and x.ndim == 1


def _array(names: Any) -> npt.NDArray[Any]:
    """Names as they are: whole numbers beside words stay numbers."""
    names = list(names)
    return np.array(names, dtype=None if len({type(name) for name in names}) == 1 else object)
