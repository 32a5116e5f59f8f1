"""Boosted trees over a window of rows: one more tree every now and then."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit import registry
from afterwit.dense import RollingTrees
from afterwit.features import Features
from tests.dense import formulas
from tests.dense.formulas import played
from tests.dense.specimen import Specimen
from tests.linear.formulas import Array
from tests.versions import check_the_same, printed_by_versions


def formula(X: Array, y: Array, h: Array, *, loss: str = "logistic", **settings: Any) -> Array:
    return played(formulas.RollingTrees(X.shape[1], loss == "squared", **settings), X, y, h)


SPECIMEN = Specimen(
    make=RollingTrees,
    settings=({}, {"trees": 5, "window": 64, "rate": 0.3}, {"trees": 1, "window": 8}),
    formula=formula,
    formula_at=(
        {"trees": 20, "window": 300},
        {"trees": 30, "window": 1024},
        {"trees": 7, "window": 50, "rate": 1.0},
        {"trees": 70, "window": 256},
    ),
)


def test_the_first_trees_by_hand() -> None:
    """Eight rows, labels 1 where x > 2: G = 0 and b = 0; g = -+1/2, h = 1/4, so leaves are +-.1 * 2/(1 + 5)."""
    model = RollingTrees()
    for k in range(8):
        assert model.predict_one({"a": 1.0 + k % 4}) == 0.0
        model.learn_one({"a": 1.0 + k % 4}, k % 4 >= 2)
    value = float(np.float32(0.1 * 2.0 / 6.0))
    assert [model.predict_one({"a": x}) for x in (-9.0, 2.0, 2.1, 99.0)] == [-value, -value, value, value]


def test_the_first_gain_by_hand() -> None:
    """The same rows: G = -+2 and H = 1 on both sides, 0 and 2 above: twice 2^2/(1 + 5)."""
    model = RollingTrees(features=Features(names="exact"))
    for k in range(8):
        model.learn_one({"a": 1.0 + k % 4, "b": 1.0}, k % 4 >= 2)
    assert model.gains() == {"a": pytest.approx(8.0 / 6.0, rel=1e-6)}
    assert model.gains(["b"]) == {"b": 0.0}
    assert model.holds() == {"columns": 2, "rows": 8, "most rows": 4096, "trees": 1, "trees grown": 1}
    assert pickle.loads(pickle.dumps(model)).gains() == model.gains()


def test_a_tree_that_is_not_split() -> None:
    """Rows that are all alike, and columns of which none was ever met."""
    for x in ({"a": 1.0}, {}):
        model = RollingTrees(features=Features(names="exact"))
        for k in range(40):
            model.learn_one(x, k % 3 == 0)
        assert model.gains() == {}
        assert model.holds()["trees"] > 0


def test_gains_of_a_forest_whose_oldest_trees_have_gone() -> None:
    """What was split on long ago is forgotten."""
    model = RollingTrees(trees=9, window=64, features=Features(names="exact"))
    rng, before = np.random.default_rng(9), dict[str, float]()
    for k in range(400):
        a, b = rng.normal(size=2)
        model.learn_one({"a": a, "b": b}, (a if k < 200 else b) > 0.0)
        if k == 199:
            before = model.gains()
    after = model.gains()
    assert before["a"] > 3.0 * before.get("b", 0.0)
    assert after["b"] > 3.0 * after.get("a", 0.0)


def test_numbers_by_hand() -> None:
    """The mean until eight rows beside the first are kept; then their mean, and leaves of -.1 * G/(4 + 5)."""
    model = RollingTrees(loss="squared")
    model.learn_one({"a": 1.0}, 0.0)
    assert model.predict_one({"a": 1.0}) == 0.0
    for k in range(8):
        model.learn_one({"a": 1.0 + k % 2}, 10.0 + 20.0 * (k % 2))
        assert k == 7 or model.predict_one({}) == pytest.approx(
            sum(10.0 + 20.0 * (i % 2) for i in range(k + 1)) / (k + 2)
        )
    for x, sign in ((1.0, -1.0), (2.0, 1.0)):
        assert model.predict_one({"a": x}) == pytest.approx(20.0 + sign * 0.1 * 40.0 / 9.0, rel=1e-7)


def test_more_than_32_columns_are_drawn() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 45)).astype(np.float32).astype(np.float64)
    y, h = np.where(X[:, 40] + X[:, 3] > 0.0, 1.0, -1.0), np.ones(300)
    seven = RollingTrees(seed=7).learn_many(X, y)
    np.testing.assert_allclose(seven, formula(X, y, h, seed=7), rtol=1e-9, atol=1e-9)
    assert not np.array_equal(seven, RollingTrees(seed=8).learn_many(X, y))
    narrow = X[:, :32]
    np.testing.assert_array_equal(
        RollingTrees(seed=7).learn_many(narrow, y), RollingTrees(seed=8).learn_many(narrow, y)
    )


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_the_order_of_values_is_all(loss: str) -> None:
    """x, x^3 and arctan x give the same bits, as far as float32 keeps their values apart."""
    rng = np.random.default_rng(3)
    X = rng.integers(-40, 41, (700, 4)) / 16.0
    y = np.where(X[:, 0] * X[:, 1] > 0.5, 1.0, -1.0)
    raw = RollingTrees(loss=loss).learn_many(X, y)
    for f in (lambda x: x**3, np.arctan):
        np.testing.assert_array_equal(RollingTrees(loss=loss).learn_many(f(X), y), raw)


def test_the_importance_multiplies_slope_and_curvature() -> None:
    """Weights of 4 are a penalty of 5/4, in the first tree: b = 0, leaves of +-.1 * 8/(4 + 5)."""
    model = RollingTrees()
    for k in range(8):
        model.learn_one({"a": 1.0 + k % 4}, k % 4 >= 2, 4.0)
    assert model.predict_one({"a": 4.0}) == pytest.approx(0.1 * 8.0 / 9.0, rel=1e-7)


def test_it_learns_what_no_weight_can_say() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(4000, 6))
    sign = np.where(X[:, 0] * X[:, 1] > 0.0, 1.0, -1.0)
    assert np.mean(RollingTrees().learn_many(X, sign)[2000:] * sign[2000:] <= 0.0) < 0.1
    raw = RollingTrees(loss="squared").learn_many(X, 1e9 + sign)
    assert np.mean((raw[2000:] - 1e9 - sign[2000:]) ** 2) < 0.4


def test_it_forgets_what_has_left_the_window() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(3000, 2))
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0) * np.where(np.arange(3000) < 2000, 1.0, -1.0)
    raw = RollingTrees(trees=32, window=256).learn_many(X, y)
    assert np.mean(raw[2600:] * y[2600:] <= 0.0) < 0.05


@pytest.mark.parametrize(("columns", "kept"), [(4, 16384), (200, 2**21 // 200), (320, 2**21 // 320)])
def test_a_long_window_has_two_million_numbers(columns: int, kept: int) -> None:
    """As many rows as fit, by the columns that there are after 4,096 of them."""
    model = RollingTrees(trees=1, window=16384)
    rows = np.zeros((4096, columns))
    rows[::2] = 1.0
    model.learn_many(rows, np.ones(4096))
    assert registry.state(model)["totals"]["kept_rows"] == 16384
    model.learn_one({"0": 1.0}, 1.0)
    assert registry.state(model)["totals"]["kept_rows"] == kept
    model.learn_many(np.ones((2, 320)), np.ones(2))
    assert registry.state(model)["totals"]["kept_rows"] == kept


def test_a_long_window_is_its_formula_when_it_is_full(tmp_path: Any) -> None:
    rng = np.random.default_rng(8)
    X = rng.integers(-9, 10, (5500, 3)).astype(np.float64)
    y, h = np.where(X[:, 0] * X[:, 1] + rng.normal(size=5500) > 0.0, 1.0, -1.0), np.ones(5500)
    raw = RollingTrees(trees=9, window=4500).learn_many(X, y)
    np.testing.assert_allclose(raw, formula(X, y, h, trees=9, window=4500), rtol=1e-9, atol=1e-9)
    for stop in (4096, 4097, 4600):
        first = RollingTrees(trees=9, window=4500)
        first.learn_many(X[:stop], y[:stop])
        aw.save(first, tmp_path / "m.afterwit")
        np.testing.assert_array_equal(aw.load(tmp_path / "m.afterwit").learn_many(X[stop:], y[stop:]), raw[stop:])


@pytest.mark.parametrize("kept", [0.0, 4095.0, 4501.0, 4200.5, math.nan])
def test_a_window_that_no_columns_lead_to_is_refused(kept: float) -> None:
    """With as many rows as it says."""
    model = RollingTrees(trees=1, window=4500)
    model.learn_many(np.ones((4200, 1)), np.ones(4200))
    state = registry.state(model)
    state["totals"]["kept_rows"] = kept
    rows = int(min(np.nan_to_num(kept), 4200.0))
    for name in ("x", "labels", "importances", "margins"):
        state["totals"][name] = state["totals"][name][:rows]
    with pytest.raises(ValueError, match="state"):
        registry.build("rolling-trees", registry.settings(model), state)


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_saved_where_window_and_trees_are_full(loss: str, tmp_path: Any) -> None:
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(500, 40)) * (rng.random((500, 40)) < 0.3), rng.choice([-1.0, 1.0], 500)
    straight, first = (RollingTrees(trees=9, window=100, loss=loss) for _ in range(2))
    raw = straight.learn_many(X, y)
    for stop in (0, 1, 7, 8, 9, 300, 411):
        first = RollingTrees(trees=9, window=100, loss=loss)
        first.learn_many(X[:stop], y[:stop])
        aw.save(first, tmp_path / "m.afterwit")
        second = aw.load(tmp_path / "m.afterwit")
        np.testing.assert_array_equal(second.learn_many(X[stop:], y[stop:]), raw[stop:])


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("rows_learned", 1e15),
        ("rows_learned", -1.0),
        ("builds", 1e9),
        ("next_build", 1e9),
        ("next_build", 0.0),
        ("next_bins", math.inf),
        ("intercept", math.nan),
        ("features", 9.0),
        ("features", -1.0),
        ("features", 0.5),
        ("thresholds", math.nan),
        ("leaves", math.inf),
        ("gains", math.nan),
        ("gains", -1.0),
        ("edge_counts", 32.0),
        ("edges", 1e9),
        ("x", math.nan),
        ("labels", 0.5),
        ("margins", math.inf),
        ("importances", 0.0),
    ],
)
def test_forged_states_are_refused(part: str, value: float) -> None:
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(60, 3)), rng.choice([-1.0, 1.0], 60)
    model = RollingTrees(trees=9, window=32)
    model.learn_many(X, y)
    state = registry.state(model)
    registry.build("rolling-trees", registry.settings(model), state)
    if isinstance(state["totals"][part], float):
        state["totals"][part] = value
    else:
        state["totals"][part] = state["totals"][part].copy()
        state["totals"][part][0] = value
    with pytest.raises(ValueError, match="state"):
        registry.build("rolling-trees", registry.settings(model), state)


@pytest.mark.parametrize(
    ("setting", "value"),
    [("trees", 0), ("trees", 4097), ("window", 7), ("window", 2.5), ("rate", 0.0), ("rate", 1.5), ("seed", -1)],
)
def test_settings_that_cannot_be_are_refused(setting: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{setting} is `"):
        RollingTrees(**{setting: value})  # type: ignore[arg-type]


def test_there_is_no_bound() -> None:
    assert RollingTrees().regret_bound(None).value is None  # type: ignore[arg-type]


def test_every_kind_of_cpu_has_the_same_bits(tmp_path: Path) -> None:
    """The plain version goes from node to node, the others go down many trees at once."""
    check_the_same(printed_by_versions(Path(__file__).parents[1] / "trees_versions.cpp", tmp_path), 18)
