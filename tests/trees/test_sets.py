"""On public sets the loss is within the theorem's bound of the best pruning in hindsight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import afterwit as aw
from afterwit.linear import AdaGrad
from afterwit.trees import GraphExperts, TreeExperts, complete
from tests.peers.data import Rows, stored

SETS = {"covtype-20k": "logistic", "letter-am": "logistic", "cal_housing": "squared"}


def makes(rows: Rows, loss: str) -> dict[str, Any]:
    """Trees of every kind; that of scikit-learn is grown on the first 2,000 rows."""
    grow = DecisionTreeRegressor if loss == "squared" else DecisionTreeClassifier
    first = rows.first(2000)
    grown = grow(max_depth=8, min_samples_leaf=5, random_state=0).fit(first.X.toarray(), first.y)
    spread = {
        j: (float(low), float(high))
        for j, (low, high) in enumerate(np.quantile(rows.X[:, :12].toarray(), [0.01, 0.99], axis=0).T)
        if low < high
    }
    return {
        "itself": TreeExperts(loss=loss),
        "scikit-learn": TreeExperts(grown, loss=loss),
        "as a graph": GraphExperts(grown.tree_, loss=loss),
        "complete": TreeExperts(complete(spread, 12), loss=loss),
        "linear": TreeExperts(grown, node=AdaGrad(normalized=True, loss=loss), loss=loss),
    }


@pytest.mark.parametrize("name", SETS)
def test_the_loss_is_within_the_bound_of_the_best_pruning(name: str) -> None:
    loss, rows = SETS[name], stored(name)
    for kind, model in makes(rows, loss).items():
        if kind == "as a graph" and name != "letter-am":
            continue  # whose best pruning is that of the tree, and takes seconds
        report = aw.learn(model, aw.read(rows.X, rows.y))
        assert report.pruning is not None
        stands = report.pruning
        assert stands["loss"] == pytest.approx(report.mean_loss * report.rows)  # type: ignore[operator]
        assert stands["regret"] == stands["loss"] - stands["best_loss"]
        assert stands["regret"] <= stands["bound"]["value"], kind
        if kind != "linear":  # whose nodes know no mean
            assert report.baseline is not None
            assert stands["best_loss"] <= report.baseline.mean_loss * report.rows * 1.01, kind  # type: ignore[operator]
        assert tuple(name for name, _ in report.lines()[-2:]) == ("best pruning", "regret to it")
