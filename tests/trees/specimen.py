"""Trees and graphs in the settings in which all of them are tried."""

from __future__ import annotations

from typing import Any

import numpy as np

from afterwit.features import Features
from afterwit.linear import AdaGrad
from afterwit.trees import GraphExperts, TreeExperts, complete
from afterwit.trees.templates import template_of

LOSSES = ("logistic", "squared", "absolute", "hinge")
#: Over the features 0, 1 and 2.
NESTED = (0, 0.1, (1, -0.5, None, (0, -1.0, None, None)), (2, 0.0, (1, 0.5, None, None), None))
GRAPH = {
    "top": ("0", 0.0, "left", "right"),
    "left": ("1", 0.0, "low", "middle"),
    "right": ("1", 0.5, "middle", "high"),
    "middle": ("2", 0.25, "low", "high"),
    "low": None,
    "high": ("0", 1.0, "end", "end"),
    "end": None,
}


def models(features: Features | None = None) -> list[Any]:
    """All kinds of templates and nodes."""
    shared: dict[str, Any] = {"features": features}
    return [
        TreeExperts(**shared),
        TreeExperts(depth=4, seed=5, loss="squared", **shared),
        TreeExperts(NESTED, **shared),
        TreeExperts(complete({3: (-1.0, 1.0), 4: (-1.0, 2.0)}, 5), loss="absolute", **shared),
        TreeExperts({"alone": None}, loss="squared", **shared),
        TreeExperts(NESTED, node=AdaGrad(loss="squared"), loss="squared", **shared),
        TreeExperts(depth=3, node=AdaGrad(normalized=True), **shared),
        GraphExperts(GRAPH, **shared),
        GraphExperts(GRAPH, node=AdaGrad(loss="squared"), loss="squared", **shared),
    ]


def random_template(rng: np.random.Generator, nodes: int, columns: int, *, shares: bool = False) -> dict[str, Any]:
    """A random tree, or graph, of so many inner nodes."""
    tests: dict[str, Any] = {"0": None}
    leaves = ["0"]
    for _ in range(nodes):
        name = leaves.pop(int(rng.integers(len(leaves))))
        children = []
        for _ in range(2):
            if shares and len(leaves) > 2 and rng.random() < 0.4:
                children.append(leaves[int(rng.integers(len(leaves)))])
            else:
                children.append(str(len(tests)))
                tests[children[-1]] = None
                leaves.append(children[-1])
        tests[name] = (int(rng.integers(columns)), float(np.round(rng.normal(), 1)), *children)
    return template_of(tests, shares=shares)
