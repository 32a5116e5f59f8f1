"""Rows of forecasts, labels and weights of any kind, checked before anything is learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import quoted
from afterwit.experts.roster import Roster, columns_of, name_of, number, numbers
from afterwit.experts.team import Team
from afterwit.numbers import real, real_array
from afterwit.protocols import Batch

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Forecasts from row number `first` on, rounds x experts; who sleeps has NaN."""

    roster: Roster
    forecasts: Array
    first: int


def rows_of(X: Any, team: Team, learned: Sequence[bool] | None = None) -> Iterator[Rows]:
    """The rows in order, neighbours with the same experts together: an array, a table, or mappings by name.

    A name that is new is a new expert from this row on if the row is `learned`, and otherwise in this row alone.
    """
    if hasattr(X, "columns"):
        yield _table(X, team)
    elif isinstance(X, (list, tuple)) and all(isinstance(x, Mapping) for x in X[:1]):
        yield from _mappings(X, team, learned or [False] * len(X))
    else:
        team.roster.no_names("forecasts")
        F = numbers(X, "forecasts", (None, None))
        yield Rows(_unnamed(team, F), F, 0)


def one_row(x: Any, team: Team) -> Rows:
    """A row alone: a mapping by name, or a vector."""
    if isinstance(x, Mapping):
        x = _named(x)
        roster = team.met(team.roster, x, None)
        return Rows(roster, roster.vector(x, np.nan, "forecast")[None], 0)
    team.roster.no_names("forecasts")
    F = numbers(x, "forecasts", (None,))[None]
    return Rows(_unnamed(team, F), F, 0)


def checked(rows: Rows, low: float, high: float, expected: str) -> None:
    """Refuses a forecast outside [low, high]; a NaN sleeps."""
    F = rows.forecasts
    with np.errstate(invalid="ignore"):
        wrong = (low > F) | (high < F)
    if wrong.any():
        t, i = (int(k) for k in np.argwhere(wrong)[0])
        place = f"forecasts[{rows.first + t}, {rows.roster.called(i)}]"
        raise ValueError(f"{place} is `{F[t, i]:g}`, expected {expected}")


def labels(y: Any, rows: int, low: float, high: float, expected: str) -> Array:
    """One label a row."""
    found = _column(y, rows, "y")
    wrong = ~((found >= low) & (found <= high))
    if wrong.any():
        t = int(np.argmax(wrong))
        raise ValueError(f"y[{t}] is `{found[t]:g}`, expected {expected}")
    return found


def weights(weight: Any, rows: int) -> Array | None:
    """One importance a row, or None where all are 1."""
    if weight is None:
        return None
    found = _column(weight, rows, "weight")
    wrong = ~((found >= 0.0) & (found <= 1e50))
    if wrong.any():
        t = int(np.argmax(wrong))
        raise ValueError(f"weight[{t}] is `{found[t]:g}`, expected a finite number, 0 or more, at most 1e+50")
    return found


def count(X: Any) -> int:
    """How many rows there are; refuses what cannot have rows of forecasts."""
    if isinstance(X, Batch):
        raise TypeError(
            "a stream leaves zeros out, and a zero is a forecast; give an array, a table or dicts of forecasts to the "
            "mixture's own `run`, `learn_many` or `predict_many`, or use `afterwit aggregate`"
        )
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _column(values: Any, rows: int, what: str) -> Array:
    found = real_array(what, values)
    if found.shape != (rows,):
        raise ValueError(f"{what} has the shape {found.shape}, expected ({rows},) (one number per row of forecasts)")
    return np.ascontiguousarray(found)


def _unnamed(team: Team, F: Array) -> Roster:
    roster = team.roster
    if roster.size is None:
        return Roster(F.shape[1]) if len(F) else roster
    if F.shape[1] != roster.size:
        raise ValueError(f"a row has {F.shape[1]} forecasts, expected {roster.size} (one per expert)")
    return roster


def _table(X: Any, team: Team) -> Rows:
    """A table's columns are the experts, by name; one that is absent sleeps."""
    columns = columns_of(X)
    roster = team.met(team.roster, dict.fromkeys(columns, 0.0), None)
    F = np.full((count(X), roster.size or 0), np.nan)
    for name, column in columns.items():
        F[:, roster.position(name)] = _numbers_of(X[column], name)
    return Rows(roster, F, 0)


def _numbers_of(column: Any, name: str) -> Array:
    try:
        return real_array(name, column)
    except ValueError:
        for t, value in enumerate(np.asarray(column, dtype=object).tolist()):
            try:
                real(np.nan if value is None else value)
            except (TypeError, ValueError):
                message = f"forecasts[{t}, {quoted(name)}] is `{value!r}`, expected a number, or NaN for one asleep"
                raise TypeError(message) from None
        return np.array([np.nan if v is None else v for v in np.asarray(column, dtype=object)], dtype=np.float64)


def _named(x: Mapping[Any, Any]) -> dict[str, float]:
    return {name_of(name): number(name, value, "forecast") for name, value in x.items()}


def _mappings(X: Sequence[Any], team: Team, learned: Sequence[bool]) -> Iterator[Rows]:
    known, some, first = team.roster, list[Array](), 0
    for t, x in enumerate(X):
        if not isinstance(x, Mapping):
            raise TypeError(
                f"row {t} is a `{type(x).__name__}`, expected a mapping of names to forecasts as the others"
            )
        x = _named(x)
        roster = team.met(known, x, None)
        if roster is not known and some:
            yield Rows(known, np.array(some), first)
            some = []
        if roster is not known and not learned[t]:
            yield Rows(roster, roster.vector(x, np.nan, "forecast")[None], t)
            continue
        if not some:
            first = t
        known = roster
        some.append(roster.vector(x, np.nan, "forecast"))
    if some or not X:
        yield Rows(known, np.array(some).reshape(len(some), known.size or 0), first)
