"""Template trees and graphs: from nested tests, named nodes or scikit-learn's arrays to arrays of one form."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import quoted

Ints = npt.NDArray[np.int64]
#: The arrays of a template: node i tests `features[feature[i]]` <= `threshold[i]`, and its children are `below[i]`,
#: where that is so, and `above[i]`; `feature` is -1 for a leaf. Node 0 is the root, parents are before their children.
PARTS = ("features", "feature", "threshold", "below", "above")


def template_of(given: Any, *, shares: bool = False) -> dict[str, Any]:
    """A template in the one form, from any other; where it `shares`, a node may have several parents.

    >>> made = template_of(("price", 3.5, None, ("city=Rome", 0.5, None, None)))
    >>> made["features"], made["feature"].tolist(), made["above"].tolist()
    (['price', 'city=Rome'], [0, -1, 1, -1, -1], [2, 0, 4, 0, 0])
    """
    if isinstance(given, Mapping):
        nodes = _arrays(given) if set(given) == set(PARTS) else _named(given)
    elif hasattr(given, "tree_") or hasattr(given, "children_left"):
        nodes = _sklearn(given)
    elif isinstance(given, (tuple, list)):
        nodes = _nested(given)
    else:
        raise TypeError(
            f"template is a `{type(given).__name__}`, expected nested tests (feature, threshold, below, above), a "
            "mapping of names to such tests, or a decision tree of scikit-learn that is fitted"
        )
    return _in_order(nodes, shares)


def complete(ranges: Mapping[Any, tuple[float, float]], depth: int) -> dict[str, Any]:
    """The complete tree over quantised features: level k tests feature k mod d, and halves its cell.

    `ranges` has (low, high) for each of d features. A tree of `depth` tests to each leaf has 2^(depth + 1) - 1 nodes,
    of which a learner keeps those alone that rows come to.

    >>> complete({"a": (0.0, 1.0), "b": (0.0, 8.0)}, depth=3)["threshold"].tolist()[:7]
    [0.5, 4.0, 4.0, 0.25, 0.25, 0.75, 0.75]
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= 20:
        raise ValueError(f"depth is `{depth!r}`, expected a whole number from 1 to 20")
    names = [str(name) for name in ranges]
    if not names:
        raise ValueError("ranges is empty, expected (low, high) for at least one feature")
    cells = np.array([[_finite(name, low), _finite(name, high)] for name, (low, high) in ranges.items()])
    for name, (low, high) in zip(names, cells, strict=True):
        if not low < high:
            raise ValueError(f"the range of {quoted(name)} is ({low:g}, {high:g}), expected the smaller one first")
    inner = (1 << depth) - 1
    feature = np.full(2 * inner + 1, -1, dtype=np.int64)
    threshold = np.zeros(2 * inner + 1)
    bounds = cells[None]  # of the nodes of a level: nodes x features x (low, high)
    for level in range(depth):
        j, first = level % len(names), (1 << level) - 1
        middle = bounds[:, j].mean(axis=1)
        feature[first : 2 * first + 1], threshold[first : 2 * first + 1] = j, middle
        bounds = np.repeat(bounds, 2, axis=0)
        bounds[::2, j, 1] = bounds[1::2, j, 0] = middle
    children = np.where(feature >= 0, 2 * np.arange(2 * inner + 1) + 1, 0)
    return {
        "features": names[: min(depth, len(names))],
        "feature": feature,
        "threshold": threshold,
        "below": children,
        "above": np.where(feature >= 0, children + 1, 0),
    }


