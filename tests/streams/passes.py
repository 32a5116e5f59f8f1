"""What must hold of every stream of text: where it goes on, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from afterwit.errors import DataError
from afterwit.protocols import Batch, Labels, Position
from afterwit.streams.text_pass import TextFile

BEGIN = Position()


def joined(batches: Iterable[Batch]) -> tuple[bytes, ...]:
    """All rows as bytes: the same rows give the same, however they are cut into batches."""
    weights = lambda b: np.ones(len(b)) if b.weight is None else b.weight  # noqa: E731
    parts = [(b.keys, b.values, np.diff(b.starts), b.y, weights(b)) for b in batches]
    return tuple(b"".join(part[i].tobytes() for part in parts) for i in range(5))


def error_of(stream: TextFile, labels: Labels, start: Position | None = None) -> DataError:
    with pytest.raises(DataError) as caught:
        list(stream.batches(labels, start=start))
    return caught.value


def goes_on_from_every_position(
    stream: TextFile, labels: Labels, rows: Callable[[Any], Any] = joined, first: Position | None = BEGIN
) -> None:
    """A stream that skips bad lines, in batches of one row; `first` is where it begins."""
    batches = list(stream.batches(labels))
    end = (stream.skipped, list(map(str, stream.bad_lines)))
    for done in range(len(batches) + 1):
        start = batches[done - 1].position if done else first
        resumed = list(stream.batches(labels, start=start))
        assert rows(resumed) == rows(batches[done:])
        assert [(b.position, b.classes) for b in resumed] == [(b.position, b.classes) for b in batches[done:]]
        assert (stream.skipped, list(map(str, stream.bad_lines))) == end


def refuses_wrong_labels(stream: TextFile) -> None:
    for labels, message in [
        (Labels("rank"), "kind is `rank`"),
        (Labels("binary", ("a",)), "expected two"),
        (Labels("classes", (3, "+3")), "expected different names"),
        (Labels("classes", ()), "at least one"),
    ]:
        with pytest.raises(ValueError, match=message):
            stream.batches(labels)
