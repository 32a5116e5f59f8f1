"""What a person sees while a stream is learned: a row at every power of two, and how fast it goes. Silent in a pipe."""

from __future__ import annotations

import argparse
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from afterwit.cli.standard import say
from afterwit.errors import printable
from afterwit.learning.report import Point, Report

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live


class Screen:
    """A live table on the terminal, by way of standard error; nothing where that is not a terminal."""

    def __init__(self, description: str) -> None:
        self._description = printable(description)
        self._live: Live | None = None
        self._began = time.monotonic()
        self._drawn = 0.0
        self._first: float | None = None

    def __enter__(self) -> Screen:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), auto_refresh=False)
            try:
                self._live.start()
            except BaseException:  # a signal may come when the cursor is hidden already
                self._live.console.show_cursor()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, rows: int, curve: Any, progress: Any = None, *, last: bool = False) -> None:
        """Draws the curve, at most ten times a second; `curve` and `progress` say where it stands."""
        now = time.monotonic()
        if self._live is None or (now - self._drawn < 0.1 and not last):
            return
        self._drawn = now
        fraction = progress() if progress is not None else None
        self._first = fraction if self._first is None else self._first
        pace = speed(rows, now - self._began, fraction, self._first or 0.0)
        # Above and below them: what it is, the headings, the pace, and the line of the cursor. What is higher than the
        # terminal could not be drawn over.
        fit = max(self._live.console.size.height - 4, 1)
        self._live.update(self._table(curve()[-fit:], pace), refresh=True)

    def say(self, words: str) -> None:
        """Draws one line, at most ten times a second."""
        now = time.monotonic()
        if self._live is None or now - self._drawn < 0.1:
            return
        from rich.text import Text

        self._drawn = now
        self._live.update(Text(words, style="dim"), refresh=True)

    def _table(self, curve: list[Point], pace: str) -> Group:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False)
        windowed = any(point.window_mean_loss is not None for point in curve)
        for heading in ("rows", "mean loss", "since last", *(["window"] if windowed else []), "error rate"):
            table.add_column(heading, justify="right", min_width=11)  # so that no column moves as numbers grow
        for point in curve:
            losses = [point.mean_loss, point.recent_mean_loss, *([point.window_mean_loss] if windowed else [])]
            error = "" if point.error_rate is None else f"{point.error_rate:.2%}"
            table.add_row(f"{point.rows:,}", *("" if loss is None else f"{loss:.6f}" for loss in losses), error)
        lines = (Text(self._description), Text(pace, style="dim"))
        for line in lines:
            line.no_wrap, line.overflow = True, "ellipsis"
        return Group(lines[0], table, lines[1])


def speed(rows: int, seconds: float, fraction: float | None, began_at: float = 0.0) -> str:
    """How far and how fast; with the part that is read, the per cent and the time left.

    >>> speed(3000, 10.0, 0.25)
    '3,000 rows  300 rows/s  25%  0:30 left'
    """
    words = [f"{rows:,} rows", f"{rows / seconds:,.0f} rows/s" if seconds > 0 else ""]
    if fraction is not None:
        words.append(f"{fraction:.0%}")
        if began_at < fraction < 1.0:
            left = round(seconds * (1.0 - fraction) / (fraction - began_at))
            hours, minutes = left // 3600, left // 60 % 60
            words.append((f"{hours}:{minutes:02}" if hours else f"{minutes}") + f":{left % 60:02} left")
    return "  ".join(word for word in words if word)


def show_confusion(args: argparse.Namespace, report: Report) -> None:
    """The table that --confusion asks for."""
    if not args.confusion:
        return
    if report.confusion is None and report.rows:
        say("--confusion is of labels, and these are numbers")
    elif report.confusion is not None and not args.json:
        print(f"\n{report.confusion}")


def show_skipped(stream: Any) -> None:
    """Says on standard error how many bad lines were skipped, and shows the first few."""
    skipped = getattr(stream, "skipped", 0)
    if skipped:
        say(f"skipped {skipped} bad line{'s' if skipped > 1 else ''}")
        for bad in getattr(stream, "bad_lines", []):
            say(f"skipped: {bad}")
