"""What a format of one row a line brings: its name, its parser, and the sentences for its bad lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from afterwit._core import BadLine, Fault, Parsed
from afterwit.errors import DataError, quoted
from afterwit.protocols import ClassName, Labels, Wants
from afterwit.streams.labels import no_third

FLOAT32 = "expected a magnitude of at most 3.4028234e38, the largest float32"
_BINARY = (
    "expected -1 or +1, or 0 or 1 (two other labels: name them in `classes`; several classes: OneVsAll, or "
    "`--classes any`; numbers: a loss such as `squared`)"
)
#: The sentences that all formats share.
SENTENCES = {
    Fault.label_infinite: "label {token} is infinite; " + FLOAT32,
    Fault.label_not_binary: "label {token} is not allowed; " + _BINARY,
    Fault.label_not_integer: "label {token} is a number but not an integer; expected an integer or a word",
    Fault.label_too_large: "label {token} is too large; expected an integer below 2^63 in magnitude, or a word",
    Fault.label_not_utf8: "label {token} is not UTF-8; expected an integer or a word",
    Fault.value_infinite: "value {token} is infinite; " + FLOAT32,
    Fault.value_too_large: "value {token} is too large, as values are stored as float32; " + FLOAT32,
}


#: The faults of a label that is good for labels of another kind.
MISFITS = (Fault.label_not_number, Fault.label_not_binary, Fault.label_not_integer, Fault.label_unknown)


class TextParser(Protocol):
    """Parses text piece by piece; knows the classes it has met."""

    @property
    def classes(self) -> list[ClassName]: ...

    @property
    def class_count(self) -> int: ...

    def parse(self, data: Any, offset: int, final: bool, max_rows: int) -> Parsed:
        """Whole lines of data[offset:] (and the rest if final), at most max_rows rows."""


@dataclass(frozen=True)
class TextFormat:
    """A line format; `parser(kind, classes, skip, wants, ids)` makes the parser of one pass."""

    name: str
    parser: Callable[[str, list[str], bool, Wants, bool], TextParser]
    sentences: Mapping[Fault, str]
    #: What comes along with a row when it is asked for.
    ids: tuple[str, ...] = ()

    def error(
        self, bad: BadLine, data: bytes | memoryview, labels: Labels, source: str, lines_before: int
    ) -> DataError:
        """The error for a bad line of `data`, before which the source had `lines_before` lines."""
        token = quoted(bytes(data[bad.offset : bad.offset + bad.length]))
        if bad.fault == Fault.label_not_number:
            expected = _BINARY if labels.kind == "binary" else "expected something like `1` or `-2.5`"
            message = f"label {token} is not a number; {expected}"
        elif bad.fault == Fault.label_too_large and labels.kind == "real":
            message = f"label {token} is too large; {FLOAT32}"
        elif bad.fault == Fault.label_unknown:
            message = f"label {token} is not among the classes given; expected {_listed(labels)}{no_third(labels)}"
        else:
            message = {**SENTENCES, **self.sentences}[bad.fault].format(token=token)
        return DataError(message, source=source, line=lines_before + bad.line, column=bad.column)


def _listed(labels: Labels, most: int = 5) -> str:
    classes = labels.classes or ()
    shown = [quoted(str(name)) for name in classes[:most]]
    if len(classes) > most:
        return f"one of {', '.join(shown)} and {len(classes) - most} more"
    return " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
