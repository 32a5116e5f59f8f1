"""The sentences for bad lines of svmlight text."""

from __future__ import annotations

from afterwit._core import BadLine, Fault
from afterwit.errors import DataError, quoted
from afterwit.protocols import Labels

_PAIR = "expected something like `3:0.5`"
_INDEX = "expected an integer from 0 to 4294967295"
_FLOAT32 = "expected a magnitude of at most 3.4028234e38, the largest float32"
_BINARY = (
    "expected -1 or +1, or 0 or 1 (two other labels: name them in `classes`; several classes: OneVsAll, or "
    "`--classes any`; numbers: a loss such as `squared`)"
)

_SENTENCES = {
    Fault.label_missing: "feature {token} stands where the label should be; expected something like `1 3:0.5`",
    Fault.label_infinite: "label {token} is infinite; " + _FLOAT32,
    Fault.label_not_binary: "label {token} is not allowed; " + _BINARY,
    Fault.label_not_integer: "label {token} is a number but not an integer; expected an integer or a word",
    Fault.label_too_large: "label {token} is too large; expected an integer below 2^63 in magnitude, or a word",
    Fault.label_not_utf8: "label {token} is not UTF-8; expected an integer or a word",
    Fault.query_id: "{token} is for ranking, which is not supported; expected no `qid:`, so remove it",
    Fault.feature_without_colon: "feature {token} has no colon; " + _PAIR,
    Fault.feature_without_value: "feature {token} has no value; " + _PAIR,
    Fault.index_missing: "feature {token} has no index; " + _PAIR,
    Fault.index_negative: "index {token} is negative; " + _INDEX,
    Fault.index_not_integer: "index {token} is not a whole number; " + _INDEX,
    Fault.index_too_large: "index {token} is too large; " + _INDEX,
    Fault.value_not_number: "value {token} is not a number; " + _PAIR,
    Fault.value_infinite: "value {token} is infinite; " + _FLOAT32,
    Fault.value_too_large: "value {token} is too large, as values are stored as float32; " + _FLOAT32,
}


def sentence(bad: BadLine, data: bytes, labels: Labels, source: str, lines_before: int) -> DataError:
    """The error for a bad line of `data`, before which the source had `lines_before` lines."""
    token = quoted(data[bad.offset : bad.offset + bad.length])
    if bad.fault == Fault.label_not_number:
        expected = _BINARY if labels.kind == "binary" else "expected something like `1` or `-2.5`"
        message = f"label {token} is not a number; {expected}"
    elif bad.fault == Fault.label_too_large and labels.kind == "real":
        message = f"label {token} is too large; {_FLOAT32}"
    elif bad.fault == Fault.label_unknown:
        message = f"label {token} is not among the classes given; expected {_listed(labels)}"
    else:
        message = _SENTENCES[bad.fault].format(token=token)
    return DataError(message, source=source, line=lines_before + bad.line, column=bad.column)


def _listed(labels: Labels, most: int = 5) -> str:
    classes = labels.classes or ()
    shown = [quoted(str(name)) for name in classes[:most]]
    if len(classes) > most:
        return f"one of {', '.join(shown)} and {len(classes) - most} more"
    return " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
