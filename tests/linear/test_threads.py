"""One model in several threads: nobody sees a half-learned row, and nothing breaks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from afterwit.features import Features
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry.plain import same
from tests.linear.rules import bits, random_rows, rules

ROWS = random_rows(3000, seed=11)


@pytest.mark.parametrize("features", [Features(bits=9), Features(names="exact")], ids=["hashed", "exact"])
@pytest.mark.parametrize("name", rules(Features()))
def test_predictions_side_by_side_are_those_alone(name: str, features: Features) -> None:
    model = OneVsAll(rules(features)[name], classes=[0, 1, 2])
    model.learn_many(ROWS.X, np.arange(3000) % 3)
    expected, dicts = model.predict_many(ROWS.X), ROWS.dicts()[:200]

    def many(_: int) -> bool:
        return same(model.predict_many(ROWS.X), expected)

    def single(_: int) -> bool:
        return all(same(model.predict_one(x), expected[r]) for r, x in enumerate(dicts))

    with ThreadPoolExecutor(4) as pool:
        assert all([*pool.map(many, range(6)), *pool.map(single, range(6))])
        assert all(done.result() for done in [pool.submit((many, single)[i % 2], i) for i in range(8)])


def test_learning_beside_predicting() -> None:
    """Calls come one after another; each is whole."""
    model = AdaGrad(features=Features(names="exact"))
    X, y = [{f"n{i}": 1.0, "x": 0.5} for i in range(4000)], np.ones(4000)
    with ThreadPoolExecutor(4) as pool:
        learning = [pool.submit(model.learn_many, X[i::4], y[i::4]) for i in range(4)]
        while not all(task.done() for task in learning):
            assert np.isfinite(model.predict_many(X[:50])).all()
            assert np.isfinite(model.predict_one(X[0]))
            assert len(bits(model)["names"]) in {0, 1001, 2001, 3001, 4001}
        assert [len(task.result()) for task in learning] == [1000] * 4
    assert len(model.coef()) == 4002


def test_a_value_that_calls_the_model_back() -> None:
    model = AdaGrad()
    model.learn_one({"x": 1.0}, 1)

    class Nosy:
        def __float__(self) -> float:
            return float(model.predict_one({"x": Fraction(1, 2)}))

    row: dict[str, Any] = {"x": 1.0, "y": Nosy(), "z": 2.0}
    assert model.predict_one(row) == model.predict_one({"x": 1.0, "y": 0.75, "z": 2.0})
