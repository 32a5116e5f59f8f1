"""What must hold of a bad line, in every format of lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from afterwit._core import Parsed


class BadLine(NamedTuple):
    """A line, what is wrong with it, from which column on, and the token that shows it."""

    kind: str
    classes: tuple[str, ...]
    text: str
    fault: str
    column: int
    token: str


in_every_place = pytest.mark.parametrize("place", ["first", "middle", "last without newline"])
with_every_ending = pytest.mark.parametrize("ending", [b"\n", b"\r\n"])


def is_found_and_left_out(
    bad: BadLine,
    place: str,
    ending: bytes,
    features: str,
    no_row: bytes,
    parse: Callable[[bytes, bool], Parsed],
    content: Callable[[Parsed], Any],
) -> None:
    """Parsing stops before the line, or goes on behind it when `parse(data, skip)` skips."""
    good = f"{bad.classes[0] if bad.classes else 1} {features}".encode() + ending
    line = bad.text.encode("utf-8", "surrogateescape")
    before = b"" if place == "first" else good + no_row + ending + good
    after = b"" if place.startswith("last") else ending + good
    data = before + line + after

    stopped = parse(data, False)
    [found] = stopped.bad_lines
    number = 1 if place == "first" else 4
    assert stopped.stopped
    assert (found.fault.name, found.line, found.column) == (bad.fault, number, bad.column)
    assert data[found.offset : found.offset + found.length] == bad.token.encode("utf-8", "surrogateescape")
    assert content(stopped) == content(parse(before, False))
    assert (stopped.consumed, stopped.lines, stopped.skipped) == (len(before), number - 1, 0)

    skipped = parse(data, True)
    assert content(skipped) == content(parse(before + after, False))
    assert (skipped.consumed, skipped.skipped, len(skipped.bad_lines)) == (len(data), 1, 1)
    assert not skipped.stopped
