"""The sentences for bad records of a CSV."""

from __future__ import annotations

from collections.abc import Sequence

from afterwit._core import BadLine, Fault
from afterwit.errors import DataError, quoted
from afterwit.protocols import Labels
from afterwit.streams.csv_records import too_long
from afterwit.streams.svmlight import SVMLIGHT

A_DATE = "expected something like `2026-05-01` or `2026-05-01T17:45:00+02:00`, of the years 1 to 9999"
_WEIGHT = "expected a number, 0 or more"

_SENTENCES = {
    Fault.label_missing: "the target {heading} is missing{written}; expected a label in every record",
    Fault.weight_missing: "the weight {heading} is missing{written}; " + _WEIGHT,
    Fault.weight_not_number: "the weight {heading} is {token}, which is not a number; " + _WEIGHT,
    Fault.weight_negative: "the weight {heading} is {token}, which is negative; " + _WEIGHT,
    Fault.weight_too_large: "the weight {heading} is {token}, which is too large; expected at most 3.4028234e38",
    Fault.record_too_short: "the record ends before {heading}; expected {expected} as in the header, found {found}",
    Fault.record_too_long: "{token} is one field too many; expected {expected} as in the header, found {found}",
    Fault.quote_not_closed: "the quote that opens {heading} here is never closed; expected another before the end",
    Fault.text_after_quote: "{token} stands behind the closing quote of {heading}; expected the separator or the end "
    "of the line (a quote inside quotes is written twice)",
    Fault.cell_infinite: "column {heading}: {token} is no finite number; expected one, or an empty cell where it is "
    "missing (a column of words: name it in `categorical`, or with `--categorical`)",
    Fault.cell_no_date: "column {heading}: {token} is no date; " + A_DATE,
    Fault.text_not_utf8: "column {heading}: {token} is not UTF-8; expected text in UTF-8",
}


def sentence(
    bad: BadLine, data: bytes, columns: Sequence[str], labels: Labels, source: str, lines_before: int
) -> DataError:
    """The error for a bad record of `data`, before which the source had `lines_before` lines."""
    heading = quoted(columns[bad.field]) if bad.field < len(columns) else ""
    if bad.fault == Fault.record_too_large:
        message = too_long()
    elif bad.fault in _SENTENCES:
        message = _SENTENCES[bad.fault].format(
            heading=heading,
            token=(token := quoted(data[bad.offset : bad.offset + bad.length])),
            written=f" ({token})" if bad.length else "",
            expected=_fields(len(columns)),
            found=bad.fields,
        )
    else:
        message = f"column {heading}: {SVMLIGHT.error(bad, data, labels, source, lines_before).message}"
    return DataError(message, source=source, line=lines_before + bad.line, column=bad.column)


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"
