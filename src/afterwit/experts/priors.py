"""A prior over experts: one weight each, in any unit, by position or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit.errors import quoted
from afterwit.experts.roster import Roster, name_of, numbers

Array = npt.NDArray[np.float64]
Prior: TypeAlias = Mapping[str, float] | Sequence[float] | Array | None


class Priors:
    """The weights, scaled so that the largest is 1: the play does not depend on their unit. None is 1 for everybody."""

    def __init__(self, prior: Any) -> None:
        self._names: dict[str, int] | None = None
        self._q: Array | None = None
        if prior is None:
            return
        if isinstance(prior, Mapping):
            self._names = {name_of(name): i for i, name in enumerate(prior)}
            prior = list(prior.values())
        q = numbers(prior, "prior", (None,))
        wrong = ~((q >= 0.0) & (q < np.inf))
        if wrong.any():
            i = int(np.argmax(wrong))
            raise ValueError(f"prior[{i}] is `{q[i]:g}`, expected a finite number, 0 or more")
        if not q.any():
            raise ValueError("prior has no entry above 0, expected at least one")
        self._q = q / q.max()

    def agreed(self, roster: Roster) -> Roster:
        """The experts, from what the constructor was given and from the prior."""
        if self._q is None:
            return roster
        if roster.size is None:
            return Roster(len(self._q), self._names)
        self.of(roster, 0)
        return roster

    def of(self, roster: Roster, start: int) -> Array:
        """The weights of the experts from number `start` on."""
        size = roster.size or 0
        if self._q is None:
            return np.ones(size - start)
        if self._names is None:
            if roster.named:
                raise TypeError("prior is an array, but the experts have names; give the prior by name")
            if size != len(self._q):
                raise ValueError(f"prior has {len(self._q)} entries, expected {size} (one per expert)")
            return self._q[start:]
        if not roster.named:
            raise TypeError("prior is a mapping, but the experts have no names; give the prior as an array")
        names = roster.names_from(start)
        for name in names:
            if name not in self._names:
                raise ValueError(f"{quoted(name)} has no entry in the prior; give it one, or leave the prior out")
        return self._q[[self._names[name] for name in names]]
