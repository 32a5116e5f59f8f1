"""The default learner of the core is the recipe's transcription: every member, every combiner, both levels."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import logit

from afterwit import _core, losses
from afterwit._core import Labels as CoreLabels
from afterwit._core import Model
from afterwit.panel import Auto, Panel
from afterwit.streams.arrays import csr_arrays
from tests.linear.formulas import Array
from tests.panel.formulas import run
from tests.panel.test_formulas import rows
from tests.peers.data import stored


@cache
def recipe(task: str, rounds: int, size: int) -> tuple[Array, Array, Array, dict[str, Array]]:
    """Rows, labels, importances, and what members and combiners say before each row by the recipe."""
    X, y, h = rows(task, rounds, size=size)
    if size > 64:  # one more in every row
        X *= np.tri(rounds, size)
    X = (X / (4.0 * np.maximum(X.std(axis=0), 1e-9))).astype(np.float32).astype(np.float64)  # plain AdaGrad wants that
    return X, y, h, run(X, y, h, task)


def seen(task: str, precise: bool, rounds: int, size: int = 6) -> tuple[dict[str, Array], dict[str, Array], Array]:
    """What members and combiners said before each row, by the core and by the recipe; and the labels."""
    X, y, h, expected = recipe(task, rounds, size)
    panel = Auto(task).model
    assert isinstance(panel, Panel)
    linear = len(panel.members["linear"].members)  # type: ignore[attr-defined]
    kind = CoreLabels.real if task == "numbers" else CoreLabels.binary
    model = Model(panel._rule, losses.get(panel.loss), panel.features.layout(), kind, precise)
    found: dict[str, list[Any]] = {}
    for x, label, weight in zip(X, y, h, strict=True):
        final = model.predict_one(x)
        view = _core.panel_view(model)
        said = {"members": view["said"][:linear], "lin": view["said"][linear], "dense": view["said"][linear + 1 :]}
        said |= {"combiners": view["combined"], "lin_combiners": view["inner"][0]["combined"], "final": final}
        for name, value in said.items():
            found.setdefault(name, []).append(value)
        if weight > 0.0:
            model.learn_one(x, label, weight)
    return {name: np.array(values) for name, values in found.items()}, expected, y


@pytest.mark.parametrize(("precise", "accuracy"), [(True, 1e-6), (False, 2e-5)], ids=["doubles", "floats"])
@pytest.mark.parametrize("task", ["binary", "numbers"])
def test_it_is_the_recipe(task: str, precise: bool, accuracy: float) -> None:
    """The network has floats, too, and neighbours have distances in floats: their margins are held to 1e-4."""
    found, expected, y = seen(task, precise, 2000)
    unit = float(np.ptp(y)) if task == "numbers" else 1.0
    for name, value in found.items():
        recipe = expected[name]
        if task == "binary" and name in ("lin", "final"):
            recipe = logit(np.clip(recipe, 1e-6, 1.0 - 1e-6))
        error = np.abs(value - recipe)[2:] / unit  # before there are two numbers there is nothing to say
        most = 1e-4 if name == "dense" else max(accuracy, 5e-6) if name in ("final", "combiners") else accuracy
        assert error.max() <= most, f"{name}: row {2 + np.argmax(error > most)} is off by {error.max():.2g}"
    np.testing.assert_array_equal(found["dense"][:, 0] != 0.0, expected["dense"][:, 0] != 0.0)


@pytest.mark.parametrize("task", ["binary", "numbers"])
def test_it_is_the_recipe_of_rows_with_too_many_features(task: str) -> None:
    """Who sleeps, and from which row on."""
    found, expected, y = seen(task, True, 340, 335)
    unit = float(np.ptp(y)) if task == "numbers" else 1.0
    for name in ("members", "dense"):
        sleeps = np.isnan(found[name])
        assert 0.02 < sleeps.mean() < 0.5
        np.testing.assert_array_equal(sleeps[20:], expected[name][20:] == 0.0)
        np.testing.assert_allclose(np.nan_to_num(found[name])[2:] / unit, expected[name][2:] / unit, atol=1e-3)
    for name in ("lin_combiners", "combiners"):
        np.testing.assert_allclose(found[name][2:] / unit, expected[name][2:] / unit, atol=1e-3)


STORED = {
    "binary": ["diabetes", "heart", "ionosphere", "splice", "svmguide3", "w1a"],
    "numbers": ["airfoil", "concrete", "energy", "housing", "winequality-red"],
}


@pytest.mark.parametrize("task", STORED)
def test_floats_cost_nothing(task: str) -> None:
    """Against doubles, in log loss or squared error, in the mean over sets."""
    panel = Auto(task).model
    assert isinstance(panel, Panel)
    kind = CoreLabels.real if task == "numbers" else CoreLabels.binary
    ratios = []
    for name in STORED[task]:
        X, y = stored(name)
        rule, loss, layout = panel._rule, losses.get(panel.loss), panel.features.layout()
        raw = [
            Model(rule, loss, layout, kind, precise).learn_csr(*csr_arrays(X), y, None)[:, 0]
            for precise in (False, True)
        ]
        single, double = (np.mean((r - y)[1:] ** 2 if task == "numbers" else np.logaddexp(0.0, -y * r)) for r in raw)
        ratios.append(single / double)
    assert np.exp(np.mean(np.log(ratios))) < 1.002
