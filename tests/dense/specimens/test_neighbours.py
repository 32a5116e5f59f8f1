"""The nearest of the last rows."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit import registry
from afterwit.dense import Neighbours
from afterwit.linear import OneVsAll
from tests.dense.specimen import Specimen
from tests.linear.formulas import Array
from tests.versions import check_the_same, printed_by_versions


def formula(X: Array, y: Array, h: Array, *, loss: str = "logistic", neighbours: int = 7, window: int = 1000) -> Array:
    """The learner row by row, with room for all columns from the start, and all distances sorted."""
    real = loss == "squared"
    p, past, met = np.zeros(len(X)), np.zeros((0, X.shape[1])), np.zeros(X.shape[1], bool)
    labels, weights = np.zeros(0), np.zeros(0)  # of all rows
    ring: list[tuple[Array, float, float]] = []  # by slot: x, y, h
    place = 0  # of the next row

    def rows_kept() -> int:
        return max(64, min(window, 16384 // met.sum())) if met.any() else window

    for r, x in enumerate(X):
        seen = np.vstack([past, x])
        used = met & (np.ptp(seen, axis=0) > 0.0)
        if ring:
            kept, Y, H = (np.array(part) for part in zip(*ring, strict=True))
            D = (((x - kept)[:, used]) ** 2 / np.var(seen[:, used], axis=0)).sum(axis=1)
            near = np.argsort(D, kind="stable")[:neighbours]
            w = H[near] * np.exp(-2.0 * D[near] / (D[near[-1]] or 1.0))
            share = (w @ Y[near] + 0.1) / (w.sum() + 0.2)
            p[r] = w @ Y[near] / w.sum() if real else np.clip(np.log(share / (1.0 - share)), -50.0, 50.0)
        elif real and len(labels):
            p[r] = np.average(labels, weights=weights)
        if h[r] == 0.0:
            continue
        first, n = len(labels) == 0, rows_kept()
        labels, weights = np.append(labels, y[r]), np.append(weights, h[r])
        if real and first:
            continue
        past, met = seen, met | (x != 0.0)
        if rows_kept() < n:
            ring = (ring[place:] + ring[:place] if len(ring) == n else ring)[-rows_kept() :]
            place = len(ring) % rows_kept()
        ring[place : place + 1] = [(x, y[r] if real else float(y[r] > 0.0), h[r])]
        place = (place + 1) % rows_kept()
    return p


# Distances are floats, off by some 1e-7 of their size, and so are exponents of 2 at most. Of two rows that are nearer
# to one another than that either may be the neighbour: in these streams there are none.
SPECIMEN = Specimen(
    make=Neighbours,
    settings=({}, {"neighbours": 1, "window": 64}, {"neighbours": 64}),
    formula=formula,
    formula_at=({}, {"neighbours": 1, "window": 64}, {"neighbours": 40, "window": 500}),
)
either_loss = pytest.mark.parametrize("loss", ["logistic", "squared"])


def ever_wider(rounds: int, columns: int, seed: int = 1) -> tuple[Array, Array, Array]:
    """Rows that bring new features up to the last; two that all have, because those in one row each make ties."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, columns)) * (rng.random((rounds, columns)) < 0.2)
    X[np.arange(columns)[None, :] > columns * np.sqrt(np.arange(rounds) / rounds)[:, None]] = 0.0
    X[:, :2] = rng.normal(size=(rounds, 2))
    X = X.astype(np.float32).astype(np.float64)
    return (
        X,
        np.where(X[:, 0] + X[:, 1] + rng.normal(size=rounds) > 0.0, 1.0, -1.0),
        rng.choice([0.5, 1.0, 3.0], rounds),
    )


def margin(p: float) -> float:
    return math.log(p / (1.0 - p))


