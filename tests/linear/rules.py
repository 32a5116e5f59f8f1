"""Every rule with a loss or two, and rows of random mantissas."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from afterwit import registry
from afterwit.features import Features
from afterwit.linear.linear import Linear
from tests.linear.specimen import every
from tests.losses import specimen as loss_specimen

LOSSES = loss_specimen.names()
NO_INTERCEPT = Features(bits=3, intercept=False)


def rules(features: Features) -> dict[str, Linear]:
    """Every learner in its typical settings, by their names."""
    return {
        name: each.make(**settings, features=features)
        for each in every().values()
        for name, settings in each.typical.items()
    }


def every_learner(features: Features) -> list[Linear]:
    """Every rule with every loss."""
    return [
        each.make(**settings, features=features) for each in every().values() for settings in each.with_losses(LOSSES)
    ]


class Rows(NamedTuple):
    X: sp.csr_array
    y: np.ndarray[Any, np.dtype[np.float64]]

    def dicts(self) -> list[dict[str, float]]:
        names, values, starts = [str(k) for k in self.X.indices.tolist()], self.X.data.tolist(), self.X.indptr.tolist()
        return [dict(zip(names[a:b], values[a:b], strict=True)) for a, b in pairwise(starts)]

    def text(self) -> str:
        """As svmlight text, each value by its repr."""
        lines = []
        for y, row in zip(self.y.tolist(), self.dicts(), strict=True):
            lines.append(f"{y:g} " + " ".join(f"{name}:{value!r}" for name, value in row.items()))
        return "\n".join(lines) + "\n"


def random_rows(rows: int, columns: int = 300, most: int = 200, seed: int = 0) -> Rows:
    """Rows of 1 to `most` non-zeros in ascending columns; labels -1 and +1 from a noisy line."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, most + 1, rows)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    order = np.argpartition(rng.random((rows, columns)), most - 1, axis=1)[:, :most]
    indices = np.concatenate([np.sort(line[:size]) for line, size in zip(order, sizes, strict=True)])
    values = rng.normal(size=len(indices)) * 10.0 ** rng.integers(-3, 4, len(indices))
    X = sp.csr_array((values, indices, starts), shape=(rows, columns))
    margins = X @ rng.normal(size=columns)
    return Rows(X, np.where(margins + np.std(margins) * rng.normal(size=rows) > 0, 1.0, -1.0))


def shuffled(X: sp.csr_array, seed: int = 1) -> sp.csr_array:
    """The same rows, the features of each in another order."""
    rng = np.random.default_rng(seed)
    order = np.lexsort((rng.random(len(X.data)), np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))))
    return sp.csr_array((X.data[order], X.indices[order], X.indptr), shape=X.shape)


def bits(model: Any) -> dict[str, Any]:
    return registry.state(model)


def is_finite(model: Linear, *rows: dict[str, float]) -> bool:
    state = bits(model)
    numbers = [state["runs"].ravel(), *state["totals"].values(), [model.predict_one(row) for row in rows]]
    return all(np.isfinite(part).all() for part in numbers)


def million(model: Linear, y: Any) -> float:
    """What it predicts for x = 1 after a million rows of it."""
    raw = model.learn_many(sp.csr_array(np.ones((1_000_000, 1))), y)
    assert np.isfinite(raw).all()
    return model.predict_one({"0": 1.0})
