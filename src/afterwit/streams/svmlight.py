"""svmlight: `label index:value index:value ... # comment`, one row a line."""

from __future__ import annotations

from afterwit._core import Fault, SvmlightParser
from afterwit.protocols import Wants
from afterwit.streams.text_format import TextFormat, TextParser

_PAIR = "expected something like `3:0.5`"
_INDEX = "expected an integer from 0 to 4294967295"


def _parser(kind: str, classes: list[str], skip: bool, wants: Wants, ids: bool) -> TextParser:
    """A feature's name is its index, and it has no group; a row has no id."""
    return SvmlightParser(kind, classes, skip, wants.packed)


SVMLIGHT = TextFormat(
    "svmlight",
    _parser,
    {
        Fault.label_missing: "feature {token} stands where the label should be; expected something like `1 3:0.5`",
        Fault.query_id: "{token} is for ranking, which is not supported; expected no `qid:`, so remove it",
        Fault.feature_without_colon: "feature {token} has no colon; " + _PAIR,
        Fault.feature_without_value: "feature {token} has no value; " + _PAIR,
        Fault.index_missing: "feature {token} has no index; " + _PAIR,
        Fault.index_negative: "index {token} is negative; " + _INDEX,
        Fault.index_not_integer: "index {token} is not a whole number; " + _INDEX,
        Fault.index_too_large: "index {token} is too large; " + _INDEX,
        Fault.value_not_number: "value {token} is not a number; " + _PAIR,
    },
)
