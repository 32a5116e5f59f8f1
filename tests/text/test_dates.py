"""Dates as text and as numbers, against Python's own calendar."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from afterwit._core import CellRules, rows_of_columns, rows_of_mappings, time_column

RULES = CellRules(dates=["d"])
DAY_ONE = dt.date(1970, 1, 1).toordinal()


def features(cell: Any) -> dict[str, float]:
    """Those of a cell of a column of dates."""
    _, values, _, names, _ = rows_of_mappings([{"d": cell}], True, False, RULES)
    return dict(zip(names, values.tolist(), strict=True))


def slowly(moment: dt.datetime) -> dict[str, float]:
    """The same for a time without a zone."""
    found = {f"d.month={moment.month}": 1.0, f"d.weekday={moment.isoweekday()}": 1.0}
    if moment.time() != dt.time():
        found[f"d.hour={moment.hour}"] = 1.0
    return {**found, "d.day": float(moment.toordinal() - DAY_ONE)}


OFFSETS = st.integers(-1439, 1439).map(lambda minutes: dt.timezone(dt.timedelta(minutes=minutes)))


@given(st.datetimes(timezones=st.none() | OFFSETS))
@example(dt.datetime(1, 1, 1))
@example(dt.datetime(9999, 12, 31, 23, 59, 59, 999999))
@example(dt.datetime(2000, 2, 29))
@example(dt.datetime(1900, 3, 1, tzinfo=dt.timezone(dt.timedelta(minutes=1))))
def test_texts_and_datetimes_are_what_python_says(moment: dt.datetime) -> None:
    texts = [moment.isoformat(), moment.isoformat(" "), moment.isoformat().replace("T", "t")]
    try:
        naive = moment if moment.tzinfo is None else moment.astimezone(dt.timezone.utc).replace(tzinfo=None)
    except OverflowError:  # not in the years 1 to 9999 in UTC
        for cell in (*texts, moment):
            with pytest.raises(TypeError, match="of the years 1 to 9999"):
                features(cell)
        return
    for cell in (*texts, moment):
        assert features(cell) == slowly(naive)
    assert features(moment.date()) == slowly(dt.datetime.combine(moment.date(), dt.time()))


@pytest.mark.parametrize(
    "text",
    [
        *("2026-05-01T17:45", "2026-05-01 17:45:00", "2026-05-01T17:45:00.000000000Z", "2026-05-01T17:45z"),
        *("2026-05-01T19:45+02:00", "2026-05-01T19:45+0200", "2026-05-01T19:45+02", "2026-05-01T17:45-00:00"),
        *("2026-05-02T00:15+06:30", "2026-04-30T18:00-2345"),
    ],
)
def test_one_moment_in_many_texts(text: str) -> None:
    assert features(text) == slowly(dt.datetime(2026, 5, 1, 17, 45))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "2026",
            "2026-05",
            "20260501",
            "2026-5-1",
            "2026-05-1",
            "26-05-01",
            "2026/05/01",
            "01.05.2026",
            "+2026-05-01",
        ),
        *(
            "2026-00-01",
            "2026-13-01",
            "2026-01-00",
            "2026-01-32",
            "2025-02-29",
            "1900-02-29",
            "2026-04-31",
            "0000-01-01",
        ),
        *("2026-05-01T", "2026-05-01 ", "2026-05-01T1", "2026-05-01T17", "2026-05-01T17:4", "2026-05-01T24:00"),
        *("2026-05-01T17:60", "2026-05-01T17:45:60", "2026-05-01T17:45:00.", "2026-05-01T17:45:00,5", "2026-05-01Z"),
        *("2026-05-01T17:45+24:00", "2026-05-01T17:45+02:60", "2026-05-01T17:45+2", "2026-05-01T17:45+02:", "noon"),
        *("2026-05-01T17:45 Z", "2026-05-01T17:45ZZ", "2026-05-01T17:45+02:00:00", "2026-05-01x17:45", " 2026-05-01"),
        *("2026-05-01T17:45+0", "2026-05-01-02:00", "２026-05-01", "2026-05-01\0"),
    ],
)
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(TypeError, match="expected a date such as 2026-05-01 or 2026-05-01T17:45:00"):
        features(text)


@given(st.text("0123456789-:T Z+.", max_size=24))
def test_no_text_is_misread(text: str) -> None:
    try:
        found = features(text)
    except TypeError:
        return
    if text:
        known = dt.datetime.fromisoformat(text[:10])
        assert abs(found["d.day"] - (known.toordinal() - DAY_ONE)) <= 1


UNITS = {"D": 1, "h": 24, "m": 1440, "s": 86400, "ms": 86400 * 10**3, "us": 86400 * 10**6, "ns": 86400 * 10**9}


@pytest.mark.parametrize("unit", UNITS)
@given(data=st.data())
def test_times_as_numbers_of_every_unit(unit: str, data: st.DataObject) -> None:
    low, high = dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59)
    if unit == "ns":
        low, high = dt.datetime(1678, 1, 1), dt.datetime(2262, 1, 1)
    times = np.array(data.draw(st.lists(st.datetimes(low, high), min_size=1, max_size=3)), dtype=f"M8[{unit}]")
    column = time_column("d", times.view(np.int64), UNITS[unit], CellRules())
    _, values, starts, names, _, bad = rows_of_columns([column], len(times), True, False)
    assert bad is None
    for row, time in enumerate(times):
        expected = slowly(time.astype("M8[us]").item())
        part = slice(int(starts[row]), int(starts[row + 1]))
        assert dict(zip(names[part], values[part], strict=True)) == {k: v for k, v in expected.items() if v}
        assert features(time) == expected


@pytest.mark.parametrize(("days", "unit"), [(-719163, "D"), (2932897, "D"), (2**62, "us"), (-(2**63) + 1, "s")])
def test_times_of_other_years_are_refused(days: int, unit: str) -> None:
    column = time_column("d", np.array([0, days]), UNITS[unit], CellRules())
    assert rows_of_columns([column], 2, True, False)[5] == (1, 0, None)
    assert rows_of_columns([time_column("d", np.array([-(2**63)]), 1, CellRules())], 1, True, False)[3] == []


def test_units_that_there_are_not() -> None:
    for per_day in (0, -1, 2, 25):
        with pytest.raises(ValueError, match="per_day"):
            time_column("d", np.array([0]), per_day, CellRules())


def test_offsets_of_microseconds() -> None:
    zone = dt.timezone(dt.timedelta(microseconds=1))
    assert features(dt.datetime(2026, 5, 1, tzinfo=zone)) == slowly(dt.datetime(2026, 4, 30, 23, 59, 59, 999999))
    assert features(dt.datetime(2026, 5, 1, 0, 0, 0, 1, tzinfo=zone)) == slowly(dt.datetime(2026, 5, 1))
