"""Almost as good as the best pruning of a decision graph."""

from __future__ import annotations

from typing import Any

from afterwit import regret
from afterwit.features import Features
from afterwit.losses import Loss
from afterwit.protocols import Learner
from afterwit.registry import register
from afterwit.regret import Pruning
from afterwit.trees.experts import Experts, given_rule, node_learner, tails
from afterwit.trees.templates import template_of


@register("graph")
class GraphExperts(Experts):
    """The edges of a decision graph as experts: `TreeExperts` where ways that parted may meet again.

    `template` is as there, but a node may have several parents: a mapping of names of nodes, the root first, to
    (feature, threshold, name below, name above), or None for a leaf. A node learns from all rows that come to it; each
    edge to it is weighed for itself. A pruning is a set of inner nodes that has with a node all from which rows came to
    it, and predicts what the node says to which a row leaves the set; so exactly one of its last edges is awake in
    every row, which the theorem needs.

    Guarantee: that of `TreeExperts`, with edges in the place of nodes. Cost: O(path) per row, beside reading it;
    `pruning()` is a minimum cut. Memory: 32 bytes for each edge that some row took, 48 for each node.
    References: Luo 2016, end of section 2.3.4; errata 22, 44, 45.

    >>> model = GraphExperts({
    ...     "top": ("a", 0.5, "left", "right"), "left": ("b", 0.5, "no", "both"), "right": ("c", 0.5, "no", "both"),
    ...     "no": None, "both": None,
    ... })
    >>> for k in range(400):
    ...     model.learn_one({"a": k % 2, "b": k // 2 % 2, "c": k // 4 % 2}, k // 4 % 2 if k % 2 else k // 2 % 2)
    >>> model.predict_one({"a": 1, "b": 0, "c": 1}) > 0 > model.predict_one({"a": 0, "b": 0, "c": 1})
    True
    """

    def __init__(
        self,
        template: Any,
        node: Learner | None = None,
        loss: str | Loss = "logistic",
        features: Features | None = None,
    ) -> None:
        self.template = template_of(template, shares=True)
        self.node = node_learner(node, loss)
        super().__init__(given_rule(self.template, self.node, shares=True), loss, features)

    def _best(self, told: dict[str, Any]) -> Pruning:
        return regret.best_graph_pruning(told["L"], tails(told), told["head"])
