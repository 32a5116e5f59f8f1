"""The halving algorithm."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from afterwit import regret
from afterwit._core import HalvingRule
from afterwit.experts.competitors import mixture
from afterwit.experts.player import Player
from afterwit.experts.roster import Experts, Roster, numbers
from afterwit.registry import register
from afterwit.regret import Bound
from afterwit.threads import locked


@register("halving")
class Halving(Player):
    """Halving: all experts that have never erred, alike. For losses 0 and 1, as long as one expert is always right.

    `vote` is the majority of those that are left, +1 in a tie. A round in which all of them err is refused.

    Guarantee: the vote errs at most floor(log2 N) times (`mistake_bound`), and the sum of p.l is at most ln N.
    Cost: O(N) per round. References: Kashima lecture 11, "Halving algorithm" (Littlestone 1988); errata 14, 15.

    >>> player = Halving(experts=3)
    >>> player.vote([+1, -1, -1])
    -1
    >>> player.update([0, 1, 1])
    >>> player.play()
    array([1., 0., 0.])
    """

    #: All losses are 0 or 1, and one expert must have only 0.
    binary: ClassVar[bool] = True

    def __init__(self, experts: Experts = None) -> None:
        super().__init__(HalvingRule(), experts, (0.0, 1.0))

    @locked
    def vote(self, predictions: Any) -> int:
        """The majority of the experts that have never erred, given everybody's prediction: -1 or +1, +1 in a tie."""
        roster = self._roster
        if isinstance(predictions, Mapping):
            roster = self.team.met(roster, predictions, None)
            said = roster.vector(predictions, np.nan, "prediction")
        else:
            roster.no_names("predictions")
            said = numbers(predictions, "predictions", (roster.size,))
            roster = roster if roster.size is not None else Roster(len(said))
        wrong = np.abs(said) != 1.0
        if wrong.any():
            i = int(np.argmax(wrong))
            raise ValueError(f"predictions[{roster.called(i)}] is `{said[i]:g}`, expected -1 or +1")
        p = self.team.joined(self._native, roster).play(None)
        return 1 if float(said[p > 0.0].sum()) >= 0.0 else -1

    @locked
    def mistake_bound(self) -> int:
        """How often `vote` errs at most while one expert is always right: floor(log2 N)."""
        mixture(None, self._roster, np.zeros(self._roster.size or 0))
        return regret.halving(self._roster.size or 1)

    @locked
    def regret_bound(self, competitor: Any = None) -> Bound:
        """The sum of p.l is at most ln N, to experts that have never erred.

        A share f of those that are left errs, and f <= -ln(1 - f), the logarithm of how many times fewer they become.
        """
        errors = self._native.state()["errors"]
        u = mixture(competitor, self._roster, -errors)
        if errors[u > 0.0].any():
            return Bound(None, reason="the competitor has erred, and Halving is for an expert that is always right")
        return Bound(math.log(len(errors)), 'Kashima lecture 11, "Halving algorithm"')

    def _wrong(self, fault: tuple[str, int, int, float], roster: Roster, row: str) -> ValueError:
        what, _, i, value = fault
        if what == "nobody":
            where = f"in round {row.rstrip(', ')} of this run" if row else "in this round"
            return ValueError(
                f"{where} every expert that had never erred errs, so that nobody is left; `Halving` needs one that is "
                "always right, `Hedge` and `AdaNormalHedge` do not"
            )
        if what == "loss":
            return ValueError(f"losses[{row}{roster.called(i)}] is `{value:g}`, expected 0 or 1")
        return super()._wrong(fault, roster, row)
