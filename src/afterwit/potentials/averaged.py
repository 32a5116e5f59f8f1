"""The potential that comes of any convex one at the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from afterwit.numbers import whole
from afterwit.potentials.conditions import POSITIONS, check_convex

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Averaged:
    """Phi_T = `final`, and Phi_{t-1}(s) = (Phi_t(s - 1) + Phi_t(s + 1))/2: the mean of Phi_T over T - t fair steps.

    `final` takes an array of positions; it must be convex and never rise. T = `rounds`. Cost: O(T - t) values of it
    for each position. Source: Luo 2016, Algorithm 3, lines 1 to 4, with equality.

    >>> Averaged(lambda s: np.maximum(-s, 0.0), rounds=4).value(np.array([0.0]), 0)  # E|S_4|/2
    array([0.75])
    """

    final: Callable[[Array], Array]
    rounds: int

    def __post_init__(self) -> None:
        whole("rounds", self.rounds, 1, 100_000)
        check_convex(self.final, np.linspace(-float(self.rounds), float(self.rounds), POSITIONS), "Phi_T")

    def value(self, s: Array, t: int) -> Array:
        """Phi_t(s)."""
        left = self.rounds - t
        if left < 0:
            raise ValueError(f"t is {t}, and the game has {self.rounds} rounds")
        steps, chances = _walk(left)
        s = np.asarray(s, dtype=np.float64)
        return np.asarray(np.asarray(self.final(s[..., None] + steps)) @ chances)


@lru_cache(maxsize=256)
def _walk(n: int) -> tuple[Array, Array]:
    """Where n fair steps lead, and how likely."""
    k = np.arange(n + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    chances: Array = np.exp(logs[n] - logs[k] - logs[n - k] - n * np.log(2.0))
    steps = np.arange(-n, n + 1, 2, dtype=np.float64)
    return steps, chances
