"""`afterwit evaluate`."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from afterwit.cli.continued import rows_model
from afterwit.cli.learners import stream_of
from afterwit.cli.outputs import check_outputs
from afterwit.cli.screen import show_confusion, show_skipped
from afterwit.cli.taught import compare_columns
from afterwit.learning import evaluation


def run(args: argparse.Namespace) -> int:
    """Predicts rows that have labels, and prints the report."""
    check_outputs(args)
    model = rows_model(args.model)
    stream = stream_of(args, model)
    compare_columns(model, stream, args.strict)
    report = evaluation(model, stream, bool(args.confusion))
    print(json.dumps(asdict(report), indent=2, allow_nan=False) if args.json else report)
    show_confusion(args, report)
    compare_columns(model, stream, args.strict, at_last=True)
    show_skipped(stream)
    return 0
