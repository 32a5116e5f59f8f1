"""`afterwit learn`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from afterwit import storage
from afterwit.cli.learners import learner_of, stream_of
from afterwit.cli.predictions import PredictionFile, lines_of
from afterwit.cli.screen import Screen
from afterwit.errors import UsageError
from afterwit.learning import Hindsight, Lesson, Report
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.learning.hindsight import show_lines


def run(args: argparse.Namespace) -> int:
    """Learns, and prints the report."""
    _check(args)
    model, stream = learner_of(args.learner, args), stream_of(args)
    lesson = Lesson(model, stream, args.passes, limit=args.limit, holdout=args.holdout, window=args.window)
    if args.hindsight:
        _check_hindsight(lesson)
    checkpoint = Path(f"{args.save}.checkpoint") if args.save else None
    extra: dict[str, Any] = {}
    if args.resume and checkpoint and checkpoint.exists():
        extra = resume(checkpoint, lesson)
    output = PredictionFile(args.predictions, extra.get("predictions")) if args.predictions else None
    try:
        _learn(lesson, args.checkpoint, checkpoint, output)
    except BaseException:
        if output and not args.checkpoint:
            output.discard()
        raise
    if output:
        output.close()
    if args.save:
        storage.save(lesson.model, args.save)
    if output:
        output.publish()
    report = lesson.report()
    _show(report, _look_back(report) if args.hindsight else None, args.json)
    if report.rows == 0:
        print(f"afterwit: {lesson.stream.description} has no rows", file=sys.stderr)
    for bad in getattr(lesson.stream, "bad_lines", [])[: report.skipped]:
        print(f"afterwit: skipped: {bad}", file=sys.stderr)
    if checkpoint:
        sys.stdout.flush()
        checkpoint.unlink(missing_ok=True)
    return 0


def _show(report: Report, found: Hindsight | None, as_json: bool) -> None:
    if as_json:
        back = {} if found is None else {"hindsight": found.to_dict()}
        print(json.dumps({**asdict(report), **back}, indent=2, allow_nan=False))
    else:
        print(show_lines(report.lines() + (found.lines() if found else [])))


def _look_back(report: Report) -> Hindsight:
    with Screen("") as screen:
        return report.hindsight(watch=lambda reading, part: screen.say(f"looking back: reading {reading}, {part:.0%}"))


def _check_hindsight(lesson: Lesson) -> None:
    """Fails before hours of learning, not after."""
    try:
        lesson.look_back().check()
    except (ImportError, TypeError) as error:
        raise UsageError(f"--hindsight: {error}") from error


def _learn(lesson: Lesson, every: int | None, checkpoint: Path | None, output: PredictionFile | None) -> None:
    since = rows = 0
    with Screen(f"{lesson.model!r} on {lesson.stream.description}") as screen:
        for step in lesson.steps():
            rows += len(step.batch)
            since += len(step.batch)
            if output and lesson.done == 0:
                output.write(lines_of(lesson.model, step.raw))
            if every and checkpoint and since >= every:
                since = 0
                extra = {"predictions": output.state() if output else None}
                write_checkpoint(checkpoint, lesson, extra)
            screen.show(rows, lesson.curve, lesson.progress)
        screen.show(rows, lesson.curve, lesson.progress, last=True)


def _check(args: argparse.Namespace) -> None:
    for name, least in (("passes", 1), ("limit", 1), ("holdout", 2), ("window", 1)):
        if getattr(args, name) is not None and getattr(args, name) < least:
            raise UsageError(f"--{name} is {getattr(args, name)}, expected {least} or more")
    if (args.checkpoint is not None or args.resume) and not args.save:
        raise UsageError("--checkpoint and --resume need --save MODEL: the checkpoint is kept beside the model")
    if args.checkpoint is not None and args.checkpoint < 1:
        raise UsageError(f"--checkpoint is {args.checkpoint}, expected 1 or more rows")
    for path in (args.save, args.predictions):
        if path and not os.path.isdir(os.path.dirname(path) or "."):
            raise UsageError(f"`{path}` cannot be written: its folder does not exist")
