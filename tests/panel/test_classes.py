"""A panel for several classes, and the default learner on them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from scipy.special import expit

import afterwit as aw
from afterwit._core import panel_view
from afterwit.dense import Neighbours, Network, OnlineNewton, RollingTrees
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll
from afterwit.panel import Panel
from tests.linear.formulas import Array
from tests.panel.class_formulas import Combiners
from tests.panel.class_formulas import OneVsAll as Linear
from tests.panel.formulas import Scales

MEMBERS: dict[str, Any] = {
    "slow": AdaGrad(0.5, normalized=True),
    "fast": AdaGrad(25.0, normalized=True),
    "newton": OnlineNewton(0.1, walk=1e-4, width=3),
    "network": Network(hidden=4),
    "near": Neighbours(3, 64),
    "trees": RollingTrees(trees=4, window=64),
}


def rows(rounds: int, classes: int = 4, seed: int = 0) -> tuple[Array, npt.NDArray[np.int64], Array]:
    """Two columns late, the first four classes of all rows but some; weights from 0.5 to 2."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 5)).astype(np.float32).astype(np.float64)
    X[: rounds // 2, 3:] = 0.0
    y = np.clip(np.round(X[:, 0] + X[:, 1] * X[:, 2]) + 1, 0, classes - 1).astype(np.int64)
    return X, y, rng.choice([0.5, 1.0, 1.0, 2.0], size=rounds)


def test_its_combiners_are_their_formula() -> None:
    """Newton sleeps in the second half, and importances grow."""
    X, y, h = rows(400)
    model, recipe = OneVsAll(Panel(MEMBERS), classes=range(4)), Combiners(len(MEMBERS))
    for t, (x, label, weight) in enumerate(zip(X, y.tolist(), h.tolist(), strict=True), start=1):
        raw = model.predict_one(x)
        view = panel_view(model._kernel)
        p, four = view["said"].reshape(-1, 4), view["combined"].reshape(4, 4)
        expected, final = recipe.predict(p, p.sum(axis=1) > 0.0)
        np.testing.assert_allclose(four, expected, atol=1e-9)
        np.testing.assert_allclose(expit(raw), final, atol=1e-8)
        recipe.learn(label, weight, t)
        model.learn_one(x, label, weight)
    assert view["asleep"].tolist() == [0.0, 0.0, 2.0, 0.0, 0.0, 0.0]


def test_its_linear_members_are_one_against_all() -> None:
    X, y, h = rows(300)
    model, scales = OneVsAll(Panel({"a": AdaGrad(2.0, normalized=True)}), classes=range(4)), Scales(5)
    recipe = Linear(6, 4, 2.0)
    for x, label, weight in zip(X, y.tolist(), h.tolist(), strict=True):
        model.predict_one(x)
        row = scales.look(x)
        expected = recipe.predict(row, scales.totals)
        np.testing.assert_allclose(panel_view(model._kernel)["said"], expected, atol=2e-5)  # weights are floats
        scales.learn(row, weight)
        recipe.learn(row, scales.totals, label, weight)
        model.learn_one(x, label, weight)


def test_a_class_that_comes_late_was_always_there() -> None:
    """Its linear learners are as if it had been known, and then they have seen it as often as those that were."""
    X, y, _ = rows(300)
    y[:200] = np.minimum(y[:200], 2)
    made = Panel({"a": AdaGrad(2.0, normalized=True), "b": AdaGrad(25.0, normalized=True)})
    late, known = OneVsAll(made), OneVsAll(made, classes=[*dict.fromkeys(y.tolist())])
    assert late.learn_many(X, y).shape == known.learn_many(X, y).shape
    first, second = (panel_view(each._kernel) for each in (late, known) if len(each.predict_one(X[0])))
    np.testing.assert_array_equal(first["said"], second["said"])


@pytest.fixture
def streams() -> tuple[Array, list[str]]:
    X, y, _ = rows(600, classes=5)
    names = np.array(["a", "b", "c", "d", "e"])[y]
    names[:50] = "b"
    return X, names.tolist()


def test_every_way_in_has_the_same_bits(streams: tuple[Array, list[str]], tmp_path: Path) -> None:
    X, y = streams
    model, single = aw.Auto("classes"), aw.Auto("classes")
    raw = model.learn_many(X, y)
    for x, label, line in zip(X, y, raw, strict=True):
        said = single.predict_one(x)
        np.testing.assert_array_equal(said, line[: len(said)])
        single.learn_one(x, label)
    dicts = [{str(k): float(v) for k, v in enumerate(x)} for x in X]
    for rows_ in (sp.csr_matrix(X), dicts):
        np.testing.assert_array_equal(aw.Auto("classes").learn_many(rows_, y), raw)
    half = aw.Auto()
    half.learn_many(X[:300], y[:300])
    assert half.labels.kind == "classes"
    aw.save(half, tmp_path / "m")
    for each in (half, aw.load(tmp_path / "m")):
        np.testing.assert_array_equal(each.learn_many(X[300:], y[300:]), raw[300:])


def test_no_label_moves_the_prediction_of_its_own_row(streams: tuple[Array, list[str]]) -> None:
    X, y = streams
    others = [*y[:400], "new", *y[401:]]
    one, two = aw.Auto("classes").learn_many(X, y), aw.Auto("classes").learn_many(X, others)
    np.testing.assert_array_equal(one[:401], two[:401, : one.shape[1]])
    assert (one[401:] != two[401:, : one.shape[1]]).any()


def test_chance_stays_chance() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(3000, 4)), rng.integers(0, 3, 3000)
    model = aw.Auto("classes")
    raw = model.learn_many(X, y)
    wrong = np.mean(np.array(model.classes)[raw.argmax(axis=1)] != y)
    assert abs(wrong - 2 / 3) < 3.0 * np.sqrt(2 / 9 / 3000)
    stands = model.standing()
    assert stands.regret is not None
    assert stands.bound.value is not None
    assert stands.regret <= stands.bound.value


