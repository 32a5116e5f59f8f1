"""Whom a regret is to: an expert, a fraction eps of the best, a distribution over experts, or the best expert."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from afterwit.experts.history import Array
from afterwit.experts.roster import Roster, numbers


def epsilon(competitor: Any, roster: Roster) -> float:
    """The eps whose expert is no worse than the competitor: a fraction is its own, all else is held to the best."""
    if isinstance(competitor, float):
        return _fraction(competitor)
    mixture(competitor, roster, np.zeros(roster.size or 0))
    return 1.0 / (roster.size or 1)


def mixture(competitor: Any, roster: Roster, regrets: Array) -> Array:
    """The competitor as a distribution u; the best experts are those with the largest regrets.

    eps is uniform over the ceil(N eps) best: who has a small regret to it has one to the last of them (errata 37).
    """
    size = roster.size or 0
    u = np.zeros(size)
    if size == 0:
        raise ValueError("the experts are not known before the first round; ask for the bound after it")
    if competitor is None:
        u[int(np.argmax(regrets))] = 1.0
    elif isinstance(competitor, float):
        count = max(1, math.ceil(size * _fraction(competitor) - 1e-9))
        u[np.argsort(-regrets, kind="stable")[:count]] = 1.0 / count
    elif isinstance(competitor, Mapping):
        for name in competitor:
            roster.position(name)
        u = roster.vector(competitor, 0.0, "part of the competitor")
    elif isinstance(competitor, (str, int, np.integer)):
        u[roster.position(competitor)] = 1.0
    else:
        roster.no_names("competitor")
        u = numbers(competitor, "competitor", (size,))
    if not ((u >= 0.0).all() and abs(u.sum() - 1.0) <= 1e-9):
        raise ValueError(
            f"competitor sums to `{u.sum():g}`, expected a distribution: numbers of 0 or more that sum to 1"
        )
    return u


def _fraction(eps: float) -> float:
    if not 0.0 < eps <= 1.0:
        raise ValueError(
            f"competitor is `{eps!r}`, expected a fraction above 0 and at most 1, an expert or a distribution"
        )
    return eps
