"""What a person sees while a stream is learned: a row at every power of two, and how fast it goes. Silent in a pipe."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from afterwit.learning.report import Point

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live


class Screen:
    """A live table on the terminal, by way of standard error; nothing where that is not a terminal."""

    def __init__(self, description: str) -> None:
        self._description = description
        self._live: Live | None = None
        self._began = time.monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Screen:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), auto_refresh=False)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, rows: int, curve: Any, *, last: bool = False) -> None:
        """Draws the curve (a function that returns its points), at most ten times a second."""
        now = time.monotonic()
        if self._live is None or (now - self._drawn < 0.1 and not last):
            return
        self._drawn = now
        self._live.update(self._table(rows, curve(), now - self._began), refresh=True)

    def _table(self, rows: int, curve: list[Point], seconds: float) -> Group:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False)
        for heading in ("rows", "mean loss", "since last", "error rate"):
            table.add_column(heading, justify="right")
        for point in curve:
            error = "" if point.error_rate is None else f"{point.error_rate:.2%}"
            table.add_row(f"{point.rows:,}", f"{point.mean_loss:.6f}", f"{point.recent_mean_loss:.6f}", error)
        speed = f"{rows / seconds:,.0f} rows/s" if seconds > 0 else ""
        return Group(Text(self._description), table, Text(f"{rows:,} rows  {speed}", style="dim"))
