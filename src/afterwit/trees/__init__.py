"""Trees of experts: almost as good as the best pruning of a template tree or graph."""

from afterwit.trees.graph_experts import GraphExperts as GraphExperts
from afterwit.trees.templates import complete as complete
from afterwit.trees.tree_experts import TreeExperts as TreeExperts

__all__ = ["GraphExperts", "TreeExperts", "complete"]
