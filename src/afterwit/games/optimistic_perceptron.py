"""The Optimistic Perceptron."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from afterwit import regret
from afterwit._core import OptimisticPerceptronGame
from afterwit.games.points import LabelledPoints

Array = npt.NDArray[np.float64]


class OptimisticPerceptron:
    """A game: w_t looks one step ahead, points that it gets wrong get weight, by exp(-sum_s y_i w_s . x_i / r^2).

    w_t = w_{t-1} + 2 x~_{t-1} - x~_{t-2}, x~_t the sum of all y_i x_i by their weights after round t, r the length of
    the longest point. Either w_t or the mean of them all may be the first to separate; the theorem is about the mean.

    Guarantee: where some w of length 1 has y_i w . x_i >= gamma for all n points, the mean separates them within
    floor(r sqrt(2 ln n)/gamma) + 1 rounds (the Perceptron may make (r/gamma)^2 mistakes). Cost: one pass over the
    points per round. References: Hanashiro, Abernethy 2020, Algorithm 1, Theorems 1 to 3; errata 43, 46 to 48.

    >>> from afterwit.games.points import points_of
    >>> game = OptimisticPerceptron(points_of(np.array([[1.0, 0.0], [1.0, 1.0]]), [1, -1]))
    >>> game.advance(100)
    True
    >>> game.mean_round, game.last_round
    (2, 2)
    """

    def __init__(self, points: LabelledPoints) -> None:
        self._native, self._points = OptimisticPerceptronGame(points.native), points

    def advance(self, rounds: int, numbers: int = 1 << 62) -> bool:
        """Goes on until there were `rounds` rounds, about so many numbers were touched, or one more thing separates.

        False in the first case.
        """
        return self._native.advance(rounds, numbers)

    @property
    def rounds(self) -> int:
        """How many there were."""
        return self._native.rounds

    @property
    def operations(self) -> int:
        """Inner products and sums of vectors so far: 2n + 3 a round, and n before the first (errata 48)."""
        return self.operations_of(self.rounds)

    def operations_of(self, rounds: int) -> int:
        """Those until the end of this round."""
        return self._points.size + (2 * self._points.size + 3) * rounds

    @property
    def mean_round(self) -> int:
        """The first round whose mean separates; 0 as long as none does."""
        return self._native.mean_round

    @property
    def last_round(self) -> int:
        """The first round whose own w separates; 0 as long as none does."""
        return self._native.last_round

    @property
    def margin_at_most(self) -> float:
        """No w of length 1 has a larger margin: the weights of the points so far say so, or else the theorem."""
        by_theorem = math.inf
        if not self.mean_round and self.rounds:
            by_theorem = self._points.longest * math.sqrt(2.0 * math.log(self._points.size)) / self.rounds
        return min(self._native.margin_at_most, by_theorem)

    def found(self) -> tuple[str, Array] | None:
        """What separates the points, if the round just played is the first where it does."""
        if self.rounds and self.mean_round == self.rounds:
            return "mean", self._native.sum() / self.rounds
        return ("last", self._native.last()) if self.rounds and self.last_round == self.rounds else None

    @staticmethod
    def rounds_at_most(points: LabelledPoints, margin: float) -> int:
        """By the theorem, for points of this margin."""
        return regret.optimistic_perceptron(points.longest, margin, points.size)
