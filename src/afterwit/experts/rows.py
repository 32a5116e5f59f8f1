"""Losses and confidences of any kind, as blocks of rounds over the same experts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat, zip_longest
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from afterwit.experts.roster import Roster, columns_of, numbers

Array = npt.NDArray[np.float64]
#: How many numbers a block of rows from an iterable may have.
BLOCK = 1 << 19
_END = object()


@dataclass(frozen=True)
class Block:
    """Rounds x experts, and who these are; confidence None is 1 for all whose loss is not NaN."""

    roster: Roster
    losses: Array
    confidence: Array | None


class Meets(Protocol):
    """Says who is known after a round by names."""

    def __call__(self, roster: Roster, losses: Mapping[Any, Any], confidence: Mapping[Any, Any] | None) -> Roster: ...


def one_round(losses: Any, confidence: Any, roster: Roster, meets: Meets) -> Block:
    """A block of one round."""
    if isinstance(losses, Mapping):
        if confidence is not None and not isinstance(confidence, Mapping):
            raise TypeError(f"losses is a mapping, confidence a `{type(confidence).__name__}`; give both by name")
        roster = meets(roster, losses, confidence)
        l = roster.vector(losses, np.nan, "loss")
        I = None if confidence is None else roster.vector(confidence, 0.0, "confidence")
    else:
        if isinstance(confidence, Mapping):
            raise TypeError(f"confidence is a mapping, losses a `{type(losses).__name__}`; give both by name")
        roster.no_names("losses")
        l = numbers(losses, "losses", (roster.size,))
        I = None if confidence is None else numbers(confidence, "confidence", (len(l),))
        roster = roster if roster.size is not None else Roster(len(l))
    return Block(roster, l[None], None if I is None else I[None])


def blocks(losses: Any, confidence: Any, roster: Roster, meets: Meets) -> Iterator[Block]:
    """All rounds, in blocks: an array is one, a table too; the rows of an iterable are put together."""
    if hasattr(losses, "columns"):
        yield _table(losses, confidence, roster, meets)
    elif _is_array(losses):
        roster.no_names("losses")
        l = numbers(losses, "losses", (None, roster.size))
        I = None if confidence is None else numbers(confidence, "confidence", l.shape)
        yield Block(roster if roster.size is not None or not len(l) else Roster(l.shape[1]), l, I)
    else:
        yield from _gathered(_rounds(losses, confidence, roster, meets))


def _is_array(losses: Any) -> bool:
    return hasattr(losses, "__array__") or (
        isinstance(losses, (list, tuple)) and len(losses) > 0 and not isinstance(losses[0], Mapping)
    )


def _table(losses: Any, confidence: Any, roster: Roster, meets: Meets) -> Block:
    """A table's columns are the experts, by name; a column that is absent sleeps."""
    names = list(columns_of(losses))
    values = numbers(losses, "losses", (None, len(names)))
    I = None
    if confidence is not None:
        if not hasattr(confidence, "columns") or list(columns_of(confidence)) != names:
            raise TypeError("losses is a table, expected confidence as one with the same columns")
        I = numbers(confidence, "confidence", values.shape)
    ever = dict.fromkeys(names, 0.0)
    roster = meets(roster, ever, None)
    at = [roster.position(name) for name in names]
    if at == list(range(roster.size or 0)):
        return Block(roster, values, I)
    spread = np.full((len(values), roster.size or 0), np.nan)
    spread[:, at] = values
    if I is not None:
        rated = np.zeros(spread.shape)
        rated[:, at] = I
        I = rated
    return Block(roster, spread, I)


def _rounds(losses: Iterable[Any], confidence: Iterable[Any] | None, roster: Roster, meets: Meets) -> Iterator[Block]:
    both = zip(losses, repeat(None)) if confidence is None else zip_longest(losses, confidence, fillvalue=_END)
    for t, (l, I) in enumerate(both):
        if l is _END or I is _END:
            which = "losses" if l is _END else "confidence"
            raise ValueError(f"{which} has {t} rows, expected one more: one per round")
        block = one_round(l, I, roster, meets)
        roster = block.roster
        yield block


def _gathered(rounds: Iterator[Block]) -> Iterator[Block]:
    """Neighbours over the same experts in one block of bounded size."""
    some: list[Block] = []
    for block in rounds:
        full = some and (len(some) + 1) * block.losses.size > BLOCK
        if some and (full or block.roster is not some[0].roster or _rated(block) != _rated(some[0])):
            yield _joined(some)
            some = []
        some.append(block)
    if some:
        yield _joined(some)


def _rated(block: Block) -> bool:
    return block.confidence is not None


def _joined(some: list[Block]) -> Block:
    if len(some) == 1:
        return some[0]
    confidences = [block.confidence for block in some if block.confidence is not None]
    return Block(
        some[0].roster,
        np.concatenate([block.losses for block in some]),
        np.concatenate(confidences) if confidences else None,
    )
