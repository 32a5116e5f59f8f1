"""What a learner's theorem is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Evidence:
    """What was met on a stream by a learner that began without weights, and the comparator u it is measured against.

    `rounds` are the rows of weight above 0, and `weighted` says whether any had another weight than 1. `reach` is the
    largest |x|, `gradient` the largest |h loss' x| at the learner's own predictions, `gradient_norms` has for each
    feature the square root of the sum of its squares, and `distance` is the largest |w_t - u|_inf.
    """

    rounds: int
    weighted: bool
    reach: float
    gradient: float
    gradient_norms: npt.NDArray[np.float64]
    distance: float
    regret: float
    mistakes: float | None
    best_loss: float
    norm: float


@dataclass(frozen=True)
class Bound:
    """A theorem's right-hand side, `value`, beside what it bounds, `measured`, which is of the kind `of`.

    Where no theorem applies `value` is None and `source` says why.
    """

    value: float | None
    measured: float | None
    of: str
    source: str

    @staticmethod
    def none(reason: str) -> Bound:
        """No theorem applies."""
        return Bound(None, None, "regret", reason)
