"""`learn --from`: a saved model goes on, and the options that would make it another one are refused."""

from __future__ import annotations

import argparse
from typing import Any

from afterwit import losses, registry
from afterwit.cli.checkpoints import shown
from afterwit.cli.learners import classes_of
from afterwit.errors import UsageError, quoted, quoted_path
from afterwit.experts import Mixture
from afterwit.experts.player import Player
from afterwit.learning.lesson import labels_of, loss_of
from afterwit.learning.sources import known_of
from afterwit.learning.words import kinds, parts_of, whole_where_wanted
from afterwit.linear import OneVsAll
from afterwit.panel.auto import TASKS
from afterwit.storage import load


def rows_model(path: str) -> Any:
    """The model in a file; raises where it learns from forecasts."""
    model = load(path)
    check_rows(model, path)
    return model


def check_rows(model: Any, path: str) -> None:
    """Refuses one that learns from forecasts."""
    if isinstance(model, (Mixture, Player)):
        raise UsageError(
            f"{quoted_path(path)} holds {model!r}, which learns from forecasts, not from rows of features; "
            "use `afterwit aggregate`, or afterwit.load in Python"
        )


def continued(args: argparse.Namespace) -> Any:
    """The model of --from, which must be what the options given beside it say."""
    path = vars(args)["from"]
    model = rows_model(path)
    features = getattr(model, "features", None)
    known: bool
    own: Any
    for name in args.given:
        if name == "learner":
            known, own = _is_learner(args.learner, model), repr(model)
        elif name == "classes":
            known, own = _are_classes(args, model), ",".join(map(str, getattr(model, "classes", ()))) or None
        elif name == "loss":
            own = None if labels_of(model).kind == "auto" else loss_of(model)
            known = own == str(losses.get(args.loss))
        elif name == "task":
            own = next((task for task, kind in TASKS.items() if kind == labels_of(model).kind), None)
            known = own == args.task
        else:
            own = _of_features(features, name)
            known = own == getattr(args, name)
        if not known:
            option, said = "--" + name.replace("_", "-"), shown(getattr(args, name))
            raise UsageError(
                f"{option} is {said}, and in {quoted_path(path)} it is {shown(own)}; leave {option} out to go on with "
                "that model, or --from to begin a new one"
            )
    taught = known_of(model)
    if learned := [name for name in args.id if name in (taught.target, taught.weight, *(taught.columns or ()))]:
        raise UsageError(
            f"--id is {quoted(learned[0])}, which {quoted_path(path)} has learned from; leave it out to go on with "
            "that model, or --from to begin a new one"
        )
    return model


def _is_learner(words: str, model: Any) -> bool:
    name, settings = parts_of(words)
    one = model.model if isinstance(model, OneVsAll) else model
    if name not in kinds() or registry.name_of(one) != name:
        return False
    wanted = whole_where_wanted(settings, kinds()[name])
    return all(hasattr(one, key) and getattr(one, key) == value for key, value in wanted.items())


def _are_classes(args: argparse.Namespace, model: Any) -> bool:
    """Of two classes the names may be new, where the model does not know any."""
    names, labels = classes_of(args), labels_of(model)
    if names is None:
        return labels.kind == "classes" and labels.classes is None
    if labels.classes is None and labels.kind == "binary":
        return len(names) == 2
    return tuple(names) == (labels.classes or tuple(getattr(model, "classes", ())))


def _of_features(features: Any, name: str) -> Any:
    if features is None:
        return None
    if name == "no_intercept":
        return not features.intercept
    own = getattr(features, name)
    return list(own) if isinstance(own, tuple) else own
