"""What an experiment comes to: tables, what is true of them, and a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Cell: TypeAlias = "int | float | str | None"


@dataclass(frozen=True)
class Table:
    """Rows of numbers and words under their headings.

    >>> print(Table("mistakes", ["n", "mistakes"], [[1, 1], [2, 12345]]))
    mistakes
    n  mistakes
    1         1
    2    12,345
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __str__(self) -> str:
        cells = [list(self.headings), *([_shown(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([self.title, *lines])


@dataclass(frozen=True)
class Claim:
    """A sentence that the source, or its erratum, says of the numbers, and whether it is so."""

    words: str
    holds: bool


@dataclass(frozen=True)
class Outcome:
    """The tables of one experiment; `draw()` makes its figure, which needs matplotlib."""

    source: str
    tables: Sequence[Table]
    claims: Sequence[Claim] = ()
    draw: Callable[[], Any] | None = field(default=None, compare=False)

    def plain(self) -> dict[str, Any]:
        """For JSON: each table as a list of rows by heading."""
        tables = {t.title: [dict(zip(t.headings, row, strict=True)) for row in t.rows] for t in self.tables}
        return {"source": self.source, "tables": tables, "claims": {c.words: c.holds for c in self.claims}}

    def __str__(self) -> str:
        claims = [f"{'true' if claim.holds else 'NOT TRUE'}: {claim.words}" for claim in self.claims]
        return "\n\n".join([self.source, *map(str, self.tables), *(["\n".join(claims)] if claims else [])])


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else f"{cell:,}" if isinstance(cell, int) else f"{cell:.4g}"
