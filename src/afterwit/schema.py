"""What a model was taught: the columns of its table, what they were for, and the names of two classes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any

from afterwit.errors import listed, nearest, quoted
from afterwit.protocols import ClassName

#: Of a table whose columns have longer names, all of them together, only `target`, `weight` and `classes` are known.
MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Schema:
    """The columns of the labels, of the importance, and those that were features, in the order in which they were met.

    Those in `sometimes` were not in every table; `ids` came along and were no features. `classes` are the names of two
    labels, the negative one first. What has no columns, or too many, has `columns` None.

    >>> taught = Schema(target="late", columns=("carrier", "hour"))
    >>> print(*taught.unlike(["carrier", "Hour"]), sep="\\n")
    there is no column `hour`, which the model met in every row; did you mean `Hour`?
    the column `Hour` is one that the model never met
    """

    target: str | None = None
    weight: str | None = None
    classes: tuple[ClassName, ...] | None = None
    columns: tuple[str, ...] | None = None
    sometimes: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("target", "weight"):
            if not isinstance(getattr(self, name), str | None):
                raise ValueError(f"{name} is not the name of a column")
        for name, kinds in (("classes", (str, int)), ("columns", (str,)), ("sometimes", (str,)), ("ids", (str,))):
            value = getattr(self, name)
            if isinstance(value, list):
                value = tuple(value)
                object.__setattr__(self, name, value)
            named = isinstance(value, tuple) and all(type(each) in kinds for each in value)
            if not named and (value is not None or name in ("sometimes", "ids")):
                raise ValueError(f"{name} are not names")

    def and_then(self, other: Schema) -> Schema:
        """What is known after a second table: what this one does not say, and all columns."""
        known = replace(
            self,
            target=self.target if other.target is None else other.target,
            weight=self.weight if other.weight is None else other.weight,
            classes=self.classes if other.classes is None else other.classes,
            ids=(*self.ids, *(name for name in other.ids if name not in self.ids)),
        )
        if other.columns is None or (self.columns is None and self != UNKNOWN):
            return known
        if self.columns is None:
            return replace(known, columns=other.columns, sometimes=other.sometimes)
        before, after = set(self.columns), set(other.columns)
        columns = (*self.columns, *(name for name in other.columns if name not in before))
        rare = before ^ after | set(self.sometimes) | set(other.sometimes)
        return replace(known, columns=columns, sometimes=tuple(name for name in columns if name in rare)).bounded()

    def among(self, columns: Sequence[str]) -> Schema:
        """What is known of labels, their importance and ids in a table with these columns, and of nothing else."""
        target, weight = (name if name in columns else None for name in (self.target, self.weight))
        return Schema(target, weight, self.classes, ids=tuple(name for name in self.ids if name in columns))

    def bounded(self) -> Schema:
        """The same, but for the columns where their names are too long."""
        size = sum(len(name.encode("utf-8", "surrogatepass")) for name in self.columns or ())
        return replace(self, columns=None, sometimes=()) if size > MOST_BYTES else self

    def unlike(self, columns: Sequence[str] | None) -> list[str]:
        """What is missing of a table with these columns, and what is new, in sentences.

        Where columns come and go, new ones are nothing to speak of.
        """
        if self.columns is None or columns is None:
            return []
        found, rare, other = set(columns), set(self.sometimes), {self.target, self.weight, *self.ids}
        missing = [name for name in self.columns if name not in found and name not in rare]
        known = {*self.columns, *other}
        new = [] if self.sometimes else [name for name in columns if name not in known]
        sentences = []
        if missing:
            hint = nearest(missing[0], new).rstrip() if len(missing) == 1 else ""
            met = f"there {'is' if len(missing) == 1 else 'are'} no {_named(missing)}, which the model met in every row"
            sentences.append(f"{met}; {hint}" if hint else met)
        if new:
            sentences.append(f"the {_named(new)} {'is one' if len(new) == 1 else 'are some'} that the model never met")
        return sentences

    def to_plain(self) -> dict[str, Any]:
        """As plain data, for a file."""
        found = {name: getattr(self, name) for name in Schema.__dataclass_fields__}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.items()
            if value != getattr(UNKNOWN, name)
        }


#: Nothing is known.
UNKNOWN = Schema()

#: How many rows there were, and their columns: name, first row that had it, how many had it before one that had not.
Met = tuple[int, Sequence[tuple[str, int, int]]]


def met_in(met: Met | None, rows: float, others: Container[str | None] = ()) -> Schema:
    """The columns, but for others, that the first so many rows had, in the order in which they came.

    >>> met_in((9, [("a", 0, 3), ("b", 1, 0), ("c", 7, 0)]), 5)
    Schema(target=None, weight=None, classes=None, columns=('a', 'b'), sometimes=('a', 'b'), ids=())
    """
    count, columns = met or (0, ())
    rows = min(rows, count)
    found = sorted((each for each in columns if each[1] < rows and each[0] not in others), key=lambda each: each[1])
    rare = tuple(name for name, _, unbroken in found if unbroken < rows)
    return Schema(columns=tuple(name for name, *_ in found), sometimes=rare).bounded() if found else UNKNOWN


def known_after(stream: Any, rows: float) -> Schema:
    """What a stream knows of its columns after so many rows of a pass, also where it has read ahead of them."""
    told = getattr(stream, "schema_after", None)
    known = getattr(stream, "schema", None) if told is None else told(rows)
    return known if isinstance(known, Schema) else UNKNOWN


def schema_of(plain: Any) -> Schema:
    """What `to_plain` made; raises at what it did not."""
    if not isinstance(plain, dict) or not plain.keys() <= Schema.__dataclass_fields__.keys():
        raise ValueError("what it was taught is not known")
    return Schema(**plain)


def _named(columns: Sequence[str]) -> str:
    return f"column {quoted(columns[0])}" if len(columns) == 1 else f"columns {listed(columns, 5)}"
