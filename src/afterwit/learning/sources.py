"""From what a user has (a path, a table, an array, rows of Python, a stream) to a stream."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from afterwit.errors import DataError
from afterwit.protocols import Learner, Stream
from afterwit.schema import UNKNOWN, Schema
from afterwit.streams import read


def stream_of(
    source: Any,
    models: Iterable[Any],
    y: Any = None,
    weight: Any = None,
    target: str | None = None,
    ids: Sequence[str] = (),
) -> Stream:
    """The stream that `source` is, or that `read` makes of it; what it is not told, it has from what models know."""
    told = {"y": y, "weight": weight, "target": target, "ids": ids if len(ids) else None}
    if hasattr(source, "batches"):
        given = [name for name, value in told.items() if value is not None]
        if given:
            raise DataError(f"{given[0]} goes with what is to be read, and this is a stream: give it to `read`")
        stream: Stream = source
    else:
        if isinstance(source, Mapping) or (isinstance(source, np.ndarray) and source.ndim == 1):
            raise DataError("this is one row, expected many: learn_one and predict_one take one")
        stream = read(source, **{name: value for name, value in told.items() if value is not None})
    for model in models:
        if hasattr(stream, "like") and known_of(model) != UNKNOWN:
            stream = stream.like(known_of(model))
    return stream


def known_of(what: Any) -> Schema:
    """What a stream knows of its columns so far, or a model of those that it was taught."""
    schema = getattr(what, "schema", None)
    return schema if isinstance(schema, Schema) else UNKNOWN


def check_learner(model: Any) -> None:
    """Refuses what does not predict and learn."""
    if isinstance(model, type):
        raise TypeError(f"the model is the class `{model.__name__}`; make one: {model.__name__}()")
    if not isinstance(model, Learner):
        raise TypeError(
            f"the model is a `{type(model).__name__}`, expected a learner, with predict_one and learn_one, such as "
            "afterwit.Auto()"
        )


def unlike(model: Any, stream: Stream, taught: Schema | None = None) -> list[str]:
    """How the columns of a stream differ from those that a model has met, but for what it ignores, in sentences.

    What it was `taught` is what it knows now, unless another is given.
    """
    taught, found = taught or known_of(model), known_of(stream)
    if found.columns is None:
        return []
    keep, ignore = (set(getattr(getattr(model, "features", None), name, ())) for name in ("keep", "ignore"))

    def looked_at(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in ignore and (not keep or name in keep))

    known = taught.columns if taught.columns is None else looked_at(taught.columns)
    return replace(taught, columns=known).unlike(looked_at(found.columns))


def warn_of_columns(model: Any, stream: Stream) -> None:
    """Warns where the columns of a stream are not those that a model has met."""
    if sentences := unlike(model, stream):
        warnings.warn(f"{stream.description}: {'; '.join(sentences)}", UserWarning, stacklevel=3)
