"""Reading beside learning: a stream's batches are made in a thread of their own, a few ahead of who uses them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from afterwit.protocols import NOTHING, Batch, Labels, Position, Stream, Wants

T = TypeVar("T")
#: How long a thread that was told to stop is waited for. One that still reads from a silent pipe cannot be woken; it is
#: a daemon, is left behind, and ends with its read or with the process.
PATIENCE = 0.3


@contextmanager
def batches_of(
    stream: Stream, labels: Labels, *, wants: Wants = NOTHING, start: Position | None = None
) -> Iterator[Iterator[Batch]]:
    """The batches of a stream, read ahead where it parses (`parses = True`), and closed at the end of the block.

    A stream that runs the user's own code is read in the user's own thread.
    """
    batches = stream.batches(labels, wants=wants, start=start)
    if getattr(stream, "parses", False):
        batches = ahead(batches)
    try:
        yield batches
    finally:
        _close(batches)


def ahead(batches: Iterator[T], depth: int = 1) -> Iterator[T]:
    """The same items in the same order, made in one background thread, at most `depth` before they are asked for.

    An error is raised at its place in the order. When the consumer stops early, the thread closes the iterator.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    if depth < 1:
        raise ValueError(f"depth is {depth}, expected 1 or more")
    return _taken(_Line(depth), batches)


class _Line:
    """Finished items in order, at most `depth`; told to stop, the maker ends."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.items: deque[Any] = deque()
        self.error: BaseException | None = None
        self.ended = self.stopped = False
        self.changed = threading.Condition()

    def fill(self, batches: Iterator[Any]) -> None:
        """Runs in the thread."""
        try:
            try:
                for item in batches:
                    if not self._put(item):
                        break
                    del item  # the consumer alone decides how long it lives
            finally:
                _close(batches)
        except BaseException as error:
            self.error = error
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def _put(self, item: Any) -> bool:
        with self.changed:
            self.changed.wait_for(lambda: self.stopped or len(self.items) < self.depth)
            if not self.stopped:
                self.items.append(item)
                self.changed.notify_all()
            return not self.stopped

    def take(self) -> Any:
        """The next item; StopIteration or the maker's error at the end. Ctrl-C ends the wait."""
        with self.changed:
            self.changed.wait_for(lambda: bool(self.items) or self.ended)
            if self.items:
                item = self.items.popleft()
                self.changed.notify_all()
                return item
        if self.error is not None:
            raise self.error
        raise StopIteration

    def stop(self) -> None:
        with self.changed:
            self.stopped = True
            self.items.clear()
            self.changed.notify_all()


def _taken(line: _Line, batches: Iterator[T]) -> Iterator[T]:
    thread = threading.Thread(target=line.fill, args=(batches,), name="afterwit-ahead", daemon=True)
    try:
        thread.start()
        while True:
            try:
                item = line.take()
            except StopIteration:
                return
            yield item
            del item
    finally:
        line.stop()
        if thread.ident is not None:
            thread.join(PATIENCE)


def _close(batches: Any) -> None:
    close = getattr(batches, "close", None)
    if close is not None:
        close()
