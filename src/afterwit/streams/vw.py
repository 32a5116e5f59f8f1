"""Vowpal Wabbit's text: `label [weight [base]] ['tag] |namespace[:scale] name[:value] ...`, one row a line."""

from __future__ import annotations

from afterwit._core import Fault, VwParser
from afterwit.protocols import Wants
from afterwit.streams.text_format import FLOAT32, TextFormat, TextParser

_LINE = "expected something like `1 | price:0.5 red`"
_PAIR = "expected something like `price:0.5`, or `price` alone for the value 1"
_WEIGHT = "expected a finite number, 0 or more"
_SCALE = "expected something like `|user:0.5`"


def _parser(kind: str, classes: list[str], skip: bool, wants: Wants, ids: bool) -> TextParser:
    return VwParser(kind, classes, skip, wants.names, wants.groups, wants.packed, ids)


VW = TextFormat(
    "VW text",
    _parser,
    {
        Fault.label_missing: "there is no label before the {token}; " + _LINE + " (a word right before the bar, "
        "without a space between, is a tag)",
        Fault.bar_missing: "the line that begins with {token} has no `|`; " + _LINE,
        Fault.label_shared: "{token} begins a row of several lines, which is not supported; " + _LINE,
        Fault.label_of_several: "label {token} gives costs or probabilities of actions, which is not supported; "
        "expected one label without a colon",
        Fault.weight_not_number: "weight {token} is not a number; " + _WEIGHT,
        Fault.weight_negative: "weight {token} is negative; " + _WEIGHT,
        Fault.weight_too_large: "weight {token} is too large; " + FLOAT32,
        Fault.base_not_zero: "initial prediction {token} is not supported; expected 0, or nothing after the weight",
        Fault.word_before_bar: "{token} stands before the `|`; expected a label, a weight and a tag such as `'row7` "
        "at most",
        Fault.scale_not_number: "scale {token} of a namespace is not a number; " + _SCALE,
        Fault.scale_too_large: "scale {token} of a namespace is too large; " + FLOAT32,
        Fault.name_missing: "feature {token} has no name; " + _PAIR,
        Fault.feature_without_value: "feature {token} has no value; " + _PAIR,
        Fault.value_not_number: "value {token} is not a number; " + _PAIR,
        Fault.scaled_value_too_large: "value {token}, times the scale of its namespace, is too large, as values are "
        "stored as float32; " + FLOAT32,
    },
    ("tag",),
)
