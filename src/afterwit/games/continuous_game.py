"""Convex losses of any kind over a box of few dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.convex import Box
from afterwit.games.drifting_game import ROUNDING, DriftingGame, eps_regret
from afterwit.numbers import whole
from afterwit.potentials.conditions import Potential
from afterwit.regret import Bound

Array = npt.NDArray[np.float64]
#: Points in a coordinate for one, two and three of them.
POINTS = (1000, 60, 16)


class ContinuousGame:
    """Every point of a box is a chip: the player plays the mean of the points by their weights.

    After each round it is told the whole loss, a function of points, convex and in [0, 1] on the box; no gradient is
    needed. The points are the centres of a grid, `points` in each coordinate, so that the box has at most three.

    Guarantee: regret to any point of the box at most R + T k/m for every k = 1, ..., m, m = `points`, where R is the
    eps-regret of the potential at eps = (k/m)^d: of the points so many lie in the box shrunk by k/m towards the best.
    With m = T that is sqrt(2 d T ln T) + 1 for `Exponential` at the best rate, Corollary 2 at eps = T^-d, and 1 more,
    for `Normal`, and about 2 T^((d+1)/(d+2)) for `SquaredNegativePart`. Cost: O(m^d) per round.
    References: Luo 2016, Algorithm 25, Theorem 22; errata 51.

    >>> from afterwit.potentials import Normal
    >>> game = ContinuousGame(Box(low=[0.0], high=[1.0]), Normal(), points=100)
    >>> for _ in range(50):
    ...     game.update(lambda w: np.abs(w[:, 0] - 0.2))
    >>> game.play().round(1)
    array([0.2])
    """

    def __init__(self, domain: Box, potential: Potential, points: int | None = None) -> None:
        if not isinstance(domain, Box) or not 1 <= domain.size <= len(POINTS):
            raise ValueError(
                f"domain is `{domain!r}`, expected a `Box` of one to three coordinates: the grid is of all"
            )
        if getattr(potential, "moves", None) is not None:
            raise ValueError("the moves of points are all numbers from -1 to 1; give a convex potential")
        self.domain, self.potential = domain, potential
        self.points = POINTS[domain.size - 1] if points is None else whole("points", points, 1, 1 << 20)
        if self.points**domain.size > 1 << 24:
            raise ValueError(
                f"points is {points}, which makes {self.points**domain.size:,} in all; expected up to 2^24"
            )
        low, high = np.asarray(domain.low, dtype=np.float64), np.asarray(domain.high, dtype=np.float64)
        centres = (np.arange(self.points) + 0.5) / self.points
        axes = np.meshgrid(*[centres] * domain.size, indexing="ij")
        #: All of them, one in each row.
        self.grid: Array = low + (high - low) * np.stack([axis.ravel() for axis in axes], axis=1)
        self._game = DriftingGame(potential, len(self.grid))

    def play(self) -> Array:
        """The point of the next round; changes nothing."""
        point: Array = self._game.play() @ self.grid
        return point

    def update(self, loss: Callable[[Array], Any]) -> None:
        """Learns the loss of one round: `loss(W)` is that of each row of W, a number from 0 to 1, convex in the row."""
        p, point = self._game.play(), self.play()
        told = np.asarray(loss(np.vstack([self.grid, point])), dtype=np.float64)
        if told.shape != (len(self.grid) + 1,):
            raise ValueError(
                f"the loss makes the shape {told.shape}, expected {len(self.grid) + 1} numbers (one per row)"
            )
        wrong = ~((told >= 0.0) & (told <= 1.0))
        if wrong.any():
            i = int(np.argmax(wrong))
            where = np.vstack([self.grid, point])[i].tolist()
            raise ValueError(f"the loss of {where} is `{told[i]:g}`, expected a number from 0 to 1")
        mean = float(p @ told[:-1])
        if told[-1] > mean + ROUNDING:
            raise ValueError(f"the loss is not convex: {told[-1]:g} at a mean of points whose mean loss is {mean:g}")
        self._game.move(told[:-1] - told[-1])

    @property
    def rounds(self) -> int:
        """How many there were."""
        return self._game.rounds

    def regret_bound(self) -> Bound:
        """At most how much regret there is to any point of the box after T rounds, T as the potential has it."""
        T, m, d = self._game.last or self._game.rounds, self.points, self.domain.size
        shares = np.unique(np.geomspace(1, m, 80).round().astype(int)).tolist()
        found = [(eps_regret(self.potential, T, (k / m) ** d), T * k / m) for k in shares]
        known = [regret + more for regret, more in found if regret is not None]
        if not known:
            return Bound(None, reason="the potential is too large or too small for numbers")
        return Bound(min(*known, float(T)), "Luo 2016, Theorem 22, errata 51")
