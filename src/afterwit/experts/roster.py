"""Who the experts are: a number of them, or names in the order in which they came. All that knows names is here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import quoted

Array = npt.NDArray[np.float64]


class Roster:
    """The experts of a player, known from its constructor or from the first round on.

    With names, a row is a mapping: a new name is a new expert, an absent one sleeps. Without, a row is an array.
    """

    def __init__(self, size: int | None = None, names: Iterable[str] | None = None) -> None:
        self.index: dict[str, int] | None = None
        self.size = size
        if names is not None:
            self.index = {}
            for name in names:
                if name_of(name) in self.index:
                    raise ValueError(f"the expert {quoted(name)} is there twice; give every expert a name of its own")
                self.index[name] = len(self.index)
            self.size = len(self.index)

    @property
    def names(self) -> tuple[str, ...] | None:
        return None if self.index is None else tuple(self.index)

    def joined(self, names: Iterable[str]) -> Roster:
        """With these names behind those that are known."""
        return Roster(names=[*(self.index or ()), *names])

    def without(self, name: str) -> Roster:
        return Roster(names=[other for other in self.index or () if other != name])

    def new(self, row: Mapping[Any, Any]) -> list[str]:
        """The names in a row that are not known."""
        if self.index is None and self.size is not None:
            raise TypeError(f"a mapping was given to a player of {self.size} experts without names; give an array")
        known = self.index or {}
        return [name for name in row if name_of(name) not in known]

    def no_names(self, what: str) -> None:
        """Refuses an array where the experts have names."""
        if self.index is not None:
            raise TypeError(f"{what} is not a mapping, but these experts have names; give {what} by name")

    def vector(self, row: Mapping[Any, Any], absent: float, what: str) -> Array:
        """The values of a mapping in the order of the experts."""
        assert self.index is not None
        out = np.full(len(self.index), absent)
        for name, value in row.items():
            if name in self.index:
                out[self.index[name]] = number(name, value, what)
        return out

    def called(self, expert: int) -> str:
        """An expert as an error names it."""
        return quoted(list(self.index)[expert]) if self.index is not None else str(expert)

    def position(self, expert: Any) -> int:
        """The position of an expert that is named, or numbered where there are no names."""
        if self.index is not None:
            if expert not in self.index:
                raise ValueError(f"there is no expert {quoted(str(expert))}; the last one that came is {self._last()}")
            return self.index[expert]
        if isinstance(expert, bool) or not isinstance(expert, (int, np.integer)):
            raise TypeError(f"the expert is `{expert!r}`, expected a whole number: these experts have no names")
        if self.size is None or not 0 <= expert < self.size:
            raise ValueError(f"the expert is `{expert}`, expected a number from 0 to {(self.size or 0) - 1}")
        return int(expert)

    def _last(self) -> str:
        return quoted(next(reversed(self.index))) if self.index else "not there yet"


def name_of(name: Any) -> str:
    """The name of an expert, if it can be one."""
    if type(name) is not str:
        raise TypeError(f"an expert's name is `{name!r}`, expected a string")
    return name


def number(name: str, value: Any, what: str) -> float:
    """The loss or confidence of a named expert."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"the {what} of {quoted(name)} is `{value!r}`, expected a number") from None


def numbers(values: Any, what: str, shape: tuple[int | None, ...]) -> Array:
    """An array of losses or confidences: (experts,) or (rounds, experts); None is any number of them."""
    try:
        out = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} is not an array of numbers ({error})") from None
    per = ("rounds and experts", "per round") if len(shape) == 2 else ("one entry per expert", "")
    if out.ndim != len(shape):
        raise ValueError(f"{what} has {out.ndim} dimensions, expected {len(shape)} ({per[0]})")
    if shape[-1] is not None and out.shape[-1] != shape[-1]:
        unit = "columns" if len(shape) == 2 else "entries"
        raise ValueError(f"{what} has {out.shape[-1]} {unit}, expected {shape[-1]} (one per expert)")
    if shape[0] is not None and out.shape[0] != shape[0]:
        raise ValueError(f"{what} has {out.shape[0]} rows, expected {shape[0]} (one {per[1]})")
    return np.ascontiguousarray(out)
