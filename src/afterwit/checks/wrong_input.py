"""Checks of wrong input: it raises, and nothing has changed."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from afterwit.checks import shared
from afterwit.checks.learners import LEARNERS, examples, holds, labels_of, prediction, teach, unchanged
from afterwit.checks.making import Make, ensure, made, name

_refuses = partial(shared.refuses, LEARNERS)


def check_wrong_rows(make: Make) -> None:
    """A value that is not finite raises; one beyond a 32-bit float raises, or leaves predictions finite."""
    learner, rows = _taught(make)
    x, y, _ = rows[0]
    for value in (math.nan, math.inf, -math.inf):
        wrong = {**x, "7": value}
        _refuses(learner, f"the value {value}", learner.learn_one, wrong, y)
        _refuses(learner, f"the value {value}", learner.predict_one, wrong)
        if hasattr(learner, "learn_many"):
            # The good row comes first: a call is all or nothing.
            _refuses(learner, f"the value {value}", learner.learn_many, [x, wrong], [y, y])
    before = holds(learner)
    try:
        learner.learn_one({**x, "7": 1e39}, y)
    except (TypeError, ValueError):
        ensure(unchanged(before, learner), f"{name(learner)} refused the value 1e39, but changed its state")
    ensure(bool(np.isfinite(prediction(learner, x)).all()), f"{name(learner)} is not finite after the value 1e39")


def check_wrong_labels(make: Make) -> str | None:
    """A label that the learner does not know raises, and so do too many or too few."""
    learner, rows = _taught(make)
    labels = labels_of(learner)
    if labels is None:
        return "it does not say which labels it wants"
    wrong: dict[str, list[Any]] = {
        "real": [math.nan, math.inf, -math.inf, "word", None],
        "binary": [math.nan, 2.0, -0.5, math.inf, "word", None],
        "classes": [math.nan, 1.5, math.inf, None],
    }
    x, y, _ = rows[0]
    for label in wrong[labels.kind]:
        _refuses(learner, f"the label {label!r}", learner.learn_one, x, label)
        if hasattr(learner, "learn_many"):
            _refuses(learner, f"the label {label!r}", learner.learn_many, [x, x], [y, label])
    if hasattr(learner, "learn_many"):
        for few in ([], [y], [y, y, y]):
            _refuses(learner, f"{len(few)} labels for 2 rows", learner.learn_many, [x, x], few)
    return None


def check_wrong_weights(make: Make) -> None:
    """A weight that is negative or not finite raises, and so do too many or too few."""
    learner, rows = _taught(make)
    x, y, _ = rows[0]
    for weight in (-1.0, math.nan, math.inf):
        _refuses(learner, f"the weight {weight}", learner.learn_one, x, y, weight)
    if hasattr(learner, "learn_many"):
        for wrong in ([1.0, -1.0], [1.0, math.nan], [math.inf, 1.0], [1.0], [1.0, 1.0, 1.0]):
            _refuses(learner, f"the weights {wrong}", learner.learn_many, [x, x], [y, y], wrong)


def _taught(make: Make) -> tuple[Any, Any]:
    learner = made(make)
    rows = examples(learner)
    teach(learner, rows)
    return learner, rows
