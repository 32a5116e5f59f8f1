"""Reading beside learning: a stream's batches are made in a thread of their own, while those before are used."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from afterwit.protocols import NOTHING, Batch, Labels, Position, Stream, Wants

T = TypeVar("T")
#: How long a thread that was told to stop is waited for. One that still reads from a silent pipe cannot be woken; it is
#: a daemon, is left behind, and ends with its read or with the process.
PATIENCE = 0.3
_END, _WAITING = object(), object()


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


def ahead(batches: Iterator[T]) -> Iterator[T]:
    """The same items in the same order, made in one background thread: at most two wait while one is used.

    An error is raised at its place in the order. When the consumer stops early, the thread closes the iterator.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    line = _Line()
    thread = threading.Thread(target=line.fill, args=(batches,), name="afterwit-ahead", daemon=True)
    try:
        thread.start()
        while (item := line.take()) is not _END:
            yield item
            del item
    finally:
        line.stop()
        if thread.ident is not None:
            thread.join(PATIENCE)


class _Line:
    """The next items, when they are finished; told to stop, the maker ends.

    Each side waits at a queue, where it is woken once. (At a condition it would be woken twice, for the news and for
    the lock, and to wake a thread costs as much as some twenty rows.) Two orders are open, or each side would wait for
    the other at every item.
    """

    def __init__(self) -> None:
        self.orders: SimpleQueue[bool] = SimpleQueue()
        self.items: SimpleQueue[Any] = SimpleQueue()
        self.error: BaseException | None = None
        self.stopped = False
        for _ in range(2):
            self.orders.put(True)

    def fill(self, batches: Iterator[Any]) -> None:
        """Runs in the thread."""
        try:
            try:
                while self.orders.get() and not self.stopped and (item := next(batches, _END)) is not _END:
                    self.items.put(item)
                    del item  # the consumer alone decides how long it lives
            finally:
                _close(batches)
        except BaseException as error:
            self.error = error
        self.items.put(_END)

    def take(self) -> Any:
        """The next item, the maker's error, or _END. Ctrl-C ends the wait."""
        item = _WAITING
        while item is _WAITING:
            # A signal that comes just before the wait does not end it, and would be seen with the next item alone.
            with suppress(Empty):
                item = self.items.get(timeout=PATIENCE)
        if self.error is not None and item is _END:
            raise self.error
        self.orders.put(True)
        return item

    def stop(self) -> None:
        self.stopped = True
        self.orders.put(False)


def _close(batches: Any) -> None:
    close = getattr(batches, "close", None)
    if close is not None:
        close()
