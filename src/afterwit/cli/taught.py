"""What a saved model knows of its table, beside the table that it is given."""

from __future__ import annotations

from typing import Any

from afterwit.cli.standard import say
from afterwit.errors import DataError
from afterwit.learning.sources import unlike
from afterwit.protocols import Stream


def compare_columns(model: Any, stream: Stream, strict: bool, at_last: bool = False) -> None:
    """Says where the columns are not those that the model has met; with `strict` that is an error.

    Called before the rows are read, and `at_last` after them: what can be read only once knows its columns then.
    """
    known = getattr(getattr(stream, "schema", None), "columns", None) is not None
    sentences = unlike(model, stream) if known else []
    if sentences and strict:
        raise DataError("; ".join(sentences), source=stream.description)
    if sentences and at_last:
        say(f"{stream.description}: {'; '.join(sentences)}")
