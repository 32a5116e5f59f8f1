"""How many features of a stream share a slot of a model's table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from afterwit._core import CollisionCounter
from afterwit.errors import DataError
from afterwit.features import Features
from afterwit.learning.sources import stream_of
from afterwit.protocols import Labels
from afterwit.streams.ahead import batches_of

SHOWN = 5  # slots, and names in each


@dataclass(frozen=True)
class Collisions:
    """What `collisions` counted.

    `features` are the distinct features of `rows` rows, as the model sees them, without the intercept; they fall into
    `slots` slots, and `shared` of them are not alone there. They occur `occurrences` times, `shared_occurrences` of
    these as a feature that is not alone: the share that counts, for a name met once does little harm. `worst` names
    features that share a slot, in up to five slots: those where the most occurrences are not of the most frequent.
    """

    rows: int
    features: int
    slots: int
    shared: int
    occurrences: int
    shared_occurrences: int
    worst: tuple[tuple[str, ...], ...]

    @property
    def shared_rate(self) -> float:
        """The part of the features that share a slot."""
        return self.shared / self.features if self.features else 0.0

    @property
    def shared_occurrence_rate(self) -> float:
        """The part of all occurrences that is of features that share a slot."""
        return self.shared_occurrences / self.occurrences if self.occurrences else 0.0


def collisions(model: Any, source: Any, *, target: str | None = None) -> Collisions:
    """Counts the features that share a slot of the table of `model`, a learner or its `Features`.

    `source` is a stream, or what `learn` takes, of which no label is looked at: `target` is the column that is none.

    The features are those that the model would see, after interactions, runs of words, `keep` and `ignore`; a value of
    zero is none. Exact names never collide. Of d hashed features about d (1 - e^(-d / 2^bits)) share a slot: if that is
    many, take more `bits`. Learns nothing. Memory grows with the number of distinct features and their names.

    >>> rows = [({"city": city}, 1) for city in ("Rome", "Oslo", "Bern", "Rome")]
    >>> found = collisions(Features(bits=1), rows)
    >>> found.features, found.slots, found.shared, found.shared_occurrences, found.worst
    (3, 2, 2, 3, (('city=Rome', 'city=Bern'),))
    """
    features = model if isinstance(model, Features) else getattr(model, "features", None)
    if not isinstance(features, Features):
        raise TypeError(f"`{type(model).__name__}` has no features; give a linear learner, or a `Features`")
    # A stream was told what is a feature: an id of it is none, also where the model was taught it as one.
    stream = stream_of(source, [] if hasattr(source, "batches") else [model], target=target)
    counter = CollisionCounter(features.layout())
    rows = 0
    with batches_of(stream, Labels("none"), wants=replace(features.wants, names=True)) as batches:
        for batch in batches:
            try:
                counter.add(batch.keys, batch.values, batch.starts, batch.names, batch.groups)
            except ValueError as error:
                place = f"{stream.description}, rows {rows + 1} to {rows + len(batch)}"
                raise DataError(str(error), source=place) from error
            rows += len(batch)
    return Collisions(rows=rows, **counter.counts(SHOWN))