def test_a_thousand_classes_one_class_and_no_row() -> None:
    rng = np.random.default_rng(2)
    model = aw.Auto("classes")
    model.learn_many(rng.normal(size=(1500, 3)), rng.permutation(1500) % 1000)
    assert len(model.classes) == 1000
    assert np.isfinite(model.predict_one({"0": 1.0})).all()
    asleep = {one.name: one.asleep for one in model.standing().members if one.asleep}
    assert asleep["trees"] == "too many classes"
    assert "neighbours" in model.holds()
    assert "neighbours" not in asleep
    with pytest.raises(ValueError, match="the trees sleep"):
        model.gains()
    assert aw.learn(aw.Auto("classes"), aw.read([({"a": 1.0}, "only")] * 5)).error_rate == 0.2
    assert len(aw.Auto("classes").predict_one({"a": 1.0})) == 0


def test_nobody_foresaw_a_class_that_is_new() -> None:
    model = aw.Auto("classes")
    report = aw.learn(model, aw.read([({"x": 1.0 * k}, name) for k, name in enumerate("abcabdddd")]))
    standing = model.standing()
    assert standing.panel.error_rate == report.error_rate
    assert standing.panel.mean_loss == pytest.approx(report.log_loss, rel=1e-6)
    assert all((each.error_rate or 0.0) >= 4 / 9 for each in [*standing.members, standing.usual])


@pytest.mark.parametrize("importance", [1e-30, 1e7, 1e20, 3e38])
def test_importances_of_any_size_can_be_saved(importance: float) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(120, 2)), rng.choice(["a", "b", "c"], size=120)
    model = aw.Auto("classes")
    raw = model.learn_many(X, y, np.where(np.arange(120) % 7 == 0, importance, 1.0))
    assert np.isfinite(raw[10:]).all()
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_many(X), model.predict_many(X))


def test_members_without_a_form_for_classes_are_refused() -> None:
    with pytest.raises(ValueError, match="a member of this panel has no form for several classes"):
        OneVsAll(Panel({"inner": Panel([AdaGrad(normalized=True)])}))
    model = OneVsAll(Panel({"own": GradientDescent(), "near": Neighbours()}))
    model.learn_many(*rows(50)[:2])
    assert np.isfinite(model.predict_one({"0": 1.0})).all()
