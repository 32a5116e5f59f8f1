"""A network with one hidden layer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit.dense import Network
from tests.dense import formulas
from tests.dense.formulas import draws, played
from tests.dense.specimen import Specimen
from tests.linear.formulas import Array


def formula(X: Array, y: Array, h: Array, *, loss: str = "logistic", **settings: Any) -> Array:
    return played(formulas.Network(X.shape[1], loss == "squared", **settings), X, y, h)


# The weights are floats, the formula's doubles; rounding grows along the stream.
SPECIMEN = Specimen(
    make=Network,
    settings=({}, {"hidden": 5, "seed": 2**64 - 1}, {"rate": 0.1}),
    formula=formula,
    formula_at=({}, {"hidden": 20, "seed": 2**63}, {"rate": 0.001}),
    accuracy=1e-3,
)


def test_one_step_by_hand() -> None:
    """The first step of Adam is `rate` against the sign of the slope, for every weight; the only row has z = (1, 0)."""
    w, u = 0.5 * draws(7, 1, 1)[0], 0.3 * draws(7, 0, 1)[0]
    model = Network(hidden=1, rate=0.01, seed=7)
    before = u * max(w, 0.01 * w)
    assert model.predict_one({"a": 2.0}) == pytest.approx(before, rel=1e-6)
    model.learn_one({"a": 2.0}, 1)
    w, u = w + 0.01 * np.sign(u), u + 0.01 * np.sign(w)
    assert model.predict_one({"a": 2.0}) == pytest.approx(0.01 + u * max(w, 0.01 * w), rel=1e-5)


def test_draws_have_variance_one() -> None:
    found = np.concatenate([draws(1, place, 32) for place in range(100)])
    assert abs(found.mean()) < 0.06
    assert abs(found.var() - 1.0) < 0.08


def test_it_learns_a_product() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(10_000, 4))
    y = np.where(X[:, 0] * X[:, 1] > 0.0, 1.0, -1.0)
    assert np.mean((Network().learn_many(X, y) * y <= 0.0)[5000:]) < 0.1
    value = X[:, 0] * X[:, 1]
    raw = Network(loss="squared").learn_many(X, value)
    assert np.mean((raw - value)[5000:] ** 2) < 0.2 * value.var()


def test_an_importance_that_is_always_the_same_is_hardly_noticed() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] + rng.normal(size=200) > 0.0, 1.0, -1.0)
    once, often = (Network().learn_many(X, y, np.full(200, h)) for h in (1.0, 64.0))
    np.testing.assert_allclose(once, often, atol=1e-3)
    uneven = Network().learn_many(X, y, np.where(y > 0.0, 8.0, 1.0))
    assert uneven[100:].mean() > once[100:].mean() + 0.3


@pytest.mark.parametrize("scale", [1e9, 1e-9])
def test_the_scale_of_labels_does_not_matter(scale: float) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 3))
    y = X[:, 0] ** 2
    raw, scaled = Network(loss="squared").learn_many(X, y), Network(loss="squared").learn_many(X, scale * y)
    np.testing.assert_allclose(scaled / scale, raw, atol=1e-4)


def test_equal_numbers_teach_nothing_but_their_mean() -> None:
    model = Network(loss="squared")
    for k in range(50):
        model.learn_one({"a": float(k)}, 3.0)
    assert model.predict_one({"a": 7.0}) == 3.0


@pytest.mark.parametrize("loss", ["logistic", "squared"])
@pytest.mark.parametrize("rate", [1e-38, 1.0, 1e38])
def test_any_rate_and_importance_stay_finite(loss: str, rate: float) -> None:
    rng = np.random.default_rng(4)
    X, y = rng.choice([0.0, 1.0, -3e38, 1e-38], (500, 4)), rng.choice([-1.0, 1.0], 500)
    assert np.isfinite(Network(rate=rate, loss=loss).learn_many(X, y, rng.choice([1e-30, 1.0, 1e30], 500))).all()


def test_a_million_rounds_that_are_always_right() -> None:
    raw = Network(hidden=16).learn_many(np.random.default_rng(5).normal(size=(1_000_000, 1)), np.ones(1_000_000))
    assert np.isfinite(raw).all()
    assert raw[1000:].min() > 0.0


def test_a_model_that_has_only_noted_a_number_is_saved(tmp_path: object) -> None:
    """The first number is only noted: no column is met with it."""
    model = Network(loss="squared")
    model.learn_one({"a": 1.0, "b": 2.0}, 1.0)
    aw.save(model, f"{tmp_path}/m.afterwit")
    other = aw.load(f"{tmp_path}/m.afterwit")
    for each in (model, other):
        each.learn_one({"a": 3.0, "c": 2.0}, 5.0)
    assert model.predict_one({"a": 2.0, "c": 1.0}) == other.predict_one({"a": 2.0, "c": 1.0})


@pytest.mark.parametrize("settings", [{"hidden": 0}, {"hidden": 1025}, {"hidden": True}, {"seed": -1}, {"rate": 0.0}])
def test_impossible_settings_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected a"):
        Network(**settings)  # type: ignore[arg-type]


def test_there_is_no_bound() -> None:
    assert Network().regret_bound(None).value is None  # type: ignore[arg-type]