def test_by_hand() -> None:
    """With one column the distances are as the squared gaps, whatever its deviation: from 3 they are 0, 4, 4 and 36."""
    model = Neighbours()
    assert model.predict_one({"a": 3.0}) == 0.0
    for x, y, h in ((9.0, 1, 1.0), (3.0, 1, 2.0), (5.0, -1, 4.0), (1.0, 1, 1.0)):
        model.learn_one({"a": x}, y, h)
    near, last = math.exp(-2.0 * 4.0 / 36.0), math.exp(-2.0)
    share = (2.0 + near + last + 0.1) / (2.0 + 5.0 * near + last + 0.2)
    assert model.predict_one({"a": 3.0}) == pytest.approx(margin(share), rel=1e-6)


def test_numbers_by_hand() -> None:
    """The first is only noted, and its mean is the prediction until there is another. From 5 the gaps are 1 and 3."""
    model = Neighbours(neighbours=2, loss="squared")
    assert model.predict_one({"a": 1.0}) == 0.0
    model.learn_one({"a": 5.0}, 70.0)
    assert model.predict_one({"a": 5.0}) == 70.0
    for x in (1.0, 2.0, 4.0):
        model.learn_one({"a": x}, 10.0 * x)
    near, last = math.exp(-2.0 * 1.0 / 9.0), math.exp(-2.0)
    assert model.predict_one({"a": 5.0}) == pytest.approx((40.0 * near + 20.0 * last) / (near + last), rel=1e-6)
    assert model.predict_one({"a": 3.0}) == pytest.approx(30.0)


def test_it_learns_what_no_weight_can_say() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(4000, 3))
    sign = np.where(X[:, 0] * X[:, 1] > 0.0, 1.0, -1.0)
    assert np.mean(Neighbours().learn_many(X, sign)[2000:] * sign[2000:] <= 0.0) < 0.12
    raw = Neighbours(loss="squared").learn_many(X, 1e9 + sign)
    assert np.mean((raw[2000:] - 1e9 - sign[2000:]) ** 2) < 0.4


@pytest.mark.parametrize("window", [64, 100])
def test_it_forgets_what_has_left_the_window(window: int) -> None:
    """All rows are alike: neighbours are those in the first 64 slots, and new rows take the slots from the first on."""
    model = Neighbours(neighbours=64, window=window)
    for _ in range(window):
        model.learn_one({"a": 1.0}, 1)
    for k in range(window):
        assert model.predict_one({"a": 1.0}) == pytest.approx(margin((max(64 - k, 0) + 0.1) / 64.2))
        model.learn_one({"a": 1.0}, -1)
    for k in range(64):
        assert model.predict_one({"a": 1.0}) == pytest.approx(margin((k + 0.1) / 64.2))
        model.learn_one({"a": 1.0}, 1)


def test_of_equal_distances_the_smaller_slot_is_nearer() -> None:
    model = Neighbours(neighbours=1, window=64)
    sign = math.log((math.exp(-2.0) + 0.1) / 0.1)
    for x, y in ((1.0, 1), (-1.0, -1), (1.0, -1), (-1.0, 1)):
        model.learn_one({"a": x}, y)
    assert model.predict_one({}) == model.predict_one({"b": 1.0}) == pytest.approx(sign)
    for _ in range(60):
        model.learn_one({"a": 3.0}, 1)
    model.learn_one({"a": 5.0}, 1)  # in the first slot
    assert model.predict_one({}) == pytest.approx(-sign)
    model.learn_one({"a": 1.0}, 1)  # in the second
    assert model.predict_one({}) == pytest.approx(sign)


@pytest.mark.parametrize("k", [1, 7, 31, 32, 33, 64])
def test_many_ties(k: int) -> None:
    """One column of five values: hundreds of rows at the same few distances, in the order of their slots."""
    rng = np.random.default_rng(k)
    X = rng.choice([0.0, 1.0, 2.0, 3.0, 7.0], (900, 1))
    y = np.where(rng.random(900) < 0.1 + 0.1 * X[:, 0], 1.0, -1.0)
    raw = Neighbours(neighbours=k, window=200).learn_many(X, y)
    np.testing.assert_allclose(raw, formula(X, y, np.ones(900), neighbours=k, window=200), rtol=1e-6, atol=1e-6)


