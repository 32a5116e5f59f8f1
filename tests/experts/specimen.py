"""What the tests must know of a player: `specimens/test_NAME.py` says it, the common tests find it there."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from afterwit import registry
from afterwit.experts.player import Player
from tests import specimens
from tests.experts.formulas import Array
from tests.experts.seen import Seen

Settings = Mapping[str, Any]
Make = Callable[..., Any]
NAMES = ["a", "b", "ç", "d"]


@dataclass(frozen=True)
class Formula:
    """The weights of every round in a few lines of NumPy: from losses in [0, 1] and, if experts may sleep, confidences.

    `bites` are the breaks, of `broken.BREAKS`, that change the weights; `rated` says whether it is tried with
    confidences too (at a huge rate the last bit of a sum decides); in `quick` are the games that take no long,
    None if none does, and of each game the first `rounds` are played.
    """

    weights: Callable[..., Array]
    given: Settings = field(default_factory=dict)
    bites: tuple[str, ...] = ("sign", "memory", "rate")
    rated: bool = True
    quick: frozenset[str] | None = None
    rounds: int | None = None


@dataclass(frozen=True)
class Theorem:
    """`check(losses, make)` plays the class `make`, raises BoundBroken, or returns how near it came.

    `bites` are the breaks that it refuses. One that costs more than others is tried for fewer `rounds`, and not `long`.
    """

    check: Callable[[Array, Make], float]
    bites: tuple[str, ...] = ("sign", "memory")
    rounds: int = 2000
    long: bool = True


@dataclass(frozen=True)
class BoundFormula:
    """What `regret_bound` is to say, in units of the range of losses."""

    value: Callable[[Seen], float]
    given: Settings = field(default_factory=dict)


@dataclass(frozen=True)
class Sums:
    """Its weights by the sums s in the unit of the day: L of losses, R of regrets r, and, where there is an `a`, V of
    r^2, eta = min{1/2, sqrt(ln K/(a + V))}, and M of r - eta r^2 (a = 0) or ln(1 + eta r)/eta."""

    weights: Callable[[dict[str, Array]], Array]
    given: Settings = field(default_factory=dict)
    a: float | None = None


@dataclass(frozen=True)
class Specimen:
    """A player: its class, the settings in which all checks are tried, and what has a name under which it is tested."""

    cls: type[Any]
    settings: tuple[Settings, ...]
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    theorems: Mapping[str, Theorem] = field(default_factory=dict)
    bounds: Mapping[str, BoundFormula] = field(default_factory=dict)
    #: How it mixes forecasts whose scale grows.
    sums: Sums | None = None
    #: The regret at which, and below, an expert has exactly no weight.
    lost_at: float | None = None
    #: Whether a run of a million experts takes the memory of a few numbers per expert.
    small: bool = False


@cache
def every() -> dict[str, Specimen]:
    """Name -> specimen of every player."""
    return specimens.found(import_module("tests.experts.specimens"))


def each(part: str) -> dict[str, tuple[Specimen, Any]]:
    """All `formulas`, `theorems` or `bounds`, called by the class and what they are called there: `Hedge, rate`."""
    return {
        ", ".join(filter(None, (specimen.cls.__name__, name))): (specimen, value)
        for specimen in every().values()
        for name, value in getattr(specimen, part).items()
    }


def of_experts(cls: type[Any], given: Settings, experts: int) -> Any:
    """A player that knows from the beginning how many experts there are; if it is given another player, that one."""
    if "experts" in inspect.signature(cls).parameters:
        return cls(**{**given, "experts": experts})
    known = {
        key: of_experts(type(value), registry.settings(value), experts)
        for key, value in given.items()
        if isinstance(value, Player)
    }
    return cls(**{**given, **known})
