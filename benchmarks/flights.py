"""`python -m benchmarks.flights --picture docs/flights.png`: the demo's stream, learned by us and by peers.

All read the same rows in order and predict each before they learn it; the error so far is drawn over the year.
River's forest takes ten minutes, and what it said is kept in `build/flights`.
"""

from __future__ import annotations

import argparse
import calendar
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import afterwit as aw
from benchmarks.accuracy import forests, vowpal_wabbit
from benchmarks.accuracy.predictions import Floats, losses_of, of_probability
from benchmarks.accuracy.sets import Rows
from benchmarks.machine import installed

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import flights

Flights = list[tuple[dict[str, Any], int]]
#: The curves begin after so many flights.
FIRST = 4_000
#: What takes long is kept there.
KEPT = Path(__file__).parents[1] / "build" / "flights"
COLOURS = ("tab:blue", "tab:orange", "tab:red", "tab:green")


@dataclass(frozen=True)
class Run:
    """The errors and the log losses of a learner, flight by flight, and the CPU seconds that it took."""

    name: str
    errors: Floats
    log_losses: Floats
    seconds: float

    def line(self) -> str:
        """Its line of the table."""
        return f"{self.name:<47}  {self.errors.mean():.4%}  {self.log_losses.mean():.5f}  {self.seconds:>12.1f}"


def run(name: str, rows: Flights, margins: Any, seconds: float) -> Run:
    """What these margins have lost."""
    losses = losses_of(Rows("binary", None, signs(rows)), margins)
    return Run(name, losses["error"], losses["log loss"], seconds)


def signs(rows: Flights) -> Floats:
    """1.0 where the flight was late, or -1.0."""
    return np.array([2.0 * late - 1.0 for _, late in rows])


def timed(margins: Callable[[], Any]) -> tuple[Any, float]:
    """What it makes, and the CPU seconds."""
    start = process_time()
    return margins(), process_time() - start


def ours(rows: Flights) -> Run:
    """The default learner."""
    X, y = [x for x, _ in rows], [late for _, late in rows]
    return run("afterwit, Auto()", rows, *timed(lambda: aw.Auto().learn_many(X, y)))


def vowpal_wabbits(rows: Flights) -> tuple[Run, Run]:
    """Its default, and of all settings the one with the fewest errors in hindsight."""
    settings, options = vowpal_wabbit.SETTINGS, ["--loss_function", "logistic"]
    default = best = None
    total = 0.0
    for words, (said, seconds) in zip(settings, vowpal_wabbit.runs(_lines(rows), settings, options), strict=True):
        margins = np.nan_to_num(np.array(said.split(), dtype=np.float64), posinf=0.0, neginf=0.0)
        found = run(f"Vowpal Wabbit, hindsight's best of {len(settings)}: {words}", rows, margins, seconds)
        total += seconds
        if words == vowpal_wabbit.DEFAULT:
            default = run("Vowpal Wabbit, default", rows, margins, seconds)
        if best is None or found.errors.mean() < best.errors.mean():
            best = found
    assert default is not None
    assert best is not None
    print(f"all {len(settings)} settings of Vowpal Wabbit took {total:.0f} CPU seconds")
    return default, best


def _lines(rows: Flights) -> Iterator[str]:
    for x, y in rows:
        words = (f"{name}={value}" if isinstance(value, str) else f"{name}:{value}" for name, value in x.items())
        yield f"{2 * y - 1} | {' '.join(words)}\n"


def river(rows: Flights) -> Run:
    """Its adaptive random forest of ten trees, which gets the same dicts."""
    path = KEPT / f"river-{installed('river')}.npz"
    if not path.exists():
        X, y = [x for x, _ in rows], [late for _, late in rows]
        shares, seconds = timed(lambda: forests.shares(forests.forest("ARF", "binary"), X, y))
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, late=shares[:, 1], seconds=seconds)
    with np.load(path) as file:
        return run("River, adaptive random forest", rows, of_probability(file["late"]), float(file["seconds"]))


def commoner(rows: Flights) -> float:
    """The error rate of who always says what was commoner so far."""
    y = signs(rows)
    before = np.concatenate([[0.0], np.cumsum(y)[:-1]])
    return float(np.mean((before >= 0) != (y > 0)))


def draw(runs: list[Run], rows: Flights, path: str) -> None:
    """The share of wrong predictions so far, with each name at the end of its line."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.4, 4.4))
    for one, colour, thick, up in zip(runs, COLOURS, (2.6, 1.8, 1.8, 1.8), (-7, 0, 5, 0), strict=True):
        so_far = 100 * np.cumsum(one.errors) / np.arange(1, len(one.errors) + 1)
        axes.plot(np.arange(FIRST, len(so_far)), so_far[FIRST:], color=colour, linewidth=thick, zorder=thick)
        name, _, which = one.name.partition(", ")
        style = {"color": colour, "va": "center", "weight": "bold" if one is runs[0] else "normal"}
        label, end = f"{name} {so_far[-1]:.1f} %\n{which}", (len(so_far), so_far[-1])
        axes.annotate(label, end, (7, up), textcoords="offset points", **style)
    months = [x["month"] for x, _ in rows]
    axes.set_xticks([months.index(str(month)) for month in range(1, 13)], list(calendar.month_abbr)[1:])
    axes.set_xlim(0, len(rows))
    axes.set_title(f"Late or not? {len(rows):,} flights out of New York in 2013: wrong so far", loc="left")
    axes.yaxis.set_major_formatter("{x:.0f} %")
    axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(path, dpi=130, bbox_inches="tight")
    print(f"picture: {path}")


def main() -> None:
    """Learns the year with each, prints the table and draws the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", metavar="PNG", help="where to draw")
    args = parser.parse_args()
    rows: Flights = list(flights.flights())
    runs = [ours(rows), *vowpal_wabbits(rows), river(rows)]
    print(f"\n{f'{len(rows):,} flights':<47}  {'errors':>8}  log loss  CPU seconds")
    print("\n".join(one.line() for one in runs))
    print(f"{'always the commoner':<47}  {commoner(rows):.4%}")
    if args.picture:
        draw(runs, rows, args.picture)


if __name__ == "__main__":
    main()
