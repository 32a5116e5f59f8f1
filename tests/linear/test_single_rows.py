"""Row after row as single dicts: what is remembered of the row before changes nothing but the time."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from afterwit.features import Features
from afterwit.linear import AdaGrad, GradientDescent
from afterwit.linear.linear import Linear
from afterwit.registry import fresh
from afterwit.registry.plain import same
from tests.linear.rules import bits, random_rows

NAMES = ["age", "balance", "clicks", "days", "7", "height", "income", "price", "speed", "visits"]
FEATURES = {
    "hashed": Features(),
    "meeting": Features(bits=3),
    "seeded": Features(seed=5, intercept=False),
    "exact": Features(names="exact"),
    "products": Features(interactions=("age*price",)),
}


def rows(n: int) -> list[dict[Any, Any]]:
    """Mostly the same names in the same order with other numbers; now and then something else."""
    rng = random.Random(4)
    made: list[dict[Any, Any]] = []
    for _ in range(n):
        x: dict[Any, Any] = {name: rng.gauss(0.0, 1.0) for name in NAMES}
        name, other = rng.sample(NAMES, 2)
        kind = rng.randrange(24)
        if kind < 9:
            odd = [3, True, 0, 0.0, 1e-300, 1e30, -1.0, np.float64(0.3), "Rome", None, {"a": 2.0}, 2**70]
            x[name] = rng.choice(odd)
        elif kind == 9:
            del x[name]
        elif kind == 10:
            x[name + "'"] = x.pop(name)  # as many names as before
        elif kind == 11:
            x[name] = x.pop(name)  # in another order
        elif kind == 12:
            x = {"".join(list(text)): value for text, value in x.items()}  # equal names, other objects
        elif kind == 13:
            x = dict(enumerate(x.values()))
        elif kind == 14:
            x = {}
        elif kind == 15:
            x[name] = x[other] = 0.0
        made.append(x)
    return made


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES)
def test_single_rows_are_the_rows_of_a_batch(features: Features) -> None:
    X = rows(1500)
    y = np.array([random.Random(r).choice([-1.0, 1.0]) for r in range(len(X))])
    for model in (GradientDescent(features=features), AdaGrad(normalized=True, features=features)):
        batch, single = fresh(model), fresh(model)
        raw = batch.learn_many(X, y)
        for x, label, before in zip(X, y.tolist(), raw.tolist(), strict=True):
            assert single.predict_one(x) == before
            single.learn_one(x, label)
        assert same(bits(single), bits(batch))


def test_dense_rows_between_dicts() -> None:
    one, other = GradientDescent(), GradientDescent()
    x, dense = {"a": 2.0, "b": 3.0}, np.array([1.5, -0.5])
    for _ in range(3):
        for _ in range(3):
            one.learn_one(x, 1)
            other.learn_many([x], [1])
        one.learn_one(dense, -1)
        other.learn_many(dense[None], [-1])
    assert same(bits(one), bits(other))


def test_a_new_name_where_an_old_one_was() -> None:
    """Names live only as long as their row, so that the next often has their address."""
    one, other = GradientDescent(), GradientDescent()
    names = [f"{'long' * 9}{i}" for i in range(500)]
    for i in range(len(names)):
        one.learn_one({f"{'long' * 9}{i}": 1.0, "b": 0.5}, i % 2)
    other.learn_many([{name: 1.0, "b": 0.5} for name in names], [i % 2 for i in range(500)])
    assert same(bits(one), bits(other))


@pytest.mark.parametrize(
    "wrong",
    [math.nan, math.inf, -math.inf, 1e300, 10**400, object()],
    ids=["nan", "inf", "-inf", "1e300", "10**400", "object"],
)
def test_a_wrong_value_under_known_names(wrong: Any) -> None:
    model = GradientDescent()
    good = {"a": 1.0, "b": 2.0}
    for _ in range(4):
        model.learn_one(good, 1)
    before, raw = bits(model), model.predict_one(good)
    for x, y, weight in (({"a": 3.0, "b": wrong}, 1, 1.0), (good, wrong, 1.0), (good, 0.5, 1.0), (good, 1, -1.0)):
        with pytest.raises((ValueError, TypeError)):
            model.learn_one(x, y, weight)
        assert same(bits(model), before)
        assert model.predict_one(good) == raw
    with pytest.raises((ValueError, TypeError)):
        model.predict_one({"a": 3.0, "b": wrong})
    assert model.predict_one(good) == raw


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_labels(loss: str) -> None:
    for y in (0, 1, -1, True, False, 0.0, np.float64(1.0), np.int64(-1)):
        one, other = GradientDescent(loss=loss), GradientDescent(loss=loss)
        one.learn_one({"a": 1.0}, y)
        other.learn_many([{"a": 1.0}], [float(y)])
        assert same(bits(one), bits(other))


def test_single_rows_wait_for_a_batch() -> None:
    """A batch lets Python go on; a single row meanwhile comes before all of it or after."""
    part = random_rows(2000, seed=5)
    X, y = sp.vstack([part.X] * 40, format="csr"), np.tile(part.y, 40)
    x = {"3": 0.5, "17": -1.0}

    def model() -> Linear:
        learner = GradientDescent()
        learner.learn_one(x, 1)
        return learner

    learner, alone = model(), model()
    seen = {learner.predict_one(x)}
    alone.learn_many(X, y)
    with ThreadPoolExecutor(1) as pool:
        learning = pool.submit(learner.learn_many, X, y)
        while not learning.done():
            seen.add(learner.predict_one(x))
        assert seen <= {model().predict_one(x), alone.predict_one(x)}
        learning = pool.submit(learner.learn_many, X, y)
        single = 0
        while not learning.done():
            learner.learn_one(x, 1)
            single += 1
    assert learner.state()["totals"]["t"] == 1 + 2 * len(y) + single
