"""How a model turns feature names and indices into slots of its weight table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from afterwit._core import CellRules, Layout, group_of_name
from afterwit.protocols import Wants
from afterwit.registry import register


@register("features")
@dataclass(frozen=True)
class Features:
    """Names and indices to slots; a part of the model, so that a model learned from a file also serves dicts.

    With `names="hashed"` a feature goes to one of 2^bits slots by its hash (`seed` chooses the hash; with seed 0 the
    index k < 2^bits has slot k). With `names="exact"` every name has a slot of its own and the names are kept;
    `bits` and `seed` then play no part. `intercept` adds a constant feature, which never shares its slot.

    A feature's group is its namespace, or its column in a table or a flat dict; features of svmlight and arrays are in
    the group without a name. `interactions` such as `carrier*hour` or `user*item*hour` add the products of features of
    two or three groups (`*` alone: of all pairs of features without a group). Only the groups in `keep` are looked at,
    if there are any, and none of those in `ignore`. A column in `text` is split into words, features `column^word`;
    with `subject:2` also runs of two. In the columns `dates` text is a date (ISO 8601), in the columns `categorical`
    numbers are words: `zip=10001`. docs/features.md says what every kind of cell becomes, by the newest of the `rules`.

    >>> Features(bits=20, interactions=["carrier*hour"]).interactions
    ('carrier*hour',)
    """

    bits: int = 18
    seed: int = 0
    names: str = "hashed"
    intercept: bool = True
    interactions: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    rules: int = 2

    #: What a file says that was written before there was such a setting.
    UNSAID: ClassVar[dict[str, Any]] = {"rules": 1}

    def __post_init__(self) -> None:
        if self.names not in ("hashed", "exact"):
            raise ValueError(f"names is `{self.names}`, expected `hashed` or `exact`")
        if not isinstance(self.bits, int) or not 1 <= self.bits <= 30:
            raise ValueError(f"bits is `{self.bits}`, expected a whole number from 1 to 30")
        if not isinstance(self.seed, int) or not 0 <= self.seed < 2**64:
            raise ValueError(f"seed is `{self.seed}`, expected a whole number from 0 to 2^64 - 1")
        if self.rules not in (1, 2) or isinstance(self.rules, bool):
            raise ValueError(f"rules is `{self.rules}`, expected 1 or 2")
        for field in ("interactions", "keep", "ignore", "text", "dates", "categorical"):
            object.__setattr__(self, field, _strings(field, getattr(self, field)))
        for words in self.interactions:
            if words.count("*") not in (1, 2):
                raise ValueError(f"interactions has `{words}`, expected two or three groups, as in `carrier*hour`")
        if self.rules == 1 and (self.dates or self.categorical):
            raise ValueError("dates and categorical go with rules=2; a model of rules 1 does not know them")
        uses = [*self.text_columns, *self.dates, *self.categorical]
        if twice := [column for column in uses if uses.count(column) > 1]:
            raise ValueError(f"`{twice[0]}` is named twice among text, dates and categorical, expected once")

    @property
    def exact(self) -> bool:
        """Whether names are kept."""
        return self.names == "exact"

    @property
    def text_columns(self) -> dict[str, int]:
        """The columns that are split into words, and the longest run of words to make a feature of.

        >>> Features(text=["subject:2", "body"]).text_columns
        {'subject': 2, 'body': 1}
        """
        columns = {}
        for words in self.text:
            column, colon, longest = words.rpartition(":")
            if not colon:
                columns[words] = 1
            elif longest.isascii() and longest.isdigit() and 1 <= int(longest) <= 8:
                columns[column] = int(longest)
            else:
                raise ValueError(f"text has `{words}`, expected `column` or `column:n`, with n from 1 to 8")
        return columns

    @property
    def wants(self) -> Wants:
        """What a stream must tell of the features."""
        columns = self.text_columns
        groups = bool(self.interactions or self.keep or self.ignore) or any(n > 1 for n in columns.values())
        return Wants(
            self.exact,
            groups,
            tuple(columns),
            packed=not self.exact and not groups,
            dates=self.dates,
            categorical=self.categorical,
            keep=self.keep,
            ignore=self.ignore,
            rules=self.rules,
        )

    def layout(self) -> Layout:
        """The same for the core."""
        return Layout(
            self.bits,
            self.seed,
            self.exact,
            self.intercept,
            [[group(name) for name in words.split("*")] for words in self.interactions],
            {group(column): longest for column, longest in self.text_columns.items() if longest > 1},
            cell_rules(self.wants),
        )

    def __repr__(self) -> str:
        """As it would be constructed, without the defaults."""
        defaults = Features.__dataclass_fields__
        given = {name: getattr(self, name) for name in defaults if getattr(self, name) != defaults[name].default}
        return f"Features({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """As it was pickled, perhaps before there were all of its settings."""
        vars(self).update({"dates": (), "categorical": ()} | self.UNSAID | kept)


def group(name: str) -> int:
    """The hash of a group; 0 is that of what has no name.

    >>> group("")
    0
    """
    return group_of_name(name) if name else 0


def cell_rules(wants: Wants) -> CellRules:
    """How cells become features, for the core."""
    kept, ignored = ([group(name) for name in names] for names in (wants.keep, wants.ignore))
    return CellRules(wants.text, wants.dates, wants.categorical, kept, ignored, wants.rules)


def _strings(field: str, value: Any) -> tuple[str, ...]:
    names = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (None,)
    if not all(isinstance(each, str) for each in names):
        raise ValueError(f"{field} is `{value!r}`, expected a list of names")
    return names
