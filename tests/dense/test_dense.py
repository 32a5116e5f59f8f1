"""What holds of every dense learner: it is its formula, its columns are bounded, scales do not matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import afterwit as aw
import afterwit.dense
from afterwit import registry
from tests.dense.specimen import LOSSES, Specimen, every
from tests.linear.formulas import Array

ROUNDS, SIZE = 2000, 12
every_specimen = pytest.mark.parametrize("each", every().values(), ids=every())
every_loss = pytest.mark.parametrize("loss", LOSSES)


def rows(loss: str, rounds: int = ROUNDS, seed: int = 0) -> tuple[Array, Array, Array]:
    """Columns of different scales, some of them sparse, some late; labels that depend on them; weights from 0 to 4."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, SIZE)) * 4.0 ** rng.integers(-4, 5, SIZE) + rng.integers(0, 2, SIZE)
    X *= rng.random((rounds, SIZE)) < rng.choice([0.2, 1.0], SIZE)
    X[: rounds // 4, SIZE - 2 :] = 0.0
    X = X.astype(np.float32).astype(np.float64)
    Z = X / X.std(axis=0)
    value = Z @ rng.normal(size=SIZE) + 3.0 * (Z[:, 0] > 0) * (Z[:, 1] > 0) + rng.normal(size=rounds)
    y = 1000.0 + 10.0 * value if loss == "squared" else np.where(value > np.median(value), 1.0, -1.0)
    return X, y, rng.choice([0.0, 0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 4.0], size=rounds)


def states_equal(a: Any, b: Any) -> bool:
    first, second = registry.state(a)["totals"], registry.state(b)["totals"]
    return first.keys() == second.keys() and all(np.array_equal(first[key], second[key]) for key in first)


def test_every_public_learner_has_a_specimen() -> None:
    public = {getattr(afterwit.dense, name) for name in afterwit.dense.__all__}
    assert {each.make for each in every().values()} == public
    assert all(every()[registry.name_of(each.make()).replace("-", "_")] is each for each in every().values())


@every_loss
@every_specimen
def test_it_is_its_formula(each: Specimen, loss: str) -> None:
    X, y, h = rows(loss)
    for settings in each.formula_at:
        expected = each.formula(X, y, h, loss=loss, **settings)
        raw = each.make(**settings, loss=loss).learn_many(X, y, h)
        error = np.abs(raw - expected) / np.maximum(1.0, np.abs(expected))
        assert error.max() <= each.accuracy, f"row {np.argmax(error > each.accuracy)} is off by {error.max():.2g}"


@every_loss
@every_specimen
def test_scales_do_not_matter(each: Specimen, loss: str) -> None:
    X, y, h = rows(loss, 600)
    raw = each.make(loss=loss).learn_many(X, y, h)
    scaled = each.make(loss=loss).learn_many(X * 1024.0, y, h)
    if each.scale_free:
        np.testing.assert_array_equal(raw, scaled)


@every_loss
@every_specimen
def test_a_look_changes_nothing(each: Specimen, loss: str) -> None:
    """Rows that are only looked at, with columns that never come again."""
    X, y, h = rows(loss, 300)
    alone, beside = (each.make(loss=loss) for _ in range(2))
    for x, label, weight in zip(X, y, h, strict=True):
        beside.predict_one({"never": 5.0, "1": 1e30, "again": -1.0})
        beside.learn_one({"never": 2.0}, label, 0.0)
        assert beside.predict_one(x) == alone.predict_one(x)
        alone.learn_one(x, label, weight)
        beside.learn_one(x, label, weight)
    assert states_equal(alone, beside)


@every_loss
@every_specimen
def test_the_label_does_not_move_its_own_prediction(each: Specimen, loss: str) -> None:
    X, y, _ = rows(loss, 200)
    raw = each.make(loss=loss).learn_many(X, y)
    other = y.copy()
    other[-1] = -y[-1]
    assert each.make(loss=loss).learn_many(X, other)[-1] == raw[-1]


@every_loss
@every_specimen
def test_saved_in_the_middle(each: Specimen, loss: str, tmp_path: Any) -> None:
    X, y, h = rows(loss, 900)
    straight = each.make(loss=loss)
    raw = straight.learn_many(X, y, h)
    first = each.make(loss=loss)
    first.learn_many(X[:450], y[:450], h[:450])
    aw.save(first, tmp_path / "m.afterwit")
    second = aw.load(tmp_path / "m.afterwit")
    np.testing.assert_array_equal(second.learn_many(X[450:], y[450:], h[450:]), raw[450:])
    assert states_equal(straight, second)


@every_specimen
def test_chance_stays_chance(each: Specimen) -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(4000, 5)), rng.choice([-1.0, 1.0], 4000)
    wrong = np.mean(each.make().learn_many(X, y) * y <= 0.0)
    assert abs(wrong - 0.5) < 0.03


@every_loss
@every_specimen
def test_extremes_stay_finite(each: Specimen, loss: str) -> None:
    rng = np.random.default_rng(4)
    X = rng.choice([0.0, 1.0, -1.0, 3e38, -3e38, 1e-38, 1e19], (700, 6))
    for scale in (1.0, 1e-9, 1e9, 3e38):
        y = rng.choice([-1.0, 1.0], 700) * (scale if loss == "squared" else 1.0)
        model = each.make(loss=loss)
        raw = model.learn_many(X, y, rng.choice([1e-30, 1.0, 1e30], 700))
        assert np.isfinite(raw).all()
        assert all(np.isfinite(part).all() for part in registry.state(model)["totals"].values())
        registry.build(registry.name_of(model), registry.settings(model), registry.state(model))


@every_loss
@every_specimen
def test_few_rows_and_equal_labels(each: Specimen, loss: str) -> None:
    model = each.make(loss=loss)
    assert abs(model.predict_one({})) < 0.5  # a network starts with small weights of chance
    model.learn_one({}, 1.0)
    model.learn_one({"a": 1.0}, 1.0)
    for _ in range(40):
        model.learn_one({}, 1.0)
        model.learn_one({"a": 1.0}, 1.0)
    assert model.predict_one({"a": 1.0}) > 0.5


@every_loss
@every_specimen
def test_features_beyond_the_width_are_left_out(each: Specimen, loss: str) -> None:
    width = getattr(each.make(), "width", each.make.WIDTH)
    wide = {str(j): 1.0 + j % 3 for j in range(width + 50)}
    narrow = {str(j): 1.0 + j % 3 for j in range(width)}
    a, b = each.make(loss=loss), each.make(loss=loss)
    for k in range(20):
        a.learn_one(wide, 1.0 if k % 2 else -1.0)
        b.learn_one(narrow, 1.0 if k % 2 else -1.0)
    assert a.predict_one(wide) == b.predict_one(narrow)
    assert registry.state(a)["totals"]["left_out"] == (
        20.0 if loss == "logistic" else 19.0
    )  # the first number is only noted


@every_specimen
def test_other_losses_are_refused(each: Specimen) -> None:
    with pytest.raises(ValueError, match="expected logistic or squared"):
        each.make(loss="hinge")
