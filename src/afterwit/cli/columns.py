"""Tables of words and numbers, in columns."""

from __future__ import annotations

import math
from collections.abc import Sequence


def column(heading: str, cells: Sequence[str | float | None], right: bool = False) -> list[str]:
    """A heading and its cells, all of one width: words to the left, numbers to the right, with as many decimals each.

    >>> column("loss", [1234.5678, None, 0.25])
    ['    loss', '1,234.57', '        ', '    0.25']
    """
    numbers = [cell for cell in cells if isinstance(cell, (int, float))]
    largest = max((abs(cell) for cell in numbers if math.isfinite(cell)), default=0.0)
    decimals = min(max(5 - math.floor(math.log10(largest)), 0), 9) if largest > 0.0 else 0
    words = [
        heading,
        *("" if cell is None else cell if isinstance(cell, str) else f"{cell:,.{decimals}f}" for cell in cells),
    ]
    width = max(map(len, words))
    return [f"{word:>{width}}" if numbers or right else f"{word:<{width}}" for word in words]


def aligned(columns: Sequence[Sequence[str]]) -> str:
    """The columns side by side, without those that are empty.

    >>> print(aligned([column("who", ["a", "bc"]), column("n", [1, 20])]))
    who        n
    a     1.0000
    bc   20.0000
    """
    return "\n".join("  ".join(line).rstrip() for line in zip(*filter(_says_something, columns), strict=True))


def _says_something(column: Sequence[str]) -> bool:
    return any(word.strip() for word in column)
