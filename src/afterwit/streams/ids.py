"""Columns of ids: they come along with the rows, and are no features of them."""

from __future__ import annotations

from collections.abc import Sequence

from afterwit.errors import DataError, quoted
from afterwit.schema import Schema

#: What has ids, for those that have none.
WHO_HAS_IDS = "a column of CSV or of a table, or a key of JSON, can be one, and the tag of VW text, `tag`"


def check_roles(ids: Sequence[str], target: str | None, weight: object) -> None:
    """Refuses a column that is two things at once."""
    if target is not None and isinstance(weight, str) and target == weight:
        raise DataError(f"target and weight are both {quoted(target)}, expected two columns")
    for place, name in enumerate(ids):
        for what, other in (("target", target), ("weight", weight)):
            if isinstance(other, str) and name == other:
                raise DataError(f"the column {quoted(name)} is both {what} and id; expected two columns")
        if name in ids[:place]:
            raise DataError(f"the id {quoted(name)} is named twice, expected once")


def no_features(taught: Schema, ids: Sequence[str], target: str | None, weight: object) -> tuple[str, ...]:
    """The columns that are ids alone: those of now, but for features that a model was taught, and those of then."""
    features = () if taught.columns is None else taught.columns
    now = [name for name in ids if name not in features]
    return tuple(name for name in dict.fromkeys([*now, *taught.ids]) if name not in (target, weight))


def left_out(taught: Sequence[str], ids: Sequence[str], target: str | None, weight: object) -> tuple[str, ...]:
    """The ids of the tables that a model was taught, where they are nothing else now: they are no features again."""
    return tuple(name for name in taught if name not in (*ids, target, weight))
