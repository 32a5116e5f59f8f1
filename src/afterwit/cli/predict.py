"""`afterwit predict`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import afterwit.linear  # noqa: F401  its classes must be registered before a model is loaded
from afterwit.cli.learners import stream_of
from afterwit.cli.predictions import json_lines_of, lines_of
from afterwit.cli.screen import show_skipped
from afterwit.files import write_whole
from afterwit.learning import predictions
from afterwit.storage import load


def run(args: argparse.Namespace) -> int:
    """Predicts, and prints or writes a line per row."""
    model, stream = load(args.model), stream_of(args)
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
