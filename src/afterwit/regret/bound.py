"""A theorem's right-hand side, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bound:
    """At most how much regret there is after what was seen, and the theorem that says so.

    `value` is None where no theorem applies; `reason` then says why.

    >>> Bound(12.5, "Luo 2016, Corollary 1")
    Bound(value=12.5, theorem='Luo 2016, Corollary 1', reason=None)
    """

    value: float | None
    theorem: str | None = None
    reason: str | None = None
