"""What afterwit raises: a sentence that says what was given, what was expected and what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence


class AfterwitError(Exception):
    """Any error that afterwit raises on purpose; the command line prints it as one sentence and exits with 1."""


class DataError(AfterwitError, ValueError):
    """A row, label or file that cannot be read; names the place.

    >>> raise DataError("value `abc` is not a number, expected digits such as 0.5", source="a.svm", line=3, column=7)
    Traceback (most recent call last):
    ...
    afterwit.errors.DataError: a.svm, line 3, column 7: value `abc` is not a number, expected digits such as 0.5
    """

    def __init__(
        self, message: str, *, source: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        place = [source] if source else []
        place += [f"line {line}"] if line is not None else []
        place += [f"column {column}"] if column is not None else []
        super().__init__(f"{', '.join(place)}: {message}" if place else message)


class ModelFileError(AfterwitError, ValueError):
    """A file that is not a model, is damaged, or is of a version that this library does not know."""


def printable(text: str, longest: int | None = None) -> str:
    r"""A text fit to be shown: escaped where not printable, also bytes that were not UTF-8; cut where long.

    >>> printable("a\udcff")
    'a\\xff'
    """
    some = text if longest is None else text[: longest + 1]
    shown = "".join(c if c.isprintable() else _escaped(c) for c in some)
    return shown if longest is None or len(shown) <= longest else shown[: longest - 3] + "..."


def _escaped(c: str) -> str:
    return f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else c.encode("unicode_escape").decode("ascii")


def quoted(token: bytes | str, longest: int = 60) -> str:
    r"""A token from a file in backticks, fit to be shown: escaped where not printable, cut where long.

    >>> quoted(b"a\x00\xffb")
    '`a\\x00\\xffb`'
    """
    text = token if isinstance(token, str) else token[: 4 * longest + 4].decode("utf-8", "backslashreplace")
    return f"`{printable(text, longest)}`"


def quoted_path(path: str | os.PathLike[str]) -> str:
    """A path as `quoted`, but whole: all of it is needed to find the file."""
    return quoted(os.fsdecode(path), longest=4096)


def nearest(name: str, columns: Sequence[str]) -> str:
    """Which column may have been meant, for a sentence; nothing where none is near."""
    import difflib  # of use to errors alone

    near = [column for column in columns if column.lower() == name.lower()]
    near += difflib.get_close_matches(name, columns, n=1, cutoff=0.6)
    return f"did you mean {quoted(near[0])}? " if near else ""


def listed(columns: Sequence[str], most: int = 20) -> str:
    """The columns' names for a sentence, the first of them if they are many."""
    shown = ", ".join(quoted(column) for column in columns[:most])
    return shown if len(columns) <= most else f"{shown} and {len(columns) - most} more"


class UsageError(AfterwitError, ValueError):
    """Words that do not fit together; the command line prints the sentence and exits with 2."""
