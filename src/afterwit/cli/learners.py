"""From words on the command line to a learner and a stream."""

from __future__ import annotations

import argparse
from typing import Any

from afterwit import linear
from afterwit.errors import UsageError
from afterwit.features import Features
from afterwit.learning.words import described, has_loss
from afterwit.protocols import ClassName, Labels, Stream
from afterwit.streams import read
from afterwit.streams.formats import tells_format
from afterwit.streams.labels import class_of_text

#: What takes the place of the default for a loss that it does not learn by.
SINGLE = "adagrad:normalized=true"
#: The task that a loss is for.
TASKS = {"logistic": "binary", "squared": "numbers"}


def classes_of(args: argparse.Namespace) -> list[ClassName] | None:
    """The names in --classes; None where there are none, or `any`."""
    if args.classes is None or args.classes == "any":
        return None
    names = [class_of_text(word) for word in args.classes.split(",")]
    if len(set(names)) < len(names) or len(names) < 2 or "" in names:
        raise UsageError(f"--classes is `{args.classes}`, expected two or more different names, or `any`")
    return names


def stream_of(args: argparse.Namespace, model: Any = None) -> Stream:
    """The data, with the names of two classes when they were given, in batches no longer than checkpoints ask.

    What is not said of it is as it was in what a model was taught.
    """
    names = classes_of(args) if "classes" in args else None
    batch_rows = min(4096, getattr(args, "checkpoint", None) or 4096)
    two = names if names and len(names) == 2 else None
    if args.target is not None and args.target == args.weight:
        raise UsageError(f"--target and --weight are both `{args.target}`, expected two columns")
    data = args.data[0] if isinstance(args.data, list) and len(args.data) == 1 else args.data
    taught, target = getattr(model, "schema", None), args.target
    first = data[0] if isinstance(data, list) else data
    if taught is not None and target is None and args.format == "auto" and not tells_format(first):
        target = taught.target
    stream: Any = read(
        data,
        weight=args.weight,
        target=target,
        format=None if args.format == "auto" else args.format,
        classes=two,
        on_error=args.on_error,
        batch_rows=batch_rows,
        cache=getattr(args, "cache", False),
        ids=getattr(args, "id", ()),
    )
    found: Stream = stream if taught is None or not hasattr(stream, "like") else stream.like(taught)
    return found


def learner_of(words: str, args: argparse.Namespace) -> Any:
    """The learner that `name:key=value,...` describes, with the features and the loss of the other options."""
    if words.partition(":")[0] == "auto" and args.loss not in (None, *TASKS):
        if words != "auto":
            raise UsageError(f"`{words}` learns by {' or '.join(TASKS)} loss; leave --loss out")
        words = SINGLE
    name = words.partition(":")[0]
    cls, settings = described(words)
    if name == "auto":
        told = _task(args)
        if settings.get("task", told.get("task")) != told.get("task", settings.get("task")):
            raise UsageError(f"`{words}` has the task `{settings['task']}`, and the options say `{told['task']}`")
        settings = {**told, **settings}
    elif args.task is not None:
        raise UsageError(f"`{name}` has its task from its loss; leave --task out, or --learner")
    if args.loss is not None and name != "auto":
        if not has_loss(cls):
            raise UsageError(f"`{name}` has no loss to choose; leave --loss out")
        settings.setdefault("loss", args.loss)
    names = classes_of(args)
    try:
        features = Features(
            args.bits,
            args.seed,
            args.names,
            not args.no_intercept,
            interactions=args.interactions,
            keep=args.keep,
            ignore=args.ignore,
            text=args.text,
            dates=args.dates,
            categorical=args.categorical,
        )
        model = cls(**settings, features=features)
        if name == "auto":
            if names and len(names) > 2:
                model.decide(Labels("classes", tuple(names)))
            return model
        if args.classes == "any" or (names and len(names) > 2):
            return linear.OneVsAll(model, names)
        return model
    except (TypeError, ValueError) as error:
        raise UsageError(f"`{words}`: {error}") from error


def _task(args: argparse.Namespace) -> dict[str, Any]:
    """What --task, --loss and --classes say of the labels, where they say anything."""
    names = classes_of(args)
    several = args.classes == "any" or (names is not None and len(names) > 2)
    told = {
        "--task": args.task,
        "--loss": None if args.loss is None or (several and args.loss == "logistic") else TASKS[args.loss],
        "--classes": "classes" if several else "binary" if names else None,
    }
    said = {option: task for option, task in told.items() if task is not None}
    if len(set(said.values())) > 1:
        options = " and ".join(f"{option} (`{task}`)" for option, task in said.items())
        raise UsageError(f"{options} do not go together; leave one of them out")
    named = names is not None  # the stream knows them, and tells the learner
    return {} if named or not said else {"task": next(iter(said.values()))}
