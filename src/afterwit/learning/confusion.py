"""What came and what was predicted, label by label."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from afterwit.errors import printable
from afterwit.learning.account import Account
from afterwit.protocols import ClassName
from afterwit.shown import aligned, html, together


@dataclass(frozen=True)
class Confusion:
    """The weight of the rows of each class, a line, by the class that was predicted, a column.

    `left_out` is the weight of all other rows: those before which no class was known, and those of classes beyond the
    first 256 that were met, or predicted to be of one.
    """

    classes: list[ClassName]
    counts: list[list[float]]
    left_out: float = 0.0

    def lines(self, most: int = 26) -> list[str]:
        """A table of the `most` classes that came most, by name, and what it leaves out.

        >>> print(Confusion(["ham", "spam"], [[90.0, 2.0], [3.0, 25.0]]))
        came \\ predicted  ham  spam
        ham                90     2
        spam                3    25
        """
        cells, beyond = self._table(most)
        return [*aligned(cells), *beyond]

    def _table(self, most: int = 26) -> tuple[list[list[str]], list[str]]:
        """The headings and cells, and what they leave out."""
        table = np.array(self.counts).reshape(len(self.classes), len(self.classes))
        most_came = np.argsort(-table.sum(axis=1), kind="stable")[:most].tolist()
        shown = sorted(most_came, key=lambda k: (isinstance(self.classes[k], str), self.classes[k]))
        names = [_short(self.classes[k]) for k in shown]
        cells = [["came \\ predicted", *names]]
        cells += [[name, *(f"{table[i, k]:,.6g}" for k in shown)] for i, name in zip(shown, names, strict=True)]
        beyond = self.left_out + float(table.sum() - table[np.ix_(shown, shown)].sum())
        return cells, [f"not shown: rows of weight {beyond:,.6g}"] if beyond > 0.0 else []

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        cells, beyond = self._table()
        return together(html.table(cells), *map(html.text, beyond))


def confusion_of(ledger: Account, classes: Sequence[ClassName] | None) -> Confusion:
    """That of two labels, `classes`, or else of several classes, by the names that the ledger knows."""
    if classes is not None:
        cells = ledger.cells()
        return Confusion(list(classes), [list(cells[:2]), list(cells[2:])])
    counts = ledger.confusion()
    beyond = ledger.totals()["weight"] - math.fsum(counts.ravel())
    return Confusion(list(ledger.codes)[: len(counts)], counts.tolist(), max(beyond, 0.0))


def of_two(ledger: Account) -> dict[str, float | None]:
    """Precision, recall and F1 of the positive one of two labels; None where nobody was, or was said to be."""
    _, false, missed, right = ledger.cells()
    return {
        "precision": _ratio(right, right + false),
        "recall": _ratio(right, right + missed),
        "f1": _ratio(2.0 * right, 2.0 * right + false + missed),
    }


def of_classes(ledger: Account) -> dict[str, float | None]:
    """The plain means over the classes that came or were predicted; a ratio that is undefined counts as 0."""
    tallies = ledger.tallies()
    tallies = tallies[tallies[:, :2].any(axis=1)]
    came, said, right = tallies.T
    parts = {"precision": (right, said), "recall": (right, came), "f1": (2.0 * right, came + said)}
    return {
        name: math.fsum(np.divide(a, b, out=np.zeros_like(a), where=b > 0.0)) / len(tallies) if len(tallies) else None
        for name, (a, b) in parts.items()
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole > 0.0 else None


def _short(name: ClassName) -> str:
    text = printable(str(name))
    return text if len(text) <= 12 else text[:11] + "…"
