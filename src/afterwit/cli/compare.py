"""`afterwit compare`."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from afterwit.cli.hints import say_hints
from afterwit.cli.learners import SINGLE, learner_of, stream_of
from afterwit.cli.outputs import check_outputs
from afterwit.cli.screen import Screen, show_skipped
from afterwit.errors import UsageError, printable
from afterwit.learning import Comparison


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
            screen.show(rows, comparison.curve, getattr(comparison.stream, "progress", None))
    reports = comparison.reports()
    if args.json:
        print(json.dumps({name: asdict(report) for name, report in reports.items()}, indent=2, allow_nan=False))
    else:
        print(f"{rows:,} rows of {printable(comparison.stream.description)}")
        print(reports)
    show_skipped(comparison.stream)
    say_hints(models[args.learners[0]], comparison.stream)
    return 0
