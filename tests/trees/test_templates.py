"""Templates: the same tree from every form, and a sentence for what is none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit.registry.plain import same
from afterwit.trees import GraphExperts, TreeExperts, complete
from afterwit.trees.templates import template_of
from tests.trees.specimen import GRAPH, NESTED, random_template


def test_every_form_is_the_same_tree() -> None:
    named = {
        "top": ("0", 0.1, "a", "b"),
        "a": ("1", -0.5, "c", "d"),
        "b": ("2", 0.0, "e", "f"),
        "c": None,
        "d": ("0", -1.0, "g", "h"),
        "e": ("1", 0.5, "i", "j"),
        **dict.fromkeys("fghij"),
    }
    backwards = {"top": named["top"], **dict(reversed([*named.items()][1:]))}
    once = template_of(NESTED)
    for other in (named, backwards, once, {**once, "feature": once["feature"].tolist()}):
        assert same(template_of(other), once)
    for seed in range(5):
        made = random_template(np.random.default_rng(seed), 20, 4, shares=True)
        assert same(template_of(made, shares=True), made)


def test_a_tree_of_scikit_learn() -> None:
    """Rows end in the leaf that `apply` says, whose mean they get."""
    tree = pytest.importorskip("sklearn.tree")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 5)).astype(np.float32).astype(np.float64)
    y = X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=500)
    fitted = tree.DecisionTreeRegressor(max_depth=5).fit(X, y)
    for given in (fitted, fitted.tree_):
        model = TreeExperts(given, loss="squared")
        assert len(model.template["feature"]) == fitted.tree_.node_count  # type: ignore[index]
        model.learn_many(X, y)
        assert model.holds()["nodes"] == fitted.tree_.node_count
    leaves = fitted.apply(X)
    for leaf in np.unique(leaves):
        alone = TreeExperts(fitted, loss="squared")
        alone.learn_many(X[leaves == leaf], np.arange((leaves == leaf).sum()))
        assert alone.holds()["nodes"] == int(fitted.decision_path(X[leaves == leaf][:1]).sum())


def test_a_tree_of_scikit_learn_over_a_table_has_its_names() -> None:
    tree, pandas = pytest.importorskip("sklearn.tree"), pytest.importorskip("pandas")
    table = pandas.DataFrame({"price": np.arange(40.0), "size": np.arange(40.0) % 7})
    fitted = tree.DecisionTreeClassifier(max_depth=2).fit(table, (np.arange(40) > 20) & (np.arange(40) % 7 > 3))
    assert set(TreeExperts(fitted).template["features"]) == {"price", "size"}  # type: ignore[index]


def test_a_complete_tree_halves_cells() -> None:
    made = complete({"a": (0.0, 8.0), "b": (-1.0, 1.0)}, 4)
    assert same(template_of(made), made)
    assert len(made["feature"]) == 31
    i = 0
    for name, at in (("a", 4.0), ("b", 0.0), ("a", 6.0), ("b", -0.5)):
        assert made["features"][made["feature"][i]] == name
        assert made["threshold"][i] == at
        i = made["above" if name == "a" else "below"][i]
    assert made["feature"][i] == -1


TREES: list[tuple[Any, str]] = [
    ({}, "empty"),
    (3, "expected nested tests"),
    ((), "expected None or"),
    ((0, 1.0, None), "expected None or"),
    ((0, 1.0, None, 7), "node 2 is `7`"),
    ((0, math.nan, None, None), "expected a finite one"),
    ((0, "much", None, None), "expected a finite one"),
    ((None, 1.0, None, None), "name or the number of a feature"),
    ((True, 1.0, None, None), "name or the number of a feature"),
    (("", 1.0, None, None), "name or the number of a feature"),
    ({"top": ("a", 1.0, "top", "end"), "end": None}, "cycle"),
    ({"top": ("a", 1.0, "x", "e"), "x": ("a", 2.0, "y", "f"), "y": ("a", 3, "x", "g"), **dict.fromkeys("efg")}, "two"),
    ({"top": ("a", 1.0, "b", "c"), "b": None, "c": None, "far": None}, "number 3, counted from 0, cannot be reached"),
    ({"top": None, "x": ("a", 1.0, "y", "z"), "y": None, "z": None}, "cannot be reached"),
    ({"top": ("a", 1.0, "b", "b"), "b": None}, "two parents; `GraphExperts`"),
    ({"top": ("a", 1.0, "b", "nowhere"), "b": None}, "there is no such node"),
    (GRAPH, "two parents"),
]


@pytest.mark.parametrize(("given", "words"), TREES, ids=range(len(TREES)))
def test_what_is_no_tree(given: Any, words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        TreeExperts(given)


def test_what_is_no_graph() -> None:
    loop = {"top": ("a", 1.0, "x", "e"), "x": ("a", 2.0, "y", "e"), "y": ("a", 3.0, "x", "e"), "e": None}
    with pytest.raises(ValueError, match="cycle"):
        GraphExperts(loop)
    alone = {"top": ("a", 1.0, "e", "e"), "e": None, "x": ("a", 1.0, "y", "e"), "y": ("a", 1.0, "x", "e")}
    with pytest.raises(ValueError, match="cycle"):
        GraphExperts(alone)
    once = template_of(NESTED)
    for part, value, words in [
        ("feature", once["feature"] + 3, "tests feature number"),
        ("below", once["below"] + 100, "leads to nodes"),
        ("above", once["above"][:-1], "of one length"),
        ("threshold", once["threshold"] + math.inf, "expected a finite one"),
    ]:
        with pytest.raises(ValueError, match=words):
            GraphExperts({**once, part: value})


@pytest.mark.parametrize(
    ("ranges", "depth"), [({}, 3), ({"a": (1, 0)}, 3), ({"a": (0, math.inf)}, 3), ({"a": (0, 1)}, 21)]
)
def test_what_is_no_complete_tree(ranges: Any, depth: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        complete(ranges, depth)
