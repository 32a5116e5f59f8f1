"""What a learner, a player, a loss and a stream are: shapes only, no behaviour.

A class of your own needs the two methods of `Learner`, nothing else; every other function falls back on them. What a
protocol calls optional is asked of the object itself: nobody looks at what it wraps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, Union, runtime_checkable

import numpy as np
import numpy.typing as npt

#: Plain data: what settings and states are made of, and all that a model file can hold.
Plain: TypeAlias = Union[None, bool, int, float, str, "list[Any]", "dict[str, Any]", "npt.NDArray[Any]"]
#: A row: feature names to numbers (or words, or a nested mapping for a namespace), or a dense vector.
Row: TypeAlias = Union["Mapping[Any, Any]", "npt.NDArray[np.floating[Any]]"]
#: The name of a class in a multiclass stream.
ClassName: TypeAlias = int | str


@runtime_checkable
class Learner(Protocol):
    """Predicts a row, then learns its label.

    Optional, and a wrapper answers for what it wraps:
    `labels`, a `Labels`: which labels it learns from; numbers as they come, if it does not say. Where they are of kind
    "classes", `classes` are their names in the order of the raw predictions. As long as it has not decided, they are of
    kind "auto"; then it has `decide(labels)`, which is told the definite ones before it learns its first row, and from
    then on `labels` are those. Until then it needs neither `loss` nor `classes`.
    `loss`, a loss or its name: what it is reported by; squared loss, if it does not say.
    `wants`, a `Wants`: what it must know of the features; their names, if it does not say.
    `learn_many(batch)` and `predict_many(batch)`: a `Batch` in one call, as its own methods do it row by row; the first
    returns the raw predictions made before each row. Without them it gets rows as dicts by name; labels of kind
    "classes" need them.
    `schema`: a class that has this attribute, None at first, is told there what it was taught (a `Schema`).
    """

    def predict_one(self, x: Any) -> Any:
        """The raw margin or value (for several classes: one per class); changes nothing."""

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
        """Learns one row of importance `weight`."""


@runtime_checkable
class Player(Protocol):
    """Plays a distribution over experts, then sees all their losses."""

    def play(self, confidence: Any = None) -> Any:
        """The weights of the next round: an array, or a dict by name; changes nothing."""

    def update(self, losses: Any, confidence: Any = None) -> None:
        """Learns the losses of one round: an array, or a mapping by name."""


@dataclass(frozen=True)
class Labels:
    """Which labels a stream must deliver, and so which are errors.

    kind "real": any finite number. kind "binary": -1/+1 or 0/1, or the two names in `classes`, delivered as -1.0/+1.0
    (the second name is +1). kind "classes": integers or words, delivered as codes into `Batch.classes`; with `classes`
    given, any other is an error. kind "none": whatever it is, or none at all, delivered as 0.0. kind "auto": the first
    rows decide which of these it is for the whole pass, and `Batch.labels` says so; names in `classes` decide alone.

    `found` says that they were decided so: an error about a later label then tells what the first rows had.
    """

    kind: str
    classes: tuple[ClassName, ...] | None = None
    found: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class Wants:
    """What a model must know of the features beside keys and values.

    `names`: the name of each. `groups`: the group of each: its namespace, or its column in a table or a flat dict (0 in
    svmlight and arrays). `text`: columns whose strings are to be split into words, each a feature `column^word`.
    `packed`: values may come rounded to 32-bit floats, and keys as 32-bit numbers where all of a batch fit. `dates`:
    columns of dates that are written as text. `categorical`: columns whose numbers are words. Only the groups in `keep`
    are looked at, if there are any, and none of those in `ignore`: a column of a table that is not is never read.
    `rules`: by which rules cells become features, 1 or 2 (docs/features.md).
    """

    names: bool = False
    groups: bool = False
    text: tuple[str, ...] = ()
    packed: bool = False
    dates: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: int = 2

    def reads(self, column: str) -> bool:
        """Whether a column of a table is looked at."""
        return column not in self.ignore and (not self.keep or column in self.keep)


@dataclass(frozen=True)
class Position:
    """How far a stream was read: rows delivered, and for text the decompressed bytes, the lines and their CRC-32.

    Of several files, `file` is the one it is in, counted from 0, and bytes and lines are those read of it.
    """

    rows: int = 0
    bytes: int = 0
    lines: int = 0
    skipped: int = 0
    crc: int = 0
    file: int = 0


@dataclass(frozen=True)
class Batch:
    """Consecutive rows of a stream, as feature keys and values: row r is `starts[r]:starts[r + 1]`.

    Keys are uint64 and values float64, or uint32 and float32 where they were wanted packed. A key below 2^32 is the
    numeric name of a feature; `names` and `groups`, where they were wanted, have one entry per key (a group is the hash
    of its name). `labels` are those that were decided on, where the stream was asked for kind "auto". `ids` are what
    comes along with the rows and is no feature of them, where the stream was asked for some: one list of texts each.
    """

    keys: npt.NDArray[Any]
    values: npt.NDArray[Any]
    starts: npt.NDArray[np.int64]
    y: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64] | None = None
    classes: tuple[ClassName, ...] = ()
    names: list[str] | None = None
    position: Position = Position()
    groups: npt.NDArray[np.uint64] | None = None
    labels: Labels | None = None
    ids: tuple[list[str], ...] | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1


#: Keys and values are all that is needed.
NOTHING = Wants()


class Stream(Protocol):
    """Rows that can be read in order, in batches of bounded size.

    Optional: `parses = True` lets its batches be made in a thread of their own, beside learning; `skipped` counts the
    bad lines that a pass left out, and `bad_lines` has the first few as errors; `progress()` is the part of the pass
    that is read, from 0 to 1, or None; `schema`, a `Schema`, is what is known of its columns, all of it once a pass was
    read, and `schema_after(rows)` what so many rows of the pass have told; `like(schema)` is the stream of the same
    rows that takes from a model's what it was not told; `likely_ids` are columns that look like ids, once the first
    batch was read.
    """

    #: What to call the source in reports and errors, e.g. `a9a.svm.gz (svmlight, gzip)`.
    description: str
    #: Whether `batches` can be called again for another pass.
    rereadable: bool

    def batches(self, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None) -> Iterator[Batch]:
        """The rows from `start` on; raises `DataError` at the first bad row (or skips and counts it).

        With a `start` the kind of labels is never "auto": its first rows are behind.
        """
