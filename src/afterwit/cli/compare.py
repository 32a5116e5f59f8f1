"""`afterwit compare`."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from afterwit.cli.learners import SINGLE, learner_of, stream_of
from afterwit.cli.outputs import check_outputs
from afterwit.cli.screen import Screen, show_skipped
from afterwit.errors import UsageError, printable
from afterwit.learning import Comparison, Report
from afterwit.learning.report import Point, points

COLUMNS = [
    ("mean loss", "mean_loss", ".6f"),
    ("error rate", "error_rate", ".4%"),
    ("log loss", "log_loss", ".6f"),
    ("AUC", "auc", ".5f"),
    ("RMSE", "rmse", ".6g"),
]


def run(args: argparse.Namespace) -> int:
    """Learns with each, and prints a table."""
    args.learners = args.learners or ["auto", SINGLE]
    if len(set(args.learners)) < len(args.learners):
        raise UsageError("a learner is named twice; give it other settings, or name it once")
    check_outputs(args)
    models = {words: learner_of(words, args) for words in args.learners}
    comparison = Comparison(models, stream_of(args))
    rows = 0
    with Screen(f"{args.learners[0]} and {len(models) - 1} more on {comparison.stream.description}") as screen:
        for batch in comparison.steps():
            rows += len(batch)
            screen.show(rows, lambda: _curve(comparison), getattr(comparison.stream, "progress", None))
    reports = comparison.reports()
    if args.json:
        print(json.dumps({name: asdict(report) for name, report in reports.items()}, indent=2, allow_nan=False))
    else:
        print(f"{rows:,} rows of {printable(comparison.stream.description)}")
        print(table(reports))
    show_skipped(comparison.stream)
    return 0


def _curve(comparison: Comparison) -> list[Point]:
    """That of the first learner."""
    return points(next(iter(comparison.ledgers.values())), comparison.labels.kind != "real")


def table(reports: dict[str, Report]) -> str:
    """One line per learner, with the columns that any of them has."""
    shown = [c for c in COLUMNS if any(getattr(report, c[1]) is not None for report in reports.values())]
    lines = [["learner", "loss", *(heading for heading, _, _ in shown)]]
    for name, report in reports.items():
        values = [(getattr(report, attribute), form) for _, attribute, form in shown]
        lines.append([name, report.loss, *("" if value is None else format(value, form) for value, form in values)])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            f"{cell:<{w}}" if i < 2 else f"{cell:>{w}}" for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )
