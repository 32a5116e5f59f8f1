"""Checks of single steps: predicting, learning many rows, rows without weight or features."""

from __future__ import annotations

import numpy as np

from afterwit.checks.learners import examples, holds, prediction, teach, unchanged
from afterwit.checks.making import Make, ensure, made, name
from afterwit.registry.plain import same


def check_predict_is_pure(make: Make) -> None:
    """Predicting changes nothing, before and after learning."""
    learner = made(make)
    rows = examples(learner)
    for _ in range(2):
        before, first = holds(learner), prediction(learner, rows[0].x)
        for x, _, _ in rows:
            learner.predict_one(x)
        learner.predict_one({"never met": 1.0})
        if hasattr(learner, "predict_many"):
            learner.predict_many([x for x, _, _ in rows])
        ensure(unchanged(before, learner), f"{name(learner)} changed its state when it predicted")
        again = prediction(learner, rows[0].x)
        ensure(same(first, again), f"{name(learner)} predicted {again} where it had predicted {first}")
        teach(learner, rows)


def check_many_equal_single(make: Make) -> str | None:
    """`learn_many` and `predict_many`, in pieces of any size, have the bits of single steps."""
    alone = made(make)
    if not hasattr(alone, "learn_many"):
        return "it has no learn_many"
    rows = examples(alone, rows=60)
    raw = teach(alone, rows)
    for pieces in ([60], [1, 0, 29, 30]):
        learner = made(make)
        found = np.full(raw.shape, -np.inf)
        done = 0
        for size in pieces:
            part = rows[done : done + size]
            X, y, weight = [x for x, _, _ in part], [y for _, y, _ in part], [weight for _, _, weight in part]
            got = np.asarray(learner.learn_many(X, y, weight), dtype=np.float64).reshape(size, -1 if size else 0)
            found[done : done + size, : got.shape[1]] = got
            done += size
        ensure(
            same(found, raw), f"{name(learner)}.learn_many returned other predictions than predict_one before each row"
        )
        ensure(unchanged(holds(alone), learner), f"{name(learner)}.learn_many learned otherwise than learn_one")
    if hasattr(alone, "predict_many"):
        many = np.asarray(alone.predict_many([x for x, _, _ in rows]), dtype=np.float64).reshape(len(rows), -1)
        single = np.array([prediction(alone, x) for x, _, _ in rows])
        ensure(same(many, single), f"{name(alone)}.predict_many predicted otherwise than predict_one")
    return None


def check_weight_zero(make: Make) -> None:
    """A row of weight 0 changes nothing, not even by a new feature or class."""
    learner = made(make)
    rows = examples(learner)
    for known in ([], rows):
        teach(learner, known)
        before = holds(learner)
        for x, y, _ in rows[:3]:
            learner.learn_one({**x, "never met": 1.0}, y, 0.0)
            if hasattr(learner, "learn_many"):
                learner.learn_many([x, {"never met": 1.0}], [y, y], [0.0, 0.0])
        ensure(unchanged(before, learner), f"{name(learner)} changed its state by a row of weight 0")


def check_empty_row(make: Make) -> None:
    """A row without features, or with zeros alone, can be predicted and learned."""
    learner = made(make)
    rows = examples(learner)
    for x in ({}, {"1": 0.0}):
        for _, y, _ in rows[:4]:
            prediction(learner, x)
            learner.learn_one(x, y)
    teach(learner, rows)
    ensure(
        bool(np.isfinite(prediction(learner, {})).all()),
        f"{name(learner)} predicts {learner.predict_one({})} for a row without features, expected finite numbers",
    )
    empty, zero = prediction(learner, {}), prediction(learner, {"1": 0.0, "2": -0.0})
    ensure(same(empty, zero), f"{name(learner)} predicts {zero} for a row of zeros, but {empty} for an empty row")
