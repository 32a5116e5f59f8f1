"""`afterwit predict`."""

from __future__ import annotations

import argparse

from afterwit.cli.learners import stream_of
from afterwit.cli.outputs import check_outputs
from afterwit.cli.predictions import json_lines_of, lines_of
from afterwit.cli.screen import show_skipped
from afterwit.errors import UsageError, quoted_path
from afterwit.experts import Mixture
from afterwit.experts.player import Player
from afterwit.files.output import STDOUT, write_output
from afterwit.learning import predictions
from afterwit.storage import load


def run(args: argparse.Namespace) -> int:
    """Predicts, and prints or writes a line per row."""
    check_outputs(args)
    model = load(args.model)
    if isinstance(model, (Mixture, Player)):
        raise UsageError(
            f"{quoted_path(args.model)} holds {model!r}, which learns from forecasts, not from rows of features; "
            "use `afterwit aggregate`, or afterwit.load in Python"
        )
    stream = stream_of(args)
    form = json_lines_of if args.json else lines_of

    lines = (form(model, raw) for _, raw in predictions(model, stream))
    write_output(args.predictions or STDOUT, lines)
    show_skipped(stream)
    return 0
