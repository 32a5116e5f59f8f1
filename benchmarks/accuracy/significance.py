"""Whether a difference between two learners on the same rows can be chance.

Rows of a stream are not independent, so a small p is less rare than it looks, most of all where labels come in runs.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.accuracy.predictions import Floats

#: Up to so many rows on which one of two is wrong, all outcomes are counted.
EXACT = 1_000


def mcnemar(only_ours: int, only_theirs: int) -> float:
    """The p-value, two-sided, of rows on which only one is wrong being ours and theirs so unevenly by fair coins.

    Exact for few of them, else the normal approximation with its correction for continuity.
    """
    rows = only_ours + only_theirs
    if rows <= EXACT:
        tail = sum(math.comb(rows, k) for k in range(min(only_ours, only_theirs) + 1))
        return float(min(1.0, 2 * tail / 2**rows))
    return two_sided((abs(only_ours - only_theirs) - 1) / math.sqrt(rows))


def paired(ours: Floats, theirs: Floats) -> float:
    """The p-value, two-sided, of the mean difference of losses over its standard error being normal."""
    difference = ours - theirs
    spread = float(difference.std(ddof=1)) if len(difference) > 1 else 0.0
    if spread == 0.0:
        return 1.0
    return two_sided(abs(float(difference.mean())) * math.sqrt(len(difference)) / spread)


def two_sided(z: float) -> float:
    """How often a normal variable is at least so far from 0."""
    return math.erfc(max(0.0, z) / math.sqrt(2.0))


def p_value(measure: str, ours: Floats, theirs: Floats) -> float:
    """McNemar's test for errors, the paired test for other losses."""
    if measure != "error":
        return paired(ours, theirs)
    return mcnemar(int(np.sum(ours > theirs)), int(np.sum(theirs > ours)))
