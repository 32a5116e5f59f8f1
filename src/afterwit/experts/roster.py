"""Who the experts are: a number of them, or names in the order in which they came. All that knows names is here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from afterwit.errors import quoted
from afterwit.numbers import real, real_array

Array = npt.NDArray[np.float64]
#: How many there are, or their names; None where the first round is to say.
Experts: TypeAlias = int | Sequence[str] | None


class Roster:
    """The experts of a player, known from its constructor or from the first round on.

    With names, a row is a mapping: a new name is a new expert, an absent one sleeps. Without, a row is an array.
    """

    def __init__(self, size: int | None = None, names: Iterable[str] | None = None) -> None:
        self.size = size
        self.named = names is not None
        # Shared with rosters that this one was joined into: the first `size` are its own.
        self._order: list[str] = []
        self._index: dict[str, int] = {}
        for name in names or ():
            if name_of(name) in self._index:
                raise ValueError(f"the expert {quoted(name)} is there twice; give every expert a name of its own")
            self._append(name)
        if self.named:
            self.size = len(self._order)

    def _append(self, name: str) -> None:
        self._index[name] = len(self._order)
        self._order.append(name)

    @property
    def names(self) -> tuple[str, ...] | None:
        return tuple(self.names_from(0)) if self.named else None

    def names_from(self, start: int) -> list[str]:
        """The names of the experts from number `start` on."""
        return self._order[start : self.size]

    def joined(self, names: Sequence[str]) -> Roster:
        """With these names behind those that are known; costs what is new, unless other names were behind before."""
        size = self.size or 0
        out = Roster(names=())
        out._order, out._index, out.size = self._order, self._index, size + len(names)
        if self._order[size : out.size] != names:
            if len(self._order) > size:
                out._order = self._order[:size]
                out._index = dict(zip(out._order, range(size), strict=True))
            for name in names:
                out._append(name)
        return out

    def without(self, name: str) -> Roster:
        return Roster(names=[other for other in self.names_from(0) if other != name])

    def new(self, row: Mapping[Any, Any]) -> list[str]:
        """The names in a row that are not known."""
        if not self.named and self.size is not None:
            raise TypeError(f"a mapping was given to a player of {self.size} experts without names; give an array")
        size, place = self.size or 0, self._index.get
        return [name for name in row if place(name_of(name), size) >= size]

    def no_names(self, what: str) -> None:
        """Refuses an array where the experts have names."""
        if self.named:
            raise TypeError(f"{what} is not a mapping, but these experts have names; give {what} by name")

    def vector(self, row: Mapping[Any, Any], absent: float, what: str) -> Array:
        """The values of a mapping in the order of the experts."""
        size, place = self.size or 0, self._index.get
        out = np.full(size, absent)
        for name, value in row.items():
            if (i := place(name, size)) < size:
                out[i] = number(name, value, what)
        return out

    def called(self, expert: int) -> str:
        """An expert as an error names it."""
        return quoted(self._order[expert]) if self.named else str(expert)

    def position(self, expert: Any) -> int:
        """The position of an expert that is named, or numbered where there are no names."""
        if self.named:
            i, size = self._index.get(expert, -1), self.size or 0
            if not 0 <= i < size:
                raise ValueError(f"there is no expert {quoted(str(expert))}; the last one that came is {self._last()}")
            return i
        if isinstance(expert, bool) or not isinstance(expert, (int, np.integer)):
            raise TypeError(f"the expert is `{expert!r}`, expected a whole number: these experts have no names")
        if self.size is None or not 0 <= expert < self.size:
            raise ValueError(f"the expert is `{expert}`, expected a number from 0 to {(self.size or 0) - 1}")
        return int(expert)

    def _last(self) -> str:
        return quoted(self._order[self.size - 1]) if self.size else "not there yet"


def roster_of(experts: Experts) -> Roster:
    """The experts that a constructor was given, or a state."""
    if experts is None:
        return Roster()
    if isinstance(experts, (int, np.integer)) and not isinstance(experts, bool):
        if experts < 1:
            raise ValueError(f"experts is `{experts}`, expected a number from 1 on, or names")
        return Roster(int(experts))
    if isinstance(experts, str) or not isinstance(experts, Sequence):
        raise TypeError(f"experts is `{experts!r}`, expected how many there are, or a list of their names")
    return Roster(names=[name_of(name) for name in experts])


def name_of(name: Any) -> str:
    """The name of an expert, if it can be one."""
    if type(name) is not str:
        raise TypeError(f"an expert's name is `{name!r}`, expected a string")
    return name


def columns_of(table: Any) -> dict[str, Any]:
    """The columns of a table, of pandas, Polars or PyArrow, whose names are those of experts: each by its name."""
    columns: dict[str, Any] = {}
    for column in table.column_names if hasattr(type(table), "column_names") else table.columns:
        if str(column) in columns:
            raise ValueError(f"two columns are named {quoted(str(column))}; rename or drop one")
        columns[str(column)] = column
    return columns


def number(name: str, value: Any, what: str) -> float:
    """The loss or confidence of a named expert."""
    try:
        return real(value)
    except (TypeError, ValueError):
        raise TypeError(f"the {what} of {quoted(name)} is `{value!r}`, expected a number") from None


def numbers(values: Any, what: str, shape: tuple[int | None, ...]) -> Array:
    """An array of losses or confidences: (experts,) or (rounds, experts); None is any number of them."""
    out = real_array(what, values)
    per = ("rounds and experts", "per round") if len(shape) == 2 else ("one entry per expert", "")
    if out.ndim != len(shape):
        raise ValueError(f"{what} has {out.ndim} dimensions, expected {len(shape)} ({per[0]})")
    if shape[-1] is not None and out.shape[-1] != shape[-1]:
        unit = "columns" if len(shape) == 2 else "entries"
        raise ValueError(f"{what} has {out.shape[-1]} {unit}, expected {shape[-1]} (one per expert)")
    if shape[0] is not None and out.shape[0] != shape[0]:
        raise ValueError(f"{what} has {out.shape[0]} rows, expected {shape[0]} (one {per[1]})")
    return np.ascontiguousarray(out)
