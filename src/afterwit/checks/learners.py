"""Learners to check: rows for them, how they are taught, and the checks that they share with players."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit import registry
from afterwit.checks import shared
from afterwit.checks.making import Make, ensure, made, name
from afterwit.protocols import Labels

Raw: TypeAlias = npt.NDArray[np.float64]


class Example(NamedTuple):
    """A row with its label and weight."""

    x: dict[str, float]
    y: Any
    weight: float


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


def _teach_at_once(learner: Any, rows: list[Example]) -> None:
    if hasattr(learner, "learn_many"):
        learner.learn_many([x for x, _, _ in rows], [y for _, y, _ in rows], [weight for _, _, weight in rows])
    else:
        teach(learner, rows)


def prediction(learner: Any, x: Any) -> Raw:
    """The raw prediction as a vector."""
    return np.atleast_1d(np.asarray(learner.predict_one(x), dtype=np.float64))


LEARNERS = shared.Kind(
    what="learner",
    verb="predicts",
    methods=("predict_one", "learn_one"),
    examples=examples,
    teach=teach,
    teach_at_once=_teach_at_once,
    says=lambda learner: [prediction(learner, x) for x, _, _ in examples(learner, seed=99)],
    always_learns=True,
)
holds, unchanged = LEARNERS.holds, LEARNERS.unchanged


def check_face(make: Make) -> str | None:
    """The two methods, a docstring, and a repr that says the same for equal learners."""
    return shared.face(LEARNERS, make)


def check_fresh(make: Make) -> str | None:
    """`fresh` keeps the settings and none of the learning, and shares nothing with its model."""
    return shared.fresh(LEARNERS, make)


def check_round_trips(make: Make) -> str | None:
    """In the middle of a stream: state and back, a file and back, pickle and back; each goes on with the same bits."""
    return shared.round_trips(LEARNERS, make)


def check_threads(make: Make) -> None:
    """Two learners in two threads learn what they learn one after the other."""
    return shared.threads(LEARNERS, make)


def check_prototype_is_copied(make: Make) -> str | None:
    """A learner given to the constructor is copied, without what it has learned, and not touched again."""
    learner = made(make)
    settings = learner.settings() if hasattr(learner, "settings") else {}
    given = {key: registry.fresh(value) for key, value in settings.items() if hasattr(value, "learn_one")}
    if not given:
        return "its constructor takes no learner"
    for prototype in given.values():
        teach(prototype, examples(prototype, seed=1))
    before = {key: holds(prototype) for key, prototype in given.items()}
    copy = type(learner)(**{**settings, **given})
    rows = examples(learner)
    teach(copy, rows)
    for key, prototype in given.items():
        ensure(unchanged(before[key], prototype), f"{name(learner)} taught the learner it was given as `{key}`")
        teach(prototype, examples(prototype, seed=2))
    teach(learner, rows)
    ensure(unchanged(holds(learner), copy), f"{name(learner)} depends on what the learner it was given had learned")
    return None
