"""Random sequences of nasty values, weights and labels: nothing predicted or kept is infinite or not a number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from afterwit.features import Features
from afterwit.learning import learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry import fresh
from afterwit.streams import read
from tests.linear.rules import NO_INTERCEPT, bits, every_learner, is_finite
from tests.linear.specimen import every

LARGEST, SMALLEST = 3.4028234e38, 1.1754944e-38
MODELS = every_learner(Features(bits=3))
VALUES = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.1, LARGEST, -LARGEST, 1e20, -1e20, 1e-20, SMALLEST, 1e-45, 5e-324])
WEIGHTS = st.sampled_from([0.0, 1.0, 0.3, 1e10, LARGEST, 1e-10, SMALLEST, 1e-160, 1e-300, 5e-324])
REALS = st.sampled_from([1.0, -1.0, 0.0, 0.5, LARGEST, -LARGEST, 1e-45])
ROWS = st.lists(
    st.tuples(st.dictionaries(st.sampled_from(["0", "1", "2", "9", "word"]), VALUES), st.booleans(), REALS, WEIGHTS),
    max_size=12,
)
NASTY = [
    *MODELS,
    *every_learner(NO_INTERCEPT),
    *(each.make(**settings) for each in every().values() for settings in each.extreme),
]


WEIGHTS_APART = [repr(model) for model in NASTY].index(
    repr(AdaGrad(normalized=True, loss="squared", features=NO_INTERCEPT))
)


@settings(max_examples=250, deadline=None)
@example(WEIGHTS_APART, [({}, 0, 1.0, 1e10), ({"0": 1.0}, 0, 1.0, 1e-300)])
@given(st.integers(0, len(NASTY) - 1), ROWS)
def test_nasty_sequences(which: int, rows: Any) -> None:
    learner = fresh(NASTY[which])
    real = learner.labels.kind == "real"
    kept = []
    for x, positive, number, weight in rows:
        y = number if real else positive
        try:
            learner.learn_one(x, y, weight)
        except ValueError as error:  # "1" and "9" are one slot of eight
            assert "add up to more" in str(error)  # noqa: PT017
        else:
            kept.append((x, y, weight))
    assert is_finite(learner, {}, {"0": LARGEST, "1": -LARGEST}, {"2": 1e-20, "word": LARGEST})
    report = learn(fresh(NASTY[which]), read(kept))
    assert report.mean_loss is None or math.isfinite(report.mean_loss)
    report.to_json()


@settings(max_examples=80, deadline=None)
@given(st.integers(0, len(MODELS) - 1), ROWS)
def test_nasty_sequences_of_classes(which: int, rows: Any) -> None:
    learner = OneVsAll(MODELS[which])
    for x, positive, _, weight in rows:
        try:
            learner.learn_one(x, "yes" if positive else "no", weight)
        except ValueError as error:
            assert "add up to more" in str(error)  # noqa: PT017
    state = bits(learner)["learners"]
    assert np.isfinite(learner.predict_one({"0": LARGEST, "1": -LARGEST})).all()
    assert np.isfinite(state["runs"]).all()
