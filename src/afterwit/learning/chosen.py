"""The learner that a face of the library was asked for, made for the labels it meets."""

from __future__ import annotations

from typing import Any

from afterwit import losses, registry
from afterwit.errors import UsageError
from afterwit.features import Features
from afterwit.learning.lesson import labels_of
from afterwit.learning.words import described, has_loss
from afterwit.linear import OneVsAll
from afterwit.panel import Auto
from afterwit.panel.auto import TASKS
from afterwit.protocols import ClassName, Labels, Learner
from afterwit.schema import UNKNOWN, Schema

KINDS = {"binary": "two classes", "classes": "several classes", "real": "numbers"}


def chosen(algorithm: str | Learner, loss: str | None, labels: Labels, features: Features | None = None) -> Any:
    """A learner that has learned nothing, for these labels: of kind "binary", "classes" or "real".

    `algorithm` is a name with settings as on the command line, or a learner to begin anew with its settings. One of two
    classes makes one for each of several. `loss` and `features` go with a name; numbers are learned by squared loss.

    >>> chosen("adagrad:normalized=true", None, Labels("real"))
    AdaGrad(normalized=True, loss='squared')
    >>> chosen("adagrad", None, Labels("classes", ("cat", "dog", "bird")))
    OneVsAll(AdaGrad(), classes=('cat', 'dog', 'bird'))
    """
    model = _named(algorithm, loss, labels, features) if isinstance(algorithm, str) else _alike(algorithm, loss)
    if isinstance(model, Auto):
        model = _decided(model, labels)
    learned = labels_of(model).kind
    # Classes are -1 and +1 to a learner of numbers.
    if learned != labels.kind and (labels.kind == "real" or learned not in ("binary", "real")):
        raise UsageError(f"`{model!r}` learns {KINDS.get(learned, learned)}, and the labels are {KINDS[labels.kind]}")
    several = labels.kind == "classes" and not isinstance(model, Auto)
    return OneVsAll(model, labels.classes) if several else model


def taught(model: Any, columns: tuple[str, ...] | None = None, classes: tuple[ClassName, ...] | None = None) -> None:
    """Tells a learner which columns it is taught, and the names of two classes, where it wants to know."""
    if hasattr(type(model), "schema"):
        model.schema = (model.schema or UNKNOWN).and_then(Schema(columns=columns, classes=classes).bounded())


def _named(words: str, loss: str | None, labels: Labels, features: Features | None) -> Any:
    cls, settings = described(words)
    if cls is Auto:
        own = "squared" if labels.kind == "real" else "logistic"
        if loss not in (None, own):
            raise UsageError(f"`{words}` learns {KINDS[labels.kind]} by {own} loss; leave loss out, or name a learner")
    elif loss is not None or labels.kind == "real":
        if not has_loss(cls):
            given = f"loss is `{loss}`" if loss is not None else "the labels are numbers"
            raise UsageError(f"{given}, and `{words}` has no loss to choose")
        wanted = losses.get(loss or settings.get("loss", "squared"))
        if str(losses.get(settings.setdefault("loss", str(wanted)))) != str(wanted):
            raise UsageError(f"loss is `{loss}`, and `{words}` says another; leave one of them out")
    try:
        return cls(**settings, features=features)
    except (TypeError, ValueError) as error:
        raise UsageError(f"`{words}`: {error}") from error


def _alike(model: Any, loss: str | None) -> Any:
    if isinstance(model, type) or not isinstance(model, Learner):
        kind = f"the class `{model.__name__}`" if isinstance(model, type) else f"a `{type(model).__name__}`"
        raise TypeError(f"algorithm is {kind}, expected a learner, or a name such as `auto`")
    if isinstance(model, OneVsAll):
        raise UsageError("algorithm is a `OneVsAll`; give the learner in it: it is made one for each class here")
    if loss is not None:
        raise UsageError(f"loss is `{loss}`, and `{model!r}` has a loss of its own; leave loss out")
    return registry.fresh(model)


def _decided(model: Auto, labels: Labels) -> Auto:
    """The same, with these labels and their names."""
    if model.task is not None and TASKS[model.task] != labels.kind:
        raise UsageError(f"`{model!r}` has a task, and the labels are {KINDS[labels.kind]}; leave the task out")
    again = Auto(None, model.drift, model.nonlinear, model.features)
    again.decide(labels)
    return again
