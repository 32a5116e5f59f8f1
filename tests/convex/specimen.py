"""What the tests must know of a player over a convex domain: `specimens/test_NAME.py` says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from tests import specimens
from tests.convex.formulas import Array

Make = Callable[..., Any]


@dataclass(frozen=True)
class Formula:
    """The points of every round in a few lines of NumPy, from the losses v . w + (c/2) |w|^2 of all rounds.

    `given(d)` are the settings for d coordinates, `points(V, d, c)` the formula, `curvature` the c. `bites` are the
    breaks, of `broken.BREAKS`, that change the points.
    """

    points: Callable[[Array, float], Array]
    given: Callable[[int], dict[str, Any]]
    bites: tuple[str, ...] = ("sign", "memory", "rate")
    curvature: float = 0.0


@dataclass(frozen=True)
class Theorem:
    """`check(losses, make)` plays the class `make`, raises BoundBroken, or returns how near it came.

    `losses` are those of experts, in [0, 1]; what becomes of them is the theorem's. `bites` are the breaks that it
    refuses. One that costs more than others is tried for fewer `rounds`, and not `long`.
    """

    check: Callable[[Array, Make], float]
    bites: tuple[str, ...] = ("sign", "memory")
    rounds: int = 2000
    long: bool = True


@dataclass(frozen=True)
class BoundFormula:
    """What `regret_bound(u)` is to say after the gradients G at the points W: `value(G, W, u)`; u may be None."""

    value: Callable[[Array, Array, Array | None], float]
    given: Callable[[], dict[str, Any]]
    curvature: float = 0.0


@dataclass(frozen=True)
class Specimen:
    """A player: its class, the settings in which all checks are tried, and what has a name under which it is tested."""

    cls: type[Any]
    settings: tuple[Mapping[str, Any], ...]
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    theorems: Mapping[str, Theorem] = field(default_factory=dict)
    bounds: Mapping[str, BoundFormula] = field(default_factory=dict)


@cache
def every() -> dict[str, Specimen]:
    """Name -> specimen of every player."""
    return specimens.found(import_module("tests.convex.specimens"))


def each(part: str) -> dict[str, tuple[Specimen, Any]]:
    """All `formulas`, `theorems` or `bounds`, called by the class and what they are called there."""
    return {
        ", ".join(filter(None, (specimen.cls.__name__, name))): (specimen, value)
        for specimen in every().values()
        for name, value in getattr(specimen, part).items()
    }
