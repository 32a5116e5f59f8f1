"""Tables as lines of text."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """A line for each row, in columns as wide as their longest cell; the first ones to the left.

    >>> print(*aligned([["", "loss"], ["ham", "0.5"]]), sep="\\n")
         loss
    ham   0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            f"{cell:<{w}}" if i < left else f"{cell:>{w}}" for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
