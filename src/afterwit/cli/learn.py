"""`afterwit learn`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict

from afterwit import storage
from afterwit.cli.checkpoints import Checkpoint
from afterwit.cli.continued import continued
from afterwit.cli.hints import say_hints
from afterwit.cli.learners import SINGLE, learner_of, stream_of
from afterwit.cli.outputs import check_outputs, reporting
from afterwit.cli.pictures import picture_format, write_picture
from afterwit.cli.prediction_part import PredictionPart
from afterwit.cli.predictions import lines_of
from afterwit.cli.screen import Screen, show_confusion
from afterwit.cli.standard import say
from afterwit.cli.taught import compare_columns
from afterwit.errors import UsageError
from afterwit.files.output import Output
from afterwit.learning import Hindsight, Lesson, Report
from afterwit.learning.hindsight import show_lines


def run(args: argparse.Namespace) -> int:
    """Learns, and prints the report."""
    _check(args)
    checkpoint = Checkpoint(args)
    resumes = args.resume and checkpoint.exists()
    if args.resume and not resumes and os.path.isfile(args.save):
        say(f"`{args.save}` is there and `{checkpoint.path}` is not: its run has ended; to learn again, omit --resume")
        return 0
    keeps = resumes or args.checkpoint is not None
    check_outputs(args, checkpoint.path if keeps else None)
    continues = vars(args)["from"] is not None
    model = continued(args) if continues else learner_of(args.learner, args)
    taught = getattr(model, "schema", None)  # before it learns
    stream = stream_of(args, model)
    if not continues and args.learner == "auto" and not hasattr(model, "decide"):
        say(f"`auto` does not learn by --loss {args.loss}: it is {SINGLE} instead")
    lesson = Lesson(
        model,
        stream,
        args.passes,
        limit=args.limit,
        holdout=args.holdout,
        window=args.window,
        delay=args.delay or 0,
        confusion=bool(args.confusion),
    )
    if args.hindsight:
        _check_hindsight(lesson)
    state = checkpoint.resume(lesson) if resumes else None
    part = PredictionPart(args.predictions, state) if keeps and args.predictions else None
    if keeps and not resumes:
        checkpoint.begin(lesson, part)
    with part or (Output(args.predictions).writing() if args.predictions else nullcontext()) as write:
        _learn(lesson, write, args.checkpoint, lambda: checkpoint.write(lesson, part))
    if args.save:
        storage.save(lesson.model, args.save)
    report = lesson.report()
    if args.plot:
        _draw(lesson, args.plot)
    with reporting(args.save, args.predictions, args.plot):
        _show(report, _look_back(report) if args.hindsight else None, args.json)
        show_confusion(args, report)
        if report.panel is not None and not args.json:
            print(f"\n{lesson.model.standing()}")  # type: ignore[attr-defined]
    if report.rows == 0:
        say(f"{lesson.stream.description} has no rows")
    for bad in getattr(lesson.stream, "bad_lines", [])[: report.skipped]:
        say(f"skipped: {bad}")
    if taught is not None:
        compare_columns(lesson.model, lesson.stream, False, at_last=True, taught=taught)
    say_hints(lesson.model, lesson.stream)
    if keeps:
        sys.stdout.flush()
        checkpoint.remove()
    return 0


def _show(report: Report, found: Hindsight | None, as_json: bool) -> None:
    if as_json:
        back = {} if found is None else {"hindsight": found.to_dict()}
        print(json.dumps({**asdict(report), **back}, indent=2, allow_nan=False))
    else:
        print(show_lines(report.lines() + (found.lines() if found else [])))


def _draw(lesson: Lesson, path: str) -> None:
    from afterwit.plots import report
    from afterwit.plots.canvas import literal

    found = lesson.report()
    if not found.curve:
        raise UsageError("--plot draws what was lost over the rows, and there are none that count; leave it out")
    stands = getattr(lesson.model, "standing", None)
    title = literal(f"{lesson.model!r} on {found.source.rsplit('/', 1)[-1]}")
    write_picture(report(found, None if stands is None else stands(), title), path)


def _look_back(report: Report) -> Hindsight:
    with Screen("") as screen:
        return report.hindsight(watch=lambda reading, part: screen.say(f"looking back: reading {reading}, {part:.0%}"))


def _check_hindsight(lesson: Lesson) -> None:
    """Fails before hours of learning, not after."""
    try:
        lesson.past_run().check()
    except (ImportError, TypeError) as error:
        raise UsageError(f"--hindsight: {error}") from error


def _learn(lesson: Lesson, write: Callable[[bytes], None] | None, every: int | None, keep: Callable[[], None]) -> None:
    since = rows = 0
    with Screen(f"{lesson.model!r} on {lesson.stream.description}") as screen:
        for step in lesson.steps():
            rows += len(step.batch)
            since += len(step.batch)
            if write and lesson.done == 0:
                write(lines_of(lesson.model, step.raw))
            if every and since >= every and step.ends:
                since = 0
                keep()
            screen.show(rows, lesson.curve, lesson.progress)
        screen.show(rows, lesson.curve, lesson.progress, last=True)


def _check(args: argparse.Namespace) -> None:
    if (args.checkpoint is not None or args.resume) and not args.save:
        raise UsageError("--checkpoint and --resume need --save MODEL: the checkpoint is kept beside the model")
    if args.hindsight and vars(args)["from"] is not None:
        raise UsageError("--hindsight is about a learner that begins with nothing; leave it out, or --from")
    if args.plot:
        picture_format(args.plot)
