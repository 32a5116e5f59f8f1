"""`run` of players over 100 experts, against the same rule as a loop in NumPy and compiled by Numba."""

from __future__ import annotations

from functools import partial

from benchmarks.benchmark import Benchmark, Beside, Sizes
from benchmarks.measure import Command, Side, python

RULES = {"hedge": "Hedge", "ada-normal-hedge": "AdaNormalHedge", "normal-hedge-dt": "NormalHedgeDT"}
#: Peer, package, floor and goal.
PEERS = (("a NumPy loop", "numpy", 15.0, 25.0), ("a Numba loop", "numba", 2.5, 3.0))


def _sides(sizes: Sizes, rule: str, peer: str) -> tuple[Side, Side]:
    def command(side: str, times: int) -> Command:
        return python(f"benchmarks.sides.experts_{side}", rule, sizes.experts, times)

    ours, theirs = (Side(command(side, sizes.games), command(side, 0)) for side in ("afterwit", peer))
    return ours, theirs


def _rows(sizes: Sizes) -> int:
    return sizes.experts * sizes.games


EXPERTS = [
    Benchmark(
        "experts",
        f"{name}, 100 experts",
        peer,
        (package,),
        floor,
        goal,
        _rows,
        Beside(partial(_sides, rule=rule, peer=package)),
    )
    for rule, name in RULES.items()
    for peer, package, floor, goal in PEERS
]
