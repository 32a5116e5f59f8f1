"""`afterwit predict`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from afterwit.cli import forecasts
from afterwit.cli.continued import check_rows
from afterwit.cli.learners import stream_of
from afterwit.cli.outputs import check_outputs
from afterwit.cli.predictions import Asked
from afterwit.cli.screen import show_skipped
from afterwit.cli.taught import compare_columns
from afterwit.errors import UsageError
from afterwit.experts import Mixture
from afterwit.files.output import STDOUT, write_output
from afterwit.learning import predictions
from afterwit.protocols import Stream
from afterwit.storage import load


def run(args: argparse.Namespace) -> int:
    """Predicts, and prints or writes a line per row."""
    check_outputs(args)
    model = load(args.model)
    if isinstance(model, Mixture):
        return forecasts.run(model, args)
    check_rows(model, args.model)
    asked = _asked(model, args)
    stream = stream_of(args, model)
    write_output(args.predictions or STDOUT, _lines(model, stream, asked, args))
    compare_columns(model, stream, args.strict, at_last=True, labelled=False)
    show_skipped(stream)
    return 0


def _asked(model: Any, args: argparse.Namespace) -> Asked:
    asked = Asked(tuple(args.id), args.label or args.threshold is not None, args.probability, args.threshold)
    try:
        asked.check(model)
    except ValueError as error:
        options = {"--threshold": args.threshold is not None, "--label": args.label, "--probability": args.probability}
        given = next(option for option, is_given in options.items() if is_given)
        raise UsageError(f"{given}: {error}") from error
    return asked


def _lines(model: Any, stream: Stream, asked: Asked, args: argparse.Namespace) -> Iterator[bytes]:
    compare_columns(model, stream, args.strict, labelled=False)
    form = asked.json_lines if args.json else asked.lines
    before: bytes | None = b"" if args.json else asked.header(model)
    for batch, raw in predictions(model, stream):
        if before is not None:  # what can be read only once knows its columns now
            compare_columns(model, stream, args.strict, labelled=False)
            yield before
            before = None
        yield form(model, batch, raw)
    yield before or b""
