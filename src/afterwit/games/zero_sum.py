"""Zero-sum matrix games."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import regret
from afterwit._core import ZeroSum as CoreZeroSum
from afterwit.errors import DataError
from afterwit.numbers import LARGEST, real_array, whole
from afterwit.regret import Bound

Array = npt.NDArray[np.float64]
#: How many numbers are touched between two looks at the keyboard: some hundredths of a second.
PIECE = 20_000_000


@dataclass(frozen=True)
class ZeroSumSolution:
    """Strategies of both players, and how far they are from the best.

    Whoever plays `row` gets at least `low` on average, whatever the column; whoever plays `column` loses at most
    `high`. The value of the game lies between them; `value` is in the middle, `gap` is high - low. `gaps` are those of
    the strategies after each round, and `bound` is what the theorem says of the last.
    """

    row: Array
    column: Array
    value: float
    low: float
    high: float
    gap: float
    rounds: int
    bound: Bound
    gaps: Array = field(repr=False)


def solve_zero_sum(
    matrix: Any,
    tolerance: float = 1e-3,
    rounds: int | None = None,
    watch: Callable[[int, float], None] | None = None,
) -> ZeroSumSolution:
    """The strategies of a game in which the row player gets matrix[i, j] from the column player.

    Two players learn against each other: follow the regularised leader that looks one step ahead, and mirror descent,
    both with entropy; their mean strategies are the answer. They stop at a gap of `tolerance` times the range of the
    matrix, or after `rounds` rounds. `watch(rounds, gap)` is called now and then.

    Guarantee: gap <= (max - min) sqrt(ln m ln n)/T after T rounds on m rows and n columns, for every T. Cost: every
    entry twice a round, less where strategies have zeros.
    References: Hanashiro, Abernethy 2020, section 4, Theorems 1 to 3; errata 49.

    >>> game = solve_zero_sum([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # rock, paper, scissors
    >>> game.row.round(2), abs(game.value) < 0.01
    (array([0.33, 0.33, 0.33]), True)
    """
    A = real_array("matrix", matrix)
    if A.ndim != 2 or A.size == 0:
        raise DataError(f"matrix has the shape {A.shape}, expected one or more rows and columns")
    if not np.isfinite(A).all() or np.abs(A).max() > LARGEST:
        i, j = np.argwhere(~(np.abs(A) <= LARGEST))[0]
        raise DataError(f"matrix[{i}, {j}] is `{A[i, j]:g}`, expected a finite number up to {LARGEST:g}")
    if not (isinstance(tolerance, (int, float)) and 0.0 <= tolerance < math.inf):
        raise ValueError(f"tolerance is `{tolerance!r}`, expected a number, 0 or more")
    if rounds is None and tolerance == 0.0:
        raise ValueError("tolerance is 0, which takes for ever; give the rounds")
    m, n = A.shape
    middle, span = float(A.max() + A.min()) / 2.0, float(A.max() - A.min())
    enough = math.floor(math.sqrt(math.log(m) * math.log(n)) / tolerance) + 1 if tolerance else 1
    most = enough if rounds is None else whole("rounds", rounds, 1, 1 << 53)
    if m == 1 or n == 1 or span == 0.0:  # without a choice on one side the other's best answer is a single one
        return _told(A, _single(A.min(axis=1)), _single(-A.max(axis=0)), np.zeros(1))
    game = CoreZeroSum(np.ascontiguousarray((A - middle) / span))
    game.advance(1, PIECE, -1.0)
    while game.rounds < most and game.gap > tolerance:
        game.advance(most, PIECE, tolerance)
        if watch is not None:
            watch(game.rounds, game.gap * span)
    return _told(A, game.mean_row(), game.mean_column(), game.gaps() * span)


def _told(A: Array, row: Array, column: Array, gaps: Array) -> ZeroSumSolution:
    low, high = float((row @ A).min()), float((A @ column).max())
    bound = regret.zero_sum_gap(float(A.max() - A.min()), A.shape[0], A.shape[1], len(gaps))
    return ZeroSumSolution(
        row=row,
        column=column,
        value=(low + high) / 2.0,
        low=low,
        high=high,
        gap=max(high - low, 0.0),
        rounds=len(gaps),
        bound=Bound(bound, "Hanashiro, Abernethy 2020, Theorem 3, errata 49"),
        gaps=gaps,
    )


def _single(payoff: Array) -> Array:
    chosen = np.zeros(len(payoff))
    chosen[int(np.argmax(payoff))] = 1.0
    return chosen
