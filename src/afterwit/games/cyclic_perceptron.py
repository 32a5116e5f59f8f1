"""The Perceptron, pass after pass over the same points."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from afterwit import regret
from afterwit._core import CyclicPerceptronPasses
from afterwit.games.points import LabelledPoints

Array = npt.NDArray[np.float64]


class CyclicPerceptron:
    """Visits the points in their order and adds y_i x_i to w at each mistake, until one pass has none.

    A round is a mistake. `linear.Perceptron` is the same rule on a stream.

    Guarantee: at most (r/gamma)^2 mistakes where some w of length 1 has y_i w . x_i >= gamma for all points, r the
    length of the longest. Cost: a visit of every point per pass. References: Sharan lecture 19, Theorem 4, Eq. (2);
    errata 3, 47, 48.

    >>> from afterwit.games.points import points_of
    >>> passes = CyclicPerceptron(points_of(np.array([[1.0, 0.0], [1.0, 1.0]]), [1, -1]))
    >>> passes.advance(100)
    True
    >>> passes.rounds, passes.found()
    (5, ('last', array([ 1., -2.])))
    """

    def __init__(self, points: LabelledPoints) -> None:
        self._native, self._points = CyclicPerceptronPasses(points.native), points

    def advance(self, rounds: int, numbers: int = 1 << 62) -> bool:
        """Goes on until it would make more than `rounds` mistakes, touched about so many numbers, or a pass has none.

        False in the first case.
        """
        return self._native.advance(rounds, numbers)

    @property
    def rounds(self) -> int:
        """How many mistakes there were."""
        return self._native.rounds

    @property
    def visits(self) -> int:
        """How many points were looked at, the last pass included."""
        return self._native.visits

    @property
    def operations(self) -> int:
        """Inner products and sums of vectors so far: visits and mistakes (errata 48)."""
        return int(self._native.operations)

    @property
    def margin_at_most(self) -> float:
        """No w of length 1 has a larger margin: |w|/M after M mistakes, which is at most r/sqrt(M)."""
        by_theorem = self._points.longest / math.sqrt(self.rounds) if self.rounds else math.inf
        return min(self._native.margin_at_most, by_theorem)

    def found(self) -> tuple[str, Array] | None:
        """What separates the points, if a pass had no mistake."""
        return ("last", self._native.last()) if self._native.separates else None

    @staticmethod
    def rounds_at_most(points: LabelledPoints, margin: float) -> int:
        """By the theorem, for points of this margin."""
        return math.floor(regret.perceptron_separable(points.longest, margin))