@either_loss
@pytest.mark.parametrize("columns", [40, 300])
def test_a_window_that_shrinks(loss: str, columns: int) -> None:
    """With 40 columns 409 of the rows are kept, with 300 the last 64."""
    X, y, h = ever_wider(1200, columns)
    model = Neighbours(loss=loss)
    raw = model.learn_many(X, y, h)
    np.testing.assert_allclose(raw, formula(X, y, h, loss=loss), rtol=1e-5, atol=1e-5)
    totals = registry.state(model)["totals"]
    assert totals["kept_rows"] == (409 if columns == 40 else 64)
    assert totals["x"].size == totals["kept_rows"] * columns


def test_columns_that_are_new_or_constant_move_no_prediction() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(200, 3)), rng.choice([-1.0, 1.0], 200)
    without, with_constant = Neighbours(), Neighbours()
    for x, label in zip(X, y, strict=True):
        row = {"a": x[0], "b": x[1], "c": x[2]}
        raw = without.predict_one(row)
        assert without.predict_one({**row, "new": 1e9}) == raw
        assert with_constant.predict_one({**row, "constant": 3.0}) == raw
        without.learn_one(row, label)
        with_constant.learn_one({**row, "constant": 3.0}, label)


@either_loss
def test_scales_from_one_end_of_the_floats_to_the_other(loss: str) -> None:
    rng = np.random.default_rng(6)
    X, y = rng.integers(-63, 64, (400, 4)) / 16.0, rng.choice([-1.0, 1.0], 400)
    raw = Neighbours(loss=loss).learn_many(X, y)
    for power in (-122, -119, -99, -20, 60, 99, 101, 119, 125):
        np.testing.assert_array_equal(Neighbours(loss=loss).learn_many(X * 2.0**power, y), raw)
    one = X * 2.0 ** np.array([-122, 1, 125, -60])
    np.testing.assert_array_equal(Neighbours(loss=loss).learn_many(one, y), raw)


def test_differences_that_no_float_holds() -> None:
    """From 3e38 to -3e38 it is as from 3 to -3."""
    rng = np.random.default_rng(7)
    X, y = rng.choice([-3.0, -1.0, 0.5, 3.0], (300, 3)), rng.choice([-1.0, 1.0], 300)
    raw = Neighbours().learn_many(X * 2.0**126, y)
    np.testing.assert_array_equal(raw, Neighbours().learn_many(X, y))


def test_an_importance_of_two_is_two_copies_to_the_bit_where_rows_are_alike() -> None:
    once, twice = Neighbours(neighbours=9), Neighbours(neighbours=9)
    for y in (1, -1, 1, 1):
        once.learn_one({"a": 1.0}, y, 2.0)
        twice.learn_one({"a": 1.0}, y)
        twice.learn_one({"a": 1.0}, y)
    assert once.predict_one({"a": 1.0}) == twice.predict_one({"a": 1.0}) == pytest.approx(math.log(6.1 / 2.1))


@either_loss
def test_an_importance_of_two_is_two_copies(loss: str) -> None:
    """With twice as many neighbours in twice the window, and one column, whose deviation is then of no account."""
    rng = np.random.default_rng(8)
    once, twice = Neighbours(5, 100, loss=loss), Neighbours(10, 200, loss=loss)
    if loss == "squared":  # which only notes the first
        once.learn_one({}, 0.0)
        twice.learn_one({}, 0.0)
    for _ in range(300):
        x, y = {"a": float(rng.normal())}, float(rng.choice([-1.0, 1.0]))
        assert once.predict_one(x) == pytest.approx(twice.predict_one(x), rel=1e-5, abs=1e-5)
        once.learn_one(x, y, 2.0)
        for _ in range(2):
            twice.learn_one(x, y)


def test_importances_of_any_size() -> None:
    """1 beside 1e17 is not lost in rounding."""
    model = Neighbours()
    for y, h in ((1, 1e17), (-1, 1.0)):
        model.learn_one({"a": 1.0}, y, h)
    assert model.predict_one({"a": 1.0}) == pytest.approx(math.log(1e17 / 1.1))
    real = Neighbours(loss="squared")
    for y, h in ((0.0, 1.0), (3.0, 1e38), (1.0, 1e38), (9.0, 5e-324)):
        real.learn_one({"a": 1.0}, y, h)
    assert real.predict_one({"a": 1.0}) == 2.0


