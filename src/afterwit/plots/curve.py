"""How a learner went over the rows, the baseline beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from afterwit.learning.report import Point, Report
from afterwit.learning.reports import Reports
from afterwit.panel import Standing
from afterwit.plots import canvas as c
from afterwit.plots.standing import combiners, members

#: A line: what it is, the rows, the values, how it is drawn.
Line = tuple[str, c.Array, c.Array, dict[str, Any]]
BASELINE = {"color": c.MEAN, "linewidth": 1.6, "linestyle": "--"}


def curve(report: Report, axes: Any = None) -> Any:
    """The error rate over the rows, or of numbers the root mean squared error or mean loss, beside the baseline.

    So far, and lately: over the window that was asked for, or else a twentieth of all rows. The beginning may be
    above the picture.

    >>> from afterwit.learning import learn
    >>> from afterwit.linear import AdaGrad
    >>> axes = curve(learn(AdaGrad(), [({"x": k % 3}, int(k % 3 > 0)) for k in range(300)]))
    >>> axes.get_ylabel(), [line.get_label() for line in axes.get_lines()]
    ('error rate (%)', ['baseline', 'so far', 'last 50 rows'])
    """
    what, of, size = _measure(report)
    axes = c.canvas(axes, f"{what[0].upper()}{what[1:]}, each row predicted before it was learned")
    return _drawn(axes, _lines(report, of, size), what, of)


def comparison(reports: Reports, axes: Any = None) -> Any:
    """The curves of several learners on one stream so far, beside the baseline; of many, the eight best.

    >>> from afterwit.learning import compare
    >>> from afterwit.linear import AdaGrad, Perceptron
    >>> rows = [({"x": k % 3}, int(k % 3 > 0)) for k in range(300)]
    >>> axes = comparison(compare({"ours": AdaGrad(), "theirs": Perceptron()}, rows))
    >>> [line.get_label() for line in axes.get_lines()]
    ['baseline', 'ours', 'theirs']
    """
    what, of, size = _measure(next(iter(reports.values())))
    axes = c.canvas(axes, f"{what[0].upper()}{what[1:]} so far, each row predicted before it was learned")
    some = {name: each for name, each in reports.items() if each.curve and _measure(each)[0] == what}
    best = sorted(some, key=lambda name: getattr(some[name].curve[-1], of))[: len(c.COLOURS)]
    lines = [_line(some[name], of, size, _called(name)) for name in best]
    coloured = [
        (*line[:3], {"color": colour, "linewidth": 1.8}) for line, colour in zip(lines, c.COLOURS, strict=False)
    ]
    base = [_line(some[name], f"baseline_{of}", size, "baseline", BASELINE) for name in best[:1]]
    return _drawn(axes, [line for line in [*base, *coloured] if np.isfinite(line[2]).any()], what, of)


def report(found: Report, standing: Standing | None = None, title: str = "") -> Any:
    """A figure with the curve of a report and, below it, the weights of a panel's members.

    >>> from afterwit.learning import learn
    >>> from afterwit.panel import Auto
    >>> model = Auto()
    >>> went = learn(model, [({"x": k % 3}, int(k % 3 > 0)) for k in range(300)])
    >>> figure = report(went, model.standing())  # figure.savefig("lesson.png") writes it
    >>> len(figure.axes)
    3
    """
    if standing is None:
        figure = c.figure(9.0, 4.6)
        curve(found, figure.add_subplot())
    else:
        figure = c.figure(9.0, 10.5)
        above, below = figure.subfigures(2, 1, height_ratios=(4.3, 6.2))  # apart: legends below narrow nothing above
        curve(found, above.add_subplot())
        upper, lower = below.subplots(2, 1, sharex=True)
        members(standing, upper)
        combiners(standing, lower)
        lower.set_xlabel("rows (log scale)")
    if title:
        figure.suptitle(
            title if len(title) <= 84 else title[:83] + "…", x=0.01, ha="left", fontsize=13, fontweight="bold"
        )
    return figure


def _measure(report: Report) -> tuple[str, str, Callable[[c.Array], c.Array]]:
    """What is drawn, the numbers of a point that have it, and it as a function of these."""
    if report.error_rate is not None:
        return "error rate", "error_rate", lambda mean: 100.0 * mean
    if report.loss == "squared":
        return "root mean squared error", "mean_loss", lambda mean: np.sqrt(np.maximum(mean, 0.0))
    return f"mean {report.loss} loss", "mean_loss", lambda mean: mean


def _drawn(axes: Any, lines: list[Line], what: str, of: str) -> Any:
    """The axes with the lines, each named at its end."""
    for name, x, values, style in lines:
        axes.plot(x, values, label=name, **style)
    axes.set_xlabel("rows")
    axes.set_ylabel(f"{what} (%)" if of == "error_rate" else what)
    if lines:
        rows = max(float(x[-1]) for _, x, _, _ in lines)
        axes.set_xlim(0, rows)
        _fit(axes, lines, rows)
        _label(axes, lines, " %" if of == "error_rate" else "")
    c.big_numbers(axes.xaxis)
    c.big_numbers(axes.yaxis)
    axes.locator_params(axis="x", nbins=7)
    return axes


def _lines(report: Report, of: str, size: Callable[[c.Array], c.Array]) -> list[Line]:
    """The baseline, what was lost so far, and lately; each where it is known."""
    lines = [
        _line(report, f"baseline_{of}", size, "baseline", BASELINE),
        _line(report, of, size, "so far", {"color": c.OWN, "linewidth": 2.4, "zorder": 3}),
    ]
    style = {"color": c.COLOURS[0], "linewidth": 1.2, "zorder": 2}
    if report.window is not None:
        lines.append(_line(report, f"window_{of}", size, f"last {report.window.size:,} rows", style))
    elif len(report.curve) > 1:
        rows, values, width = _lately(report.curve, of)
        lines.append((f"last {width:,} rows", rows, size(values), style))
    return [line for line in lines if np.isfinite(line[2]).any()]


def _called(name: str) -> str:
    return c.literal(name if len(name) <= 28 else name[:27] + "…")


def _line(report: Report, of: str, size: Callable[[c.Array], c.Array], name: str, style: Any = None) -> Line:
    x = np.array([point.rows for point in report.curve], dtype=np.float64)
    return name, x, size(_values(report.curve, of)), style or {}


def _values(points: Sequence[Point], name: str) -> c.Array:
    found = (getattr(point, name) for point in points)
    return np.array([math.nan if value is None else value for value in found], dtype=np.float64)


def _lately(points: Sequence[Point], of: str) -> tuple[c.Array, c.Array, int]:
    """After which rows, the mean over so many before, and how many that are."""
    x = np.array([point.rows for point in points])
    stride = 2 ** math.ceil(math.log2(max(x[-1] / 200, 1)))
    width = math.ceil(max(x[-1] / 20, 50) / stride) * stride
    weight = np.array([point.weight for point in points])
    total = weight * _values(points, of)
    ends = [i for i in range(len(x)) if x[i] % stride == 0 and x[i] > width and x[i] - width in x]
    starts = [int(np.searchsorted(x, x[i] - width)) for i in ends]
    heard = weight[ends] - weight[starts]
    means = np.divide(total[ends] - total[starts], heard, out=np.full(len(ends), math.nan), where=heard > 0.0)
    return x[ends].astype(np.float64), means, width


def _fit(axes: Any, lines: list[Line], rows: float) -> None:
    """The height of all lines after the first rows, in which averages are of few."""
    late = [values[np.isfinite(values) & (x >= 0.03 * rows)] for _, x, values, _ in lines]
    seen = np.concatenate([*late, np.zeros(0)])
    if not len(seen):
        return
    low, high = float(seen.min()), float(seen.max())
    room = 0.08 * (high - low) or 0.1 * abs(high) or 1.0
    axes.set_ylim(max(low - room, 0.0) if low >= 0.0 else low - room, high + room)


def _label(axes: Any, lines: list[Line], unit: str) -> None:
    """The names and last values at the right, apart from one another."""
    low, high = axes.get_ylim()
    ends = sorted((float(values[np.isfinite(values)][-1]), name, style["color"]) for name, _, values, style in lines)
    gap = 0.075 * (high - low)
    places = [min(max(value, low), high) for value, _, _ in ends]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + gap)
    over = max(places[-1] - high, 0.0) if places else 0.0
    for place, (value, name, colour) in zip(places, ends, strict=True):
        axes.annotate(
            f"{name} {c.short(float(f'{value:.4g}'))}{unit}",
            (1.0, place - over),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            color=colour,
            va="center",
            fontsize=9.5,
            fontweight="bold" if name == "so far" else "normal",
            annotation_clip=False,
        )
