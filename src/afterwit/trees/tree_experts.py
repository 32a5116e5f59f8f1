"""Almost as good as the best pruning of a tree."""

from __future__ import annotations

from typing import Any

from afterwit import regret
from afterwit._core import grown_rule
from afterwit.features import Features
from afterwit.losses import Loss
from afterwit.numbers import whole
from afterwit.protocols import Learner
from afterwit.registry import register
from afterwit.regret import Pruning
from afterwit.trees.experts import Experts, given_rule, node_learner, tails
from afterwit.trees.templates import template_of


@register("tree")
class TreeExperts(Experts):
    """The nodes of a tree as experts: it predicts almost as well as the best pruning of the tree, whatever comes.

    `template` says the tests: nested, (feature, threshold, below, above) with None for a leaf; a mapping of names of
    nodes, the root first, to (feature, threshold, name below, name above) or None; a fitted decision tree of
    scikit-learn; or `complete(...)`. A row goes below where its feature is at most the threshold; a feature that it
    does not have is 0. Without a template the tree makes itself, of `depth` tests to each leaf: the first row that
    comes to a node draws one of its features by `seed`, and tests it at its own value or in the middle of the cell.

    A row wakes the nodes on its path, AdaNormalHedge weighs them, and the prediction is their weighted mean. A node
    predicts the mean of its labels, of two labels under logistic loss their log-odds ln((n_+ + 1/2)/(n_- + 1/2)), or
    what its own `node` predicts, a learner of `linear`; a node without rows what the one before it does. A weight h
    counts in a node as h labels, and multiplies the losses that the nodes are weighed by.

    Guarantee: its loss is at most that of any pruning plus sqrt(3 m U C (ln(N/m) + ln B + 1)) + Z, m the leaves of the
    pruning and N all nodes that rows came to, C the sum of |loss - loss of the pruning|, U the largest difference of
    losses in a row so far, and Z what was lost in the rows that made it larger. `pruning()` has the best pruning, the
    regret and the bound. Cost: O(path) per row, beside reading it. Memory: 80 bytes for each node that some row came
    to, at most as much again in reserve, and with `node` its weights, of all features met.
    References: Luo 2016, section 2.3.4, Algorithm 6, Theorem 6; Freund et al. 1997; errata 22, 44.

    >>> model = TreeExperts(("a", 3.5, None, ("b", 2.5, None, None)))
    >>> for k in range(400):
    ...     model.learn_one({"a": k % 7, "b": k % 5}, (k % 7 > 3) and (k % 5 > 2))
    >>> model.predict_one({"a": 5.0, "b": 4.0}) > 0 > model.predict_one({"a": 5.0, "b": 1.0})
    True
    >>> model.pruning().leaves, model.pruning().regret < model.regret_bound().value
    (3, True)
    """

    def __init__(
        self,
        template: Any = None,
        depth: int = 10,
        node: Learner | None = None,
        loss: str | Loss = "logistic",
        features: Features | None = None,
        seed: int = 0,
    ) -> None:
        self.template = None if template is None else template_of(template)
        self.depth, self.seed = whole("depth", depth, 0, 1000), whole("seed", seed, 0, (1 << 64) - 1)
        self.node = node_learner(node, loss)
        inner = None if self.node is None else self.node._rule
        rule = (
            grown_rule(self.depth, self.seed, inner)
            if self.template is None
            else given_rule(self.template, self.node, shares=False)
        )
        super().__init__(rule, loss, features)

    def _best(self, told: dict[str, Any]) -> Pruning:
        return regret.best_pruning(told["L"], tails(told))
