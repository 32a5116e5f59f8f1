"""What the tests must know of a linear learner: `specimens/test_NAME.py` says it, the common tests find it there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from afterwit.linear.linear import Linear
from tests import adversaries, specimens
from tests.adversaries import Rows
from tests.linear.formulas import Array
from tests.linear.theorems import Outcome

Settings = Mapping[str, Any]
Break = Callable[[type[Any]], type[Any]]
#: (X, y, h, **settings) -> the predictions before each row, and the weights after the last.
Formula = Callable[..., tuple[Array, Array]]


@dataclass(frozen=True)
class Theorem:
    """A bound and where it is tried.

    `check(rows, make, player=play, **settings)` plays the class `make`, raises BoundBroken where the theorem does not
    hold, and returns how near it came. It is tried against all `adversaries` and, with `any_labels`, against one who
    sees the prediction and on short sequences, there with each of the settings `short`; with `losses` beside its own;
    with importance `weights`, if it allows some.
    """

    check: Callable[..., Outcome]
    #: What breaks -> how, the rows on which it shows, and the settings.
    bites: Mapping[str, tuple[Break, Callable[[], Rows], Settings]]
    #: Name -> rows and settings for which the bound is at most twice what is measured.
    tight: Mapping[str, tuple[Callable[[], Rows], Settings]]
    adversaries: Mapping[str, Callable[[int], Rows]] = field(default_factory=lambda: adversaries.EVERY)
    any_labels: bool = True
    losses: tuple[str, ...] = ()
    short: tuple[Settings, ...] = ({},)
    weights: tuple[float, ...] = ()


@dataclass(frozen=True)
class Specimen:
    """A linear learner: its class, its formula, its theorems, and the settings in which it is tried.

    Settings are the constructor's, without features. Every test that is quick runs over `settings` with each loss of
    `losses`; None is every loss there is, and () says that the learner takes none. Longer tests run over `typical`.
    """

    make: type[Linear]
    settings: tuple[Settings, ...]
    #: A few settings by name, losses included.
    typical: Mapping[str, Settings]
    formula: Formula
    #: Loss -> the settings with which learner and formula are compared.
    formula_at: Callable[[str], list[Settings]]
    losses: tuple[str, ...] | None = None
    #: The settings that are positive numbers.
    numbers: tuple[str, ...] = ()
    #: Settings of the largest and least numbers, losses included.
    extreme: tuple[Settings, ...] = ()
    #: Settings with which rescaling a feature changes no prediction.
    scale_free: tuple[Settings, ...] = ()
    #: Whether a weight shrinks for a value that is larger than ever, so that predictions are not linear there.
    damped: bool = False
    #: Settings with which `regret_bound` has a value, and what that bounds; None where there is no theorem.
    bounded: Settings | None = None
    bounds: str = "regret"
    #: The setting in which steps are proportional to this power; `weight` is the importance of all rows.
    pace: tuple[str, float] = ("rate", 1.0)
    theorems: Mapping[str, Theorem] = field(default_factory=dict)

    def with_losses(self, losses: list[str]) -> list[Settings]:
        """All settings with all of these losses that it takes."""
        if self.losses == ():
            return list(self.settings)
        taken = [loss for loss in losses if self.losses is None or loss in self.losses]
        return [{**settings, "loss": loss} for settings in self.settings for loss in taken]

    def formulas(self, losses: list[str]) -> list[Settings]:
        """All settings with which it is compared with its formula."""
        taken = [loss for loss in losses if not self.losses or loss in self.losses]
        return [settings for loss in (taken if self.losses != () else [""]) for settings in self.formula_at(loss)]


@cache
def every() -> dict[str, Specimen]:
    """Name -> specimen of every linear learner."""
    return specimens.found(import_module("tests.linear.specimens"))


def theorems() -> dict[str, tuple[Specimen, Theorem]]:
    """Name of a theorem -> the learner and its theorem."""
    return {name: (each, theorem) for each in every().values() for name, theorem in each.theorems.items()}


def shown(settings: Settings) -> str:
    """As a test's name shows it."""
    return ", ".join(f"{name} {value}" for name, value in settings.items()) or "as it comes"
