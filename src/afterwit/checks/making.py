"""Learners to check, rows for them, and what they hold, to the bit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit import registry
from afterwit.errors import AfterwitError
from afterwit.protocols import Labels
from afterwit.registry.plain import same

#: A factory without arguments, or a learner whose fresh copies are checked.
Make: TypeAlias = Callable[[], Any] | Any
Raw: TypeAlias = npt.NDArray[np.float64]


class Example(NamedTuple):
    """A row with its label and weight."""

    x: dict[str, float]
    y: Any
    weight: float


def made(make: Make) -> Any:
    """A new learner."""
    is_learner = hasattr(make, "predict_one") and not isinstance(make, type)
    return registry.fresh(make) if is_learner else make()


def labels_of(learner: Any) -> Labels | None:
    """Which labels it says it wants."""
    labels = getattr(learner, "labels", None)
    return labels if isinstance(labels, Labels) else None


def examples(learner: Any, rows: int = 40, seed: int = 0) -> list[Example]:
    """Rows of 1 to 20 features, now and then a longer one; labels that the learner takes, -1/+1 if it does not say."""
    rng = np.random.default_rng(seed)
    labels = labels_of(learner)
    found = []
    for row in range(rows):
        size = 40 if row % 8 == 7 else int(rng.integers(1, 21))
        names = rng.choice(60, size, replace=False)
        x = {str(name): float(value) for name, value in zip(names, rng.normal(size=size), strict=True)}
        found.append(Example(x, label(labels, row, rng), float(rng.choice([1.0, 1.0, 0.5, 2.75]))))
    return found


def label(labels: Labels | None, row: int, rng: np.random.Generator) -> Any:
    """A label for row number `row`."""
    if labels is not None and labels.kind == "real":
        return float(rng.normal())
    if labels is not None and labels.kind == "classes":
        names = labels.classes or ("a", "b", 3)
        return names[row % len(names)] if row < 2 * len(names) else names[int(rng.integers(len(names)))]
    return 1.0 if rng.random() < 0.5 else -1.0


def teach(learner: Any, rows: list[Example]) -> Raw:
    """Learns row by row; the predictions before each, -inf where a class had not appeared."""
    raw = []
    for x, y, weight in rows:
        raw.append(np.atleast_1d(np.asarray(learner.predict_one(x), dtype=np.float64)))
        learner.learn_one(x, y, weight)
    width = max((len(each) for each in (*raw, prediction(learner, {}))), default=1)
    out = np.full((len(raw), width), -math.inf)
    for line, each in zip(out, raw, strict=True):
        line[: len(each)] = each
    return out


def prediction(learner: Any, x: Any) -> Raw:
    """The raw prediction as a vector."""
    return np.atleast_1d(np.asarray(learner.predict_one(x), dtype=np.float64))


def holds(learner: Any) -> Any:
    """All that a learner holds, to compare with `same`: its state, or what it predicts where that cannot be read."""
    try:
        return registry.state(learner)
    except AfterwitError:
        return [prediction(learner, x) for x, _, _ in examples(learner, seed=99)]


def unchanged(before: Any, learner: Any) -> bool:
    """Whether a learner still holds what it held."""
    return same(before, holds(learner))


def name(learner: Any) -> str:
    """What to call a learner in a sentence."""
    return f"`{type(learner).__name__}`"


def ensure(holds: bool, sentence: str) -> None:
    """Raises AssertionError, also under `python -O`."""
    if not holds:
        raise AssertionError(sentence)
