"""`afterwit predict`."""

from __future__ import annotations

import argparse

from afterwit.cli.continued import rows_model
from afterwit.cli.learners import stream_of
from afterwit.cli.outputs import check_outputs
from afterwit.cli.predictions import json_lines_of, lines_of
from afterwit.cli.screen import show_skipped
from afterwit.files.output import STDOUT, write_output
from afterwit.learning import predictions


def run(args: argparse.Namespace) -> int:
    """Predicts, and prints or writes a line per row."""
    check_outputs(args)
    model = rows_model(args.model)
    stream = stream_of(args)
    form = json_lines_of if args.json else lines_of

    lines = (form(model, raw) for _, raw in predictions(model, stream))
    write_output(args.predictions or STDOUT, lines)
    show_skipped(stream)
    return 0
