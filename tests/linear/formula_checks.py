"""The check that a learner is its formula; it takes the class, so that a broken one can be fed to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from afterwit import Features
from tests.linear import formulas
from tests.linear.specimen import Settings, Specimen, every, shown
from tests.losses import specimen as loss_specimen

ROUNDS, SIZE = 2000, 30
FEATURES = Features(bits=8, intercept=False)
LOSSES = [name for each in loss_specimen.every().values() for name in each.names]
#: Weights are 32-bit floats, each rounded once per row; the formula keeps 64 bits.
ACCURACY = 2e-5

Case = tuple[Specimen, Settings]


def cases() -> dict[str, Case]:
    """Every learner with every loss, by a name."""
    return {
        f"{name}, {shown(settings)}": (each, settings)
        for name, each in every().items()
        for settings in each.formulas(LOSSES)
    }


def check_formula(case: Case, make: Callable[..., Any] | None = None, rounds: int = ROUNDS, seed: int = 0) -> None:
    """The predictions before each row and the weights after the last are those of the formula."""
    specimen, settings = case
    learner = (make or specimen.make)(**settings, features=FEATURES)
    X, y, h = formulas.sparse_rows(rounds, SIZE, seed)
    expected, weights = specimen.formula(X, y, h, **settings)
    raw = learner.learn_many(X, y, h)
    error = np.abs(raw - expected) / np.maximum(1.0, np.abs(expected))
    assert error.max() <= ACCURACY, f"row {np.argmax(error > ACCURACY)}: the prediction is off by {error.max():.2g}"
    found = learner.coef([str(i) for i in range(SIZE)])
    np.testing.assert_allclose(list(found.values()), weights, rtol=ACCURACY, atol=ACCURACY)
