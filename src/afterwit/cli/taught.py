"""What a saved model knows of its table, beside the table that it is given."""

from __future__ import annotations

from typing import Any

from afterwit.cli.standard import say
from afterwit.errors import DataError, quoted
from afterwit.learning.sources import known_of, unlike
from afterwit.protocols import Stream
from afterwit.schema import Schema


def compare_columns(
    model: Any,
    stream: Stream,
    strict: bool,
    at_last: bool = False,
    *,
    labelled: bool = True,
    taught: Schema | None = None,
) -> None:
    """Says where the columns are not those that the model has met; with `strict` that is an error.

    Called before the rows are read, and `at_last` after them: what can be read only once knows its columns then. What
    was `taught` is the model's unless it has learned since; where no labels are read, no weights are.
    """
    taught, found = taught or known_of(model), known_of(stream)
    if found.columns is None:
        return
    sentences = unlike(model, stream, taught)
    if labelled and taught.weight is not None and taught.weight not in (found.weight, *found.columns):
        sentences.append(f"there is no column {quoted(taught.weight)}, which had the weights")
    if sentences and strict:
        raise DataError("; ".join(sentences), source=stream.description)
    if sentences and at_last:
        say(f"{stream.description}: {'; '.join(sentences)}")
