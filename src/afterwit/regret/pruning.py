"""The best pruning of a tree or graph in hindsight, and what the regret to it can be."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from afterwit.numbers import real_array
from afterwit.regret.checked import at_least_zero, numbers, positive

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Pruning:
    """A pruning with its total loss: `leaves` are the edges that lead to its leaves, those alone that rows took."""

    loss: float
    leaves: tuple[int, ...]


def best_pruning(losses: npt.ArrayLike, parents: npt.ArrayLike) -> Pruning:
    """The pruning of a tree that has lost least; of several, one with the fewest leaves.

    Edge 0 leads to the root, and every other edge e goes out from the node that edge `parents[e]` < e leads to.
    `losses[e]` is what the node behind edge e has lost in all rows that passed it. By dynamic programming from the
    leaves on: O(edges).

    >>> best_pruning([5.0, 3.0, 1.0, 1.0, 0.5], parents=[-1, 0, 0, 1, 1])
    Pruning(loss=2.5, leaves=(2, 3, 4))
    """
    loss = numbers("losses", losses)
    above = _edges("parents", parents, len(loss))
    if len(loss) == 0:
        return Pruning(0.0, ())
    if above[0] != -1 or (above[1:] < 0).any() or (above[1:] >= np.arange(1, len(loss))).any():
        raise ValueError("parents must be -1 for edge 0, and an earlier edge for every other one")
    below = np.zeros(len(loss))  # what the best prunings of the subtrees behind an edge have lost
    inner = np.zeros(len(loss), dtype=bool)
    for e in range(len(loss) - 1, 0, -1):
        goes_on = inner[e] and below[e] < loss[e]
        inner[e] = goes_on
        below[above[e]] += below[e] if goes_on else loss[e]
        inner[above[e]] = True
    inner[0] = inner[0] and below[0] < loss[0]
    open_ = np.zeros(len(loss), dtype=bool)  # whether the node that the edge goes out from is no leaf of the pruning
    open_[0] = True
    for e in range(1, len(loss)):
        open_[e] = open_[above[e]] and inner[above[e]]
    leaves = np.flatnonzero(open_ & ~inner)
    return Pruning(math.fsum(loss[leaves]), tuple(leaves.tolist()))


def best_graph_pruning(losses: npt.ArrayLike, tails: npt.ArrayLike, heads: npt.ArrayLike) -> Pruning:
    """The same for a graph: the cheapest set of inner nodes that has with a node all from which an edge leads there.

    Edge 0 leads to node 0, the root, every other edge e from node `tails[e]` to node `heads[e]`. A pruning is such a
    set, which may be empty; its leaves are the edges that leave it, and what these have lost it has lost. The least of
    all is a minimum cut. Of several the smallest set is taken. O(edges^2 nodes) at worst.

    >>> best_graph_pruning([9.0, 1.0, 4.0, 1.0, 1.0, 9.0], tails=[-1, 0, 0, 1, 1, 2], heads=[0, 1, 2, 3, 2, 4])
    Pruning(loss=5.0, leaves=(1, 2))
    """
    loss = numbers("losses", losses)
    tail, head = _edges("tails", tails, len(loss)), _edges("heads", heads, len(loss))
    if len(loss) == 0:
        return Pruning(0.0, ())
    if tail[0] != -1 or head[0] != 0 or (tail[1:] < 0).any() or (head < 0).any():
        raise ValueError("edge 0 must lead from -1 to node 0, every other one from a node to a node")
    size = int(max(tail.max(initial=0), head.max())) + 1
    inner = np.zeros(size, dtype=bool)
    inner[tail[1:]] = True
    source, sink = size, size + 1
    flow = _Flow(size + 2)
    for e, (u, v) in enumerate(zip(tail.tolist(), head.tolist(), strict=True)):
        flow.add(source if e == 0 else u, v, float(loss[e]), 0.0 if e == 0 else math.inf)
    for v in np.flatnonzero(~inner).tolist():
        flow.add(v, sink, math.inf, 0.0)
    within = flow.cut(source, sink)
    leaves = [e for e in range(len(loss)) if (e == 0 or within[tail[e]]) and not within[head[e]]]
    return Pruning(math.fsum(loss[leaves]), tuple(leaves))


def tree_experts(
    C: npt.ArrayLike, leaves: tuple[int, ...], unit: float = 1.0, first: float | None = None, unlearned: float = 0.0
) -> float:
    """The regret of AdaNormalHedge over the edges of a tree or graph to a pruning.

    sqrt(3 m U sum_{e in S} C_e (ln(N/m) + ln B + 1)) + Z, B = 1 + (3/2N) sum_e (1 + ln((C_e + U)/U_1)), S the m = |S|
    edges to the pruning's leaves, N = len(C) those that rows took, C_e the sum of |r_e|. U = `unit` is at least every
    |r| and U_1 = `first` what it was at first, the same if not said; Z = `unlearned` is the sum over the rows from
    which it was learned of their largest r: nothing, where it was known.
    Source: Luo 2016, section 2.3.4, Theorem 6 with Eq. (2.6); errata 44 (a unit that grows).

    >>> round(tree_experts([4.0, 1.0, 3.0], leaves=(1, 2)), 3)
    8.306
    """
    sums, Z = numbers("C", C), at_least_zero("unlearned", unlearned)
    N, m = len(sums), len(leaves)
    if at_least_zero("unit", unit) == 0.0 or m == 0:
        return Z
    start = positive("first", unit if first is None else first)
    B = 1.0 + 1.5 * float((1.0 + np.log(sums + unit) - math.log(start)).mean())
    C_S = float(sums[list(leaves)].sum())
    return math.sqrt(3.0 * m * unit * C_S * (math.log(N / m) + math.log(B) + 1.0)) + Z


class _Flow:
    """The most that flows from a source to a sink (Dinic's algorithm), and the nodes that then can still be reached."""

    def __init__(self, nodes: int) -> None:
        self.ends: list[int] = []
        self.room: list[float] = []
        self.out: list[list[int]] = [[] for _ in range(nodes)]

    def add(self, u: int, v: int, room: float, back: float) -> None:
        self.out[u].append(len(self.ends))
        self.out[v].append(len(self.ends) + 1)
        self.ends += [v, u]
        self.room += [room, back]

    def cut(self, source: int, sink: int) -> list[bool]:
        """Whether each node is on the source's side of the smallest minimum cut."""
        while (level := self._levels(source))[sink] >= 0:
            next_edge = [0] * len(self.out)
            while self._push(source, sink, level, next_edge):
                pass
        return [at >= 0 for at in level]

    def _levels(self, source: int) -> list[int]:
        level = [-1] * len(self.out)
        level[source], waiting = 0, deque([source])
        while waiting:
            u = waiting.popleft()
            for e in self.out[u]:
                if self.room[e] > 0.0 and level[self.ends[e]] < 0:
                    level[self.ends[e]] = level[u] + 1
                    waiting.append(self.ends[e])
        return level

    def _push(self, source: int, sink: int, level: list[int], next_edge: list[int]) -> bool:
        """Along one more way with room; False where there is none."""
        way: list[int] = []
        u = source
        while u != sink:
            while next_edge[u] < len(self.out[u]):
                e = self.out[u][next_edge[u]]
                if self.room[e] > 0.0 and level[self.ends[e]] == level[u] + 1:
                    break
                next_edge[u] += 1
            else:
                if not way:
                    return False
                u = self.ends[way.pop() ^ 1]
                next_edge[u] += 1
                continue
            way.append(e)
            u = self.ends[e]
        most = min(self.room[e] for e in way)
        for e in way:
            self.room[e] -= most
            self.room[e ^ 1] += most
        return True


def _edges(name: str, values: npt.ArrayLike, size: int) -> npt.NDArray[np.int64]:
    found = real_array(name, values)
    if found.shape != (size,) or not np.isfinite(found).all() or (found != np.floor(found)).any():
        raise ValueError(f"{name} must be {size} whole numbers, one for each edge")
    return found.astype(np.int64)
