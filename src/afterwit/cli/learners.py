"""From words on the command line to a learner and a stream."""

from __future__ import annotations

import argparse
import inspect
from typing import Any

from afterwit import linear, registry
from afterwit.errors import UsageError
from afterwit.features import Features
from afterwit.protocols import ClassName, Stream
from afterwit.streams import read
from afterwit.streams.labels import class_of_text


def kinds() -> dict[str, type[Any]]:
    """The learners that can be named: registered name -> class. They take the features of the other options."""
    return {name: cls for name, cls in registry.classes().items() if "features" in inspect.signature(cls).parameters}


def classes_of(args: argparse.Namespace) -> list[ClassName] | None:
    """The names in --classes; None where there are none, or `any`."""
    if args.classes is None or args.classes == "any":
        return None
    names = [class_of_text(word) for word in args.classes.split(",")]
    if len(set(names)) < len(names) or len(names) < 2 or "" in names:
        raise UsageError(f"--classes is `{args.classes}`, expected two or more different names, or `any`")
    return names


def stream_of(args: argparse.Namespace) -> Stream:
    """The data, with the names of two classes when they were given, in batches no longer than checkpoints ask."""
    names = classes_of(args) if "classes" in args else None
    batch_rows = min(4096, getattr(args, "checkpoint", None) or 4096)
    two = names if names and len(names) == 2 else None
    if args.target is not None and args.target == args.weight:
        raise UsageError(f"--target and --weight are both `{args.target}`, expected two columns")
    data = args.data[0] if isinstance(args.data, list) and len(args.data) == 1 else args.data
    return read(
        data,
        weight=args.weight,
        target=args.target,
        format=None if args.format == "auto" else args.format,
        classes=two,
        on_error=args.on_error,
        batch_rows=batch_rows,
        cache=getattr(args, "cache", False),
    )


def learner_of(words: str, args: argparse.Namespace) -> Any:
    """The learner that `name:key=value,...` describes, with the features and the loss of the other options."""
    name, _, rest = words.partition(":")
    known = kinds()
    if name not in known:
        raise UsageError(f"`{name}` is not a learner; expected one of {', '.join(known)}")
    settings = dict(setting_of(word, words) for word in rest.split(",")) if rest else {}
    allowed = [key for key in inspect.signature(known[name]).parameters if key != "features"]
    if args.loss is not None:
        if "loss" not in allowed:
            raise UsageError(f"`{name}` has no loss to choose; leave --loss out")
        settings.setdefault("loss", args.loss)
    unknown = [key for key in settings if key not in allowed]
    if unknown:
        raise UsageError(f"`{name}` has no setting `{unknown[0]}`; it has {', '.join(allowed) or 'none'}")
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
        )
        model = known[name](**settings, features=features)
        names = classes_of(args)
        if args.classes == "any" or (names and len(names) > 2):
            return linear.OneVsAll(model, names)
        return model
    except (TypeError, ValueError) as error:
        raise UsageError(f"`{words}`: {error}") from error


def setting_of(word: str, words: str) -> tuple[str, Any]:
    """A `key=value` among the words that describe a learner."""
    key, equals, value = word.partition("=")
    if not equals:
        raise UsageError(f"`{word}` in `{words}` has no value; expected key=value")
    if value in ("true", "false"):
        return key, value == "true"
    try:
        return key, float(value)
    except ValueError:
        return key, value
