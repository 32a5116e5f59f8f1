"""A state replaces all that was learned before, or nothing when it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from afterwit import Features
from afterwit.linear import AdaGrad, OneVsAll, Pegasos, Perceptron
from afterwit.registry import fresh, register
from afterwit.registry.plain import same
from tests.linear.rules import rules

ROWS = [{"a": 1.0, "b": 2.0}, {"b": -1.0}, {"c": 0.5, "a": -2.0}]
FEATURES = [Features(), Features(names="exact"), Features(bits=4, seed=7, intercept=False)]
NAMES = list(rules(FEATURES[0]))


@pytest.mark.parametrize("features", FEATURES, ids=repr)
@pytest.mark.parametrize("name", NAMES)
def test_a_state_replaces_what_was_learned(name: str, features: Features) -> None:
    model = rules(features)[name]
    new = model.state()
    model.learn_many(ROWS, [1, -1, 1])
    learned = model.state()
    model.learn_many([{"d": 3.0, "a": 1.0}], [-1])
    for state in (learned, new):
        model.set_state(state)
        assert same(model.state(), state)
    assert [model.predict_one(row) for row in ROWS] == [0.0, 0.0, 0.0]
    np.testing.assert_array_equal(model.learn_many(ROWS, [1, -1, 1]), fresh(model).learn_many(ROWS, [1, -1, 1]))


@pytest.mark.parametrize("features", FEATURES, ids=repr)
def test_fewer_classes_replace_more(features: Features) -> None:
    few, many = OneVsAll(Pegasos(features=features)), OneVsAll(Pegasos(features=features))
    few.learn_many(ROWS, ["x", "y", "x"])
    many.learn_many(ROWS * 4, list("abcdefghijkl"))
    many.set_state(few.state())
    assert many.classes == ["x", "y"]
    for row in ROWS:
        np.testing.assert_array_equal(many.predict_one(row), few.predict_one(row))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slots": np.array([3, 2, 1, 0], dtype=np.uint32)}, "not ascending"),
        ({"slots": np.array([0, 1, 1, 3], dtype=np.uint32)}, "not ascending"),
        ({"runs": np.full((4, 1), np.nan, dtype=np.float32)}, "not finite"),
        ({"totals": {"mistakes": np.zeros(2)}}, "not one number per learner"),
        ({"totals": {}}, "`mistakes` is missing"),
        ({"keys": np.zeros(3, dtype=np.uint64)}, "a name twice"),
        ({"names": ["a"]}, "one key per name"),
    ],
)
def test_a_state_that_is_refused_changes_nothing(change: dict[str, Any], message: str) -> None:
    model = Perceptron(features=Features(names="exact"))
    model.learn_many(ROWS, [1, -1, 1])
    before = model.state()
    assert len(before["slots"]) == 4
    with pytest.raises(ValueError, match=message):
        model.set_state(before | change)
    assert same(model.state(), before)


@register("tests.state.refuses")
class Refuses:
    """A learner that learns nothing of a row with `bad` in it."""

    def __init__(self) -> None:
        self.w = 0.0

    def predict_one(self, x: Any) -> float:
        return self.w

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        if "bad" in x:
            raise KeyboardInterrupt
        self.w += y


@pytest.mark.parametrize("model", [AdaGrad(), Refuses()], ids=["kernel", "copies"])
def test_classes_that_do_not_fit_are_refused(model: Any) -> None:
    learned, given = OneVsAll(model), OneVsAll(model, classes=["a", "b"])
    for each in (learned, given):
        each.learn_many([{"x": 1.0}] * 2, ["a", "b"])
        before, state = each.predict_one({"x": 1.0}), each.state()
        for classes in (["a", "a"], *([["b", "a"], ["a", "c"]] if each is given else [])):
            with pytest.raises(ValueError, match="the classes of the state do not fit the model"):
                each.set_state({**state, "classes": classes})
            assert each.classes == ["a", "b"]
            assert each.predict_one({"x": 1.0}).tolist() == before.tolist()
    learned.set_state({**state, "classes": ["c", "d"]})
    assert learned.classes == ["c", "d"]


def test_a_row_that_fails_brings_no_class() -> None:
    model = OneVsAll(Refuses())
    model.learn_one({"x": 1.0}, "a")
    calls: list[Callable[[], Any]] = [
        lambda: model.learn_one({"bad": 1.0}, "b"),
        lambda: model.learn_many([{"x": 1.0}, {"bad": 1.0}], ["b", "c"]),
    ]
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()
        assert model.classes == ["a"]
        assert len(model.predict_one({"x": 1.0})) == 1
    model.learn_one({"x": 1.0}, "d")
    assert model.classes == ["a", "d"]
    assert len(model.predict_one({"x": 1.0})) == 2
