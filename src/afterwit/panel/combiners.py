"""How one prediction is made out of those of a panel's members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from afterwit._core import mixing, sharing, stacking
from afterwit.experts import AdaNormalHedge
from afterwit.experts.player import Player
from afterwit.numbers import positive
from afterwit.registry import register


@register("mixing")
class Mixing:
    """The mean of the members' predictions, weighed by a player who learns their losses.

    The losses are squared: of probabilities, which is the Brier score, or of numbers in units of the range of the
    labels so far. Importance multiplies them. A player with a bound carries the panel's guarantee.

    >>> Mixing()
    Mixing(AdaNormalHedge())
    """

    def __init__(self, player: Player | None = None) -> None:
        self.player = checked_player(AdaNormalHedge() if player is None else player)

    def native(self, numbers: bool) -> Any:
        """The same for the core. Of numbers the player is told the loss of the mean, which is at most the mean loss."""
        return mixing(self.player._rule, numbers)

    def __repr__(self) -> str:
        return f"Mixing({self.player!r})"


@register("sharing")
@dataclass(frozen=True)
class Sharing:
    """The mean of the members' predictions by Bayes' rule, which after round t gives 1/(t + 1) of the weight to all.

    It is Fixed Share with rate 1 over the members' log losses, probabilities cut to [1e-6, 1 - 1e-6]; of numbers, over
    their squared errors divided by five times the mean of its own, at most 20. The weight of a row is their power.
    """

    def native(self, numbers: bool) -> Any:
        """The same for the core."""
        return sharing()


@register("stacking")
@dataclass(frozen=True)
class Stacking:
    """Newton's steps over the members' margins, or numbers, from their mean on: `OnlineNewton` of few columns.

    `penalty` is how strongly it holds to the mean, by default 10 and for numbers 1. With `walk` a variance grows by
    walk/penalty in each round while it is below 1/penalty, so that it never stops learning. With `deep` it also looks
    at the members of open panels.
    """

    penalty: float | None = None
    walk: float = 0.0
    deep: bool = False

    def __post_init__(self) -> None:
        for name in ("penalty", "walk"):
            value = getattr(self, name)
            if value is not None and not (name == "walk" and value == 0.0):
                object.__setattr__(self, name, positive(name, value))

    def native(self, numbers: bool) -> Any:
        """The same for the core."""
        usual = 1.0 if numbers else 10.0
        return stacking(usual if self.penalty is None else self.penalty, self.walk, self.deep)


Combiner = Mixing | Sharing | Stacking


def usual(numbers: bool) -> tuple[Combiner, ...]:
    """A mixture with a guarantee, one that changes its mind quickly, and two stackers, of which one never settles."""
    return Mixing(), Sharing(), Stacking(), Stacking(penalty=0.1 if numbers else 10.0, walk=1e-4, deep=True)


def checked_player(player: Any) -> Player:
    """The player, if the core knows it and it begins without experts."""
    if not isinstance(player, Player) or player._rule is None:
        raise TypeError(
            f"player is a `{type(player).__name__}`, expected a player of afterwit.experts that is no wrapper"
        )
    if player.experts is not None or getattr(player, "prior", None) is not None or player.loss_range != (0.0, 1.0):
        raise ValueError("a panel tells its player who the experts are and what they lose; give one without settings")
    return player