class _Nodes:
    """Nodes as they are told, in any order."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.feature: list[int] = []
        self.threshold: list[float] = []
        self.below: list[int] = []
        self.above: list[int] = []

    def leaf(self) -> int:
        for part, value in ((self.feature, -1), (self.below, 0), (self.above, 0)):
            part.append(value)
        self.threshold.append(0.0)
        return len(self.feature) - 1

    def test(self, i: int, where: str, feature: Any, threshold: Any) -> None:
        if isinstance(feature, bool) or not isinstance(feature, (str, int, np.integer)) or feature == "":
            raise ValueError(f"{where} tests `{feature!r}`, expected the name or the number of a feature")
        name = str(feature)
        if name not in self.numbers:
            self.numbers[name] = len(self.names)
            self.names.append(name)
        self.feature[i], self.threshold[i] = self.numbers[name], _finite(where, threshold)


def _finite(where: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{where} has the number `{value!r}`, expected a finite one")
    return number


def _is_test(given: Any) -> bool:
    return isinstance(given, (tuple, list)) and len(given) == 4


def _nested(given: Any) -> _Nodes:
    nodes = _Nodes()
    waiting = [(given, nodes.leaf())]
    while waiting:  # no recursion: a template may be deep
        test, i = waiting.pop()
        if test is None:
            continue
        if not _is_test(test):
            raise ValueError(f"node {i} is `{_shown(test)}`, expected None or (feature, threshold, below, above)")
        nodes.test(i, f"node {i}", test[0], test[1])
        nodes.below[i], nodes.above[i] = nodes.leaf(), nodes.leaf()
        waiting += [(test[3], nodes.above[i]), (test[2], nodes.below[i])]
    return nodes


def _named(given: Mapping[Any, Any]) -> _Nodes:
    nodes = _Nodes()
    numbers = {name: nodes.leaf() for name in given}
    for name, test in given.items():
        if test is None:
            continue
        if not _is_test(test):
            raise ValueError(
                f"node {quoted(str(name))} is `{_shown(test)}`, expected None or (feature, threshold, below, above)"
            )
        i = numbers[name]
        nodes.test(i, f"node {quoted(str(name))}", test[0], test[1])
        for child in test[2:]:
            if child not in numbers:
                raise ValueError(f"node {quoted(str(name))} leads to {quoted(str(child))}, and there is no such node")
        nodes.below[i], nodes.above[i] = numbers[test[2]], numbers[test[3]]
    return nodes


def _sklearn(given: Any) -> _Nodes:
    tree = getattr(given, "tree_", given)
    names = getattr(given, "feature_names_in_", None)
    left = np.asarray(tree.children_left)
    feature = [
        -1 if child < 0 else int(j) for child, j in zip(left.tolist(), np.asarray(tree.feature).tolist(), strict=True)
    ]
    known = [str(name) for name in (range(max(feature, default=-1) + 1) if names is None else names)]
    parts = {"threshold": tree.threshold, "below": tree.children_left, "above": tree.children_right}
    return _arrays({"features": known, "feature": feature, **parts})


def _arrays(given: Mapping[str, Any]) -> _Nodes:
    nodes, names = _Nodes(), list(given["features"])
    parts = {part: np.asarray(given[part]) for part in PARTS[1:]}
    size = len(parts["feature"]) if parts["feature"].ndim == 1 else -1
    if any(part.shape != (size,) or part.dtype.kind not in "iuf" for part in parts.values()):
        raise ValueError("feature, threshold, below and above must be arrays of numbers of one length")
    for i, (j, threshold, below, above) in enumerate(zip(*(parts[part].tolist() for part in PARTS[1:]), strict=True)):
        nodes.leaf()
        if j < 0:
            continue
        if j >= len(names) or j != int(j):
            raise ValueError(f"node {i} tests feature number {j}, and there are {len(names)}")
        if not (0 <= below < size and 0 <= above < size):
            raise ValueError(f"node {i} leads to nodes {below} and {above}, expected numbers from 0 to {size - 1}")
        nodes.test(i, f"node {i}", names[int(j)], threshold)
        nodes.below[i], nodes.above[i] = int(below), int(above)
    return nodes


def _in_order(nodes: _Nodes, shares: bool) -> dict[str, Any]:
    """The nodes from the root on, parents first; refuses what is no tree, or graph without a cycle."""
    size = len(nodes.feature)
    if size == 0:
        raise ValueError("the template is empty, expected at least a root")
    feature = np.array(nodes.feature, dtype=np.int64)
    children = np.array([nodes.below, nodes.above], dtype=np.int64)
    inner = feature >= 0
    parents = np.bincount(children[:, inner].ravel(), minlength=size)
    if parents[0]:
        raise ValueError("the template has a cycle: some node leads back to the root, which must be the first node")
    if (parents[1:] == 0).any():
        lost = int(np.flatnonzero(parents == 0)[1])
        raise ValueError(f"node number {lost}, counted from 0, cannot be reached: no node leads to it; leave it out")
    if not shares and (parents > 1).any():
        twice = int(np.flatnonzero(parents > 1)[0])
        raise ValueError(f"node number {twice}, counted from 0, has two parents; `GraphExperts` takes such a graph")
    order, left = [0], parents.copy()
    for i in order:
        if not inner[i]:
            continue
        for child in children[:, i].tolist():
            left[child] -= 1
            if left[child] == 0:
                order.append(child)
    if len(order) < size:
        raise ValueError("the template has a cycle: some node leads to one before it")
    at = np.array(order)
    place = np.empty(size, dtype=np.int64)
    place[at] = np.arange(size)
    moved = np.where(inner[at], place[children[:, at]], 0)
    used: Iterable[int] = dict.fromkeys(feature[at][inner[at]].tolist())
    number = {j: k for k, j in enumerate(used)}
    return {
        "features": [nodes.names[j] for j in number],
        "feature": np.array([number.get(j, -1) for j in feature[at].tolist()], dtype=np.int64),
        "threshold": np.array(nodes.threshold)[at],
        "below": moved[0],
        "above": moved[1],
    }


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