@either_loss
def test_saved_where_the_ring_has_turned_and_shrunk(loss: str, tmp_path: Path) -> None:
    X, y, h = ever_wider(900, 60)
    X = np.round(X)  # many ties
    raw = Neighbours(window=300, loss=loss).learn_many(X, y, h)
    for stop in (0, 1, 2, 63, 64, 65, 300, 301, 311, 640, 899):
        first = Neighbours(window=300, loss=loss)
        first.learn_many(X[:stop], y[:stop], h[:stop])
        aw.save(first, tmp_path / "m.afterwit")
        second = aw.load(tmp_path / "m.afterwit")
        np.testing.assert_array_equal(second.learn_many(X[stop:], y[stop:], h[stop:]), raw[stop:])


def test_classes_that_come_late_are_saved(tmp_path: Path) -> None:
    """The window of one has less rows than there were, and columns that others have learned."""
    X, _, h = ever_wider(400, 40)
    y = [("a", "b", "c", "d")[min(k // 90, k % 4)] for k in range(400)]
    for stop in (100, 205, 390):
        first, other = OneVsAll(Neighbours(window=64)), OneVsAll(Neighbours(window=64))
        for k in range(stop):
            first.learn_one(X[k], y[k], h[k])
            other.learn_one(X[k], y[k], h[k])
        aw.save(first, tmp_path / "m.afterwit")
        second = aw.load(tmp_path / "m.afterwit")
        for k in range(stop, 400):
            np.testing.assert_array_equal(second.predict_one(X[k]), other.predict_one(X[k]))
            second.learn_one(X[k], y[k], h[k])
            other.learn_one(X[k], y[k], h[k])


def forged(part: str, value: float) -> Any:
    """What a state with this part becomes: a model, or an error."""
    rng = np.random.default_rng(7)
    model = Neighbours(window=64)
    model.learn_many(rng.normal(size=(70, 3)), rng.choice([-1.0, 1.0], 70))
    state = registry.state(model)
    registry.build("neighbours", registry.settings(model), state)
    if isinstance(state["totals"][part], float):
        state["totals"][part] = value
    else:
        state["totals"][part] = state["totals"][part].copy()
        state["totals"][part][0] = value
    return registry.build("neighbours", registry.settings(model), state)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("kept_rows", 1e15),
        ("kept_rows", -1.0),
        ("kept_rows", 63.0),
        ("kept_rows", math.nan),
        ("next_slot", 64.0),
        ("next_slot", 0.5),
        ("next_slot", -1.0),
        ("x", math.nan),
        ("x", math.inf),
        ("labels", 0.5),
        ("labels", math.nan),
        ("importances", 0.0),
        ("importances", math.inf),
    ],
)
def test_forged_states_are_refused(part: str, value: float) -> None:
    with pytest.raises(ValueError, match="state"):
        forged(part, value)


def test_rows_that_the_deviations_cannot_explain() -> None:
    """A state may hold them: a row that is infinitely far away is no neighbour."""
    for value in (0.0, 1e-300):
        model = forged("spread", value)
        model.predict_one({"0": 1.0, "1": 1.0})
        raw = model.learn_many(np.full((99, 3), 3e38), np.ones(99))
        assert np.isfinite(raw).all()


@pytest.mark.parametrize(
    ("setting", "value"),
    [("neighbours", 0), ("neighbours", 65), ("neighbours", True), ("window", 63), ("window", 16385), ("window", 99.0)],
)
def test_settings_that_cannot_be_are_refused(setting: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{setting} is `"):
        Neighbours(**{setting: value})  # type: ignore[arg-type]


def test_there_is_no_bound() -> None:
    assert Neighbours().regret_bound(None).value is None  # type: ignore[arg-type]


def test_every_kind_of_cpu_has_the_same_bits(tmp_path: Path) -> None:
    check_the_same(printed_by_versions(Path(__file__).parents[1] / "neighbours_versions.cpp", tmp_path), 20)
