"""What trees and graphs of experts have in common: nodes that predict, the best pruning, and the theorem."""

from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import losses, registry, regret
from afterwit._core import LearningRule, template_rule, tree_view
from afterwit.features import Features
from afterwit.learners import Native
from afterwit.learners.weights import key
from afterwit.linear.linear import Linear
from afterwit.losses import Loss
from afterwit.protocols import Learner
from afterwit.regret import Bound, Pruning
from afterwit.shown import pairs
from afterwit.trees.templates import PARTS


@dataclass(frozen=True)
class PruningStanding:
    """A tree or graph beside its best pruning in hindsight, in total losses, weights included.

    `leaves` are those of the best pruning that rows came to, of `nodes` in all; `bound` is the most that the theorem
    allows the regret to be.
    """

    rows: int
    loss: float
    best_loss: float
    regret: float
    leaves: int
    nodes: int
    bound: Bound

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)

    def lines(self) -> list[tuple[str, str]]:
        """Names and values, as people read them."""
        return pruning_lines(self.to_dict())

    def __str__(self) -> str:
        lines = self.lines()
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)

    def _repr_html_(self) -> str:
        return pairs(self.lines())


def pruning_lines(told: dict[str, Any]) -> list[tuple[str, str]]:
    """Names and values of what `to_dict` gave."""
    leaves = f"{told['leaves']:,} leaves of {told['nodes']:,} nodes"
    bound = told["bound"]
    return [
        ("best pruning", f"{told['best_loss']:,.6g} in total, {leaves}"),
        ("regret to it", f"{told['regret']:,.6g}, at most {bound['value']:,.6g} ({bound['theorem']})"),
    ]


class Experts(Native):
    """A learner over the nodes of a template, of which a row passes those from the root to a leaf."""

    #: The learner of every node, fresh; None where nodes say means.
    node: Any

    def pruning(self) -> PruningStanding:
        """How it has done beside the best pruning, with the predictions that its nodes made before each row."""
        told, _ = tree_view(self)
        best = self._best(told)
        return PruningStanding(
            rows=int(told["rows"]),
            loss=told["loss"],
            best_loss=best.loss,
            regret=told["loss"] - best.loss,
            leaves=len(best.leaves),
            nodes=int(told["nodes"]),
            bound=self._bound(told, best),
        )

    def best_pruning(self) -> Pruning:
        """The pruning that has lost least; edges are numbered in the order in which rows first took them."""
        return self._best(tree_view(self)[0])

    def regret_bound(self) -> Bound:
        """The most regret to the best pruning that the theorem allows after what was seen."""
        told, _ = tree_view(self)
        return self._bound(told, self._best(told))

    def holds(self) -> dict[str, int]:
        """What it keeps: nodes that rows came to, and the bytes of all that was learned."""
        told, size = tree_view(self)
        return {"nodes": int(told["nodes"]), "bytes": size}

    def __repr__(self) -> str:
        """As it would be constructed, without the defaults; of a template it only says how large it is."""
        shown = []
        for parameter in inspect.signature(type(self)).parameters.values():
            value = getattr(self, parameter.name)
            if parameter.name == "template" and value is not None:
                shown.append(f"template=<{len(value['feature']):,} nodes>")
            elif value != parameter.default and value != Features():
                shown.append(f"{parameter.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def _best(self, told: dict[str, Any]) -> Pruning:
        raise NotImplementedError

    def _bound(self, told: dict[str, Any], best: Pruning) -> Bound:
        most = regret.tree_experts(told["C"], best.leaves, told["unit"], told["first_unit"] or None, told["unlearned"])
        return Bound(most, "Luo 2016, section 2.3.4, Theorem 6, errata 44")


def node_learner(node: Learner | None, loss: str | Loss) -> Any:
    """A fresh copy of the learner that every node gets."""
    if node is None:
        return None
    if not isinstance(node, Linear):
        raise TypeError(f"node is a `{type(node).__name__}`, expected None (the mean) or a learner of `linear`")
    if node.loss != str(losses.get(loss)):
        raise ValueError(f"node has the loss `{node.loss}` and the tree `{losses.get(loss)}`; give both the same")
    return registry.fresh(node)


def tails(told: dict[str, Any]) -> npt.NDArray[np.float64]:
    """From which node each edge goes out; in a tree node i is the one that edge i leads to. -1 for the root's."""
    found: npt.NDArray[np.float64] = told["tail"] // 2.0
    found[:1] = -1.0
    return found


def given_rule(template: dict[str, Any], node: Any, *, shares: bool) -> LearningRule:
    """The rule of the core over a template in its one form."""
    names, inner = template["features"], None if node is None else node._rule
    feature, threshold, below, above = (template[part] for part in PARTS[1:])
    return template_rule(feature, threshold, below, above, [key(name) for name in names], names, shares, inner)
