"""`afterwit predict`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import afterwit.linear  # noqa: F401  its classes, like those of experts, must be registered before a model is loaded
from afterwit.cli.learners import stream_of
from afterwit.cli.predictions import json_lines_of, lines_of
from afterwit.cli.screen import show_skipped
from afterwit.errors import UsageError, quoted
from afterwit.experts import Mixture
from afterwit.experts.player import Player
from afterwit.files import write_whole
from afterwit.learning import predictions
from afterwit.storage import load


def run(args: argparse.Namespace) -> int:
    """Predicts, and prints or writes a line per row."""
    model = load(args.model)
    if isinstance(model, (Mixture, Player)):
        raise UsageError(
            f"{quoted(args.model)} holds {model!r}, which learns from forecasts, not from rows of features; "
            "use `afterwit aggregate`, or afterwit.load in Python"
        )
    stream = stream_of(args)
    form = json_lines_of if args.json else lines_of

    def chunks() -> Iterator[bytes]:
        for _, raw in predictions(model, stream):
            yield form(model, raw)

    if args.predictions:
        write_whole(args.predictions, chunks())
    else:
        for chunk in chunks():
            sys.stdout.buffer.write(chunk)
    show_skipped(stream)
    return 0
