"""The sentences for bad lines of JSON."""

from __future__ import annotations

from afterwit._core import BadLine, Fault
from afterwit.errors import DataError, quoted
from afterwit.protocols import Labels
from afterwit.streams.csv_faults import A_DATE
from afterwit.streams.svmlight import SVMLIGHT
from afterwit.streams.whole_lines import Lines

_LINE = 'expected an object on a line of its own, such as {{"price": 3.5, "city": "Rome"}}'
_VALUE = "expected a number, a word in quotes, true, false, null, an object or an array"
_NUMBER = "expected digits such as 0.5 or -1e-3"
_WEIGHT = "expected a number, 0 or more"
#: What Python, NumPy and JavaScript write for numbers that JSON does not have.
_NOT_FINITE = ("nan", "inf", "infinity")

_SENTENCES = {
    Fault.json_no_object: "the line begins with {token}; " + _LINE,
    Fault.json_no_key: '{token} stands where a key{of} should be; expected one in double quotes, such as "price"',
    Fault.json_no_colon: '{token} stands behind a key{of}; expected a colon, as in "price": 3.5',
    Fault.json_no_value: "{token} stands where the value{of} should be; " + _VALUE,
    Fault.json_no_comma: "{token} stands behind a value{of}; expected a comma, or the bracket that closes",
    Fault.json_comma_too_many: "{token} stands behind the last value{of}; expected no comma there",
    Fault.json_not_closed: "{token}{of} is never closed; " + _LINE,
    Fault.json_more_behind: "{token} stands behind the object; " + _LINE,
    Fault.json_word: "the value{of} is {token}; " + _VALUE,
    Fault.json_number: "the value{of} is {token}, which is no number of JSON; " + _NUMBER,
    Fault.json_control: "{token} stands inside a string{of}; expected it to be escaped, as in \\n, \\t or \\u0000",
    Fault.json_escape: "{token}{of} is no escape; expected one such as \\n or \\u00e9 (a backslash is written twice)",
    Fault.json_surrogate: "{token}{of} is half of a character; expected two, such as \\ud83d\\ude00",
    Fault.json_too_deep: "objects and arrays inside of each other are more than 512 deep here{of}; expected fewer",
    Fault.json_key_twice: "the key {token}{of} comes twice; expected every key once",
    Fault.json_nested_twice: "the value{of} is an object inside an object inside the row; expected numbers, words or "
    "arrays in it (or leave its key out, with `ignore`)",
    Fault.json_array_mixed: "the array{of} has words and numbers, such as {token}; expected the one or the other "
    "(numbers that are words: name the key in `categorical`, or with `--categorical`)",
    Fault.json_array_nested: "the array{of} has {token} in it; expected numbers or words (or leave its key out, with "
    "`ignore`)",
    Fault.json_array_unread: "the value{of} is an array, which models of rules 1 do not know; expected a number, a "
    "word or an object (leave its key out, with `ignore`, or learn a new model)",
    Fault.label_nested: "the target {target} has {token}; expected a number, a word or a boolean (`_label` may "
    'be an object such as {{"Label": 1, "Weight": 2}})',
    Fault.label_missing: "the target {target} is missing{written}; expected a label in every row (name its key with "
    "`target`, or `--target KEY`)",
    Fault.weight_missing: "the weight {weight} is missing{written}; " + _WEIGHT,
    Fault.weight_not_number: "the weight {weight} is {token}, which is not a number; " + _WEIGHT,
    Fault.weight_negative: "the weight {weight} is {token}, which is negative; " + _WEIGHT,
    Fault.weight_too_large: "the weight {weight} is {token}, which is too large; expected at most 3.4028234e38",
    Fault.base_not_zero: "the initial prediction{of} is {token}, which is not supported; expected 0, or none",
    Fault.cell_no_date: "the value{of} is {token}, which is no date; " + A_DATE,
    Fault.text_not_utf8: "{token}{of} is not UTF-8; expected text in UTF-8",
}


def sentence(
    bad: BadLine, data: Lines, target: str, weight: str | None, labels: Labels, source: str, lines_before: int
) -> DataError:
    """The error for a bad line of `data`, before which the source had `lines_before` lines."""
    raw = bytes(data[bad.offset : bad.offset + bad.length])
    token = quoted(raw)
    key = quoted(bad.name)
    of = f" of {key}" if bad.name else ""
    if bad.fault in (Fault.json_word, Fault.json_number) and raw.lstrip(b"+-").lower().decode("latin-1") in _NOT_FINITE:
        message = f"the value of {key} is {token}, which is no JSON; expected null where a number is missing"
    elif not raw and bad.fault in (Fault.json_no_key, Fault.json_no_colon, Fault.json_no_value):
        begun = bytes(data[bad.offset - bad.column + 1 : bad.offset])
        message = f"the line ends inside the object {quoted(begun)}; expected all of it on one line"
    elif bad.fault == Fault.json_no_object and raw.startswith(b"["):
        message = f"the line begins with {token}; expected an object on each line (an array of them: jq -c '.[]' FILE)"
    elif bad.fault in _SENTENCES:
        message = _SENTENCES[bad.fault].format(
            token=token,
            of=of,
            target=quoted(target),
            weight=quoted(weight or f"{target}^Weight"),
            written="" if raw == b"}" else f" ({token})",
        )
    else:
        found = SVMLIGHT.error(bad, data, labels, source, lines_before).message
        message = f"key {key}: {found}" if bad.name else found
    return DataError(message, source=source, line=lines_before + bad.line, column=bad.column)
