"""What is worth saying of the columns at the end: names that are none of them, and columns that look like ids."""

from __future__ import annotations

from typing import Any

from afterwit.cli.standard import say
from afterwit.errors import nearest, quoted
from afterwit.features import Features
from afterwit.protocols import Stream
from afterwit.schema import Schema


def say_hints(model: Any, stream: Stream) -> None:
    """Says them on standard error."""
    for sentence in [*strangers(getattr(model, "features", None), getattr(stream, "schema", None)), *ids(stream)]:
        say(sentence)


def strangers(features: Features | None, schema: Schema | None) -> list[str]:
    """The groups that options name and no row has, where the columns are known."""
    if not isinstance(features, Features) or not isinstance(schema, Schema) or schema.columns is None:
        return []
    columns = [name for name in (*schema.columns, schema.target, schema.weight, *schema.ids) if name is not None]
    named = {
        "--interactions": [name for words in features.interactions for name in words.split("*")],
        "--keep": features.keep,
        "--ignore": features.ignore,
        "--text": features.text_columns,
        "--dates": features.dates,
        "--categorical": features.categorical,
    }
    return [
        f"{option} names {quoted(name)}, and there is no such column; {nearest(name, columns)}".rstrip("; ")
        for option, names in named.items()
        for name in dict.fromkeys(names)
        if name and name not in columns
    ]


def ids(stream: Stream) -> list[str]:
    """The columns that look like ids."""
    return [
        f"{quoted(name)} is different in almost every row: if it is an id, --id {name} keeps it out (a text: --text, "
        "a date: --dates)"
        for name in getattr(stream, "likely_ids", ())
    ]
