"""One rule of features for every input: the same row has the same keys, values and predictions from all of them."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import afterwit as aw
from afterwit import Features
from afterwit._core import key_in_namespace, key_of_name
from afterwit.errors import DataError
from afterwit.learning import predictions
from afterwit.protocols import Batch, Labels, Wants
from afterwit.streams.arrays import rows_of

pd = pytest.importorskip("pandas", reason="needs pandas")
pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
pl = pytest.importorskip("polars", reason="needs polars")
pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

UTC, ROME = dt.timezone.utc, dt.timezone(dt.timedelta(hours=2))
NEWS = dt.timezone(-dt.timedelta(hours=4, minutes=30))


@dataclass(frozen=True)
class Cell:
    """A cell of the column `c` as Python, Arrow and CSV have it (None: CSV cannot say it), and its features."""

    value: Any
    kind: Any
    text: str | None
    features: dict[str, float]
    settings: dict[str, Any] = field(default_factory=dict)
    #: What it is by rules 1, where that is another thing: "refused" for an error; by CSV, where CSV is different.
    before: Any = None
    csv_before: Any = None


def parts(moment: dt.date) -> dict[str, float]:
    """The features of a date, or of a time without a zone."""
    found = {f"c.month={moment.month}": 1.0, f"c.weekday={moment.isoweekday()}": 1.0}
    if isinstance(moment, dt.datetime) and moment.time() != dt.time():
        found[f"c.hour={moment.hour}"] = 1.0
    day = moment.toordinal() - dt.date(1970, 1, 1).toordinal()
    return found | ({"c.day": float(day)} if day else {})


def a_date(value: dt.date, kind: Any, text: str, moment: dt.date | None = None) -> Cell:
    return Cell(value, kind, text, parts(moment or value), {"dates": ["c"]}, before="refused")


CATEGORICAL, TEXT, DATES = {"categorical": ["c"]}, {"text": ["c"]}, {"dates": ["c"]}
STAMP, ZONED = pa.timestamp("us"), pa.timestamp("us", "UTC")
CELLS = {
    "a number": Cell(3.5, pa.float64(), "3.5", {"c": 3.5}),
    "a negative one": Cell(-1e-30, pa.float64(), "-1e-30", {"c": -1e-30}),
    "a whole number": Cell(7, pa.int64(), "7", {"c": 7.0}),
    "a small one": Cell(-7, pa.int8(), "-7", {"c": -7.0}),
    "a float32": Cell(0.5, pa.float32(), "0.5", {"c": 0.5}),
    "zero": Cell(0, pa.int64(), "0", {}),
    "above 2^53": Cell(2**53 + 1, pa.int64(), str(2**53 + 1), {"c": 2.0**53}),
    "just above 2^53": Cell(2**53 + 3, pa.int64(), str(2**53 + 3), {"c": 2.0**53 + 4}),
    "above 2^63": Cell(2**64 - 1, pa.uint64(), str(2**64 - 1), {"c": 2.0**64}),
    "a decimal": Cell(Decimal("0.1"), pa.decimal128(20, 3), "0.1", {"c": 0.1}),
    "a long decimal": Cell(
        Decimal("12345678901234567.891"), pa.decimal128(30, 3), "12345678901234567.891", {"c": 12345678901234567.891}
    ),
    "a word": Cell("Rome", pa.string(), "Rome", {"c=Rome": 1.0}),
    "a foreign word": Cell("Zürich 1", pa.large_string(), "Zürich 1", {"c=Zürich 1": 1.0}),
    "a category": Cell("Rome", pa.dictionary(pa.int8(), pa.string()), "Rome", {"c=Rome": 1.0}),
    "a category of numbers": Cell(4, pa.dictionary(pa.int8(), pa.int64()), "4", {"c": 4.0}),
    "no word": Cell("", pa.string(), "", {}, before={"c=": 1.0}, csv_before={}),
    "null": Cell(None, pa.float64(), "", {}),
    "a null word": Cell(None, pa.string(), "NA", {}),
    "a null date": Cell(None, STAMP, "null", {}, DATES, before="refused"),
    "a null category": Cell(None, pa.int64(), "NaN", {}, CATEGORICAL),
    "true": Cell(True, pa.bool_(), "true", {"c": 1.0}, csv_before={"c=true": 1.0}),
    "True": Cell(True, pa.bool_(), "True", {"c": 1.0}, csv_before={"c=True": 1.0}),
    "FALSE": Cell(False, pa.bool_(), "FALSE", {}, csv_before={"c=FALSE": 1.0}),
    "no boolean": Cell("tRUE", pa.string(), "tRUE", {"c=tRUE": 1.0}),
    "categorical number": Cell(10001, pa.int64(), "10001", {"c=10001": 1.0}, CATEGORICAL),
    "categorical float": Cell(10001.0, pa.float64(), "10001", {"c=10001": 1.0}, CATEGORICAL),
    "categorical fraction": Cell(0.1, pa.float64(), "0.1", {"c=0.1": 1.0}, CATEGORICAL),
    "categorical small": Cell(1e-05, pa.float64(), "1e-05", {"c=1e-05": 1.0}, CATEGORICAL),
    "categorical large": Cell(1e22, pa.float64(), f"{10**22}", {f"c={10**22}": 1.0}, CATEGORICAL),
    "categorical zero": Cell(0, pa.int32(), "0", {"c=0": 1.0}, CATEGORICAL),
    "categorical -0.0": Cell(-0.0, pa.float64(), "0", {"c=0": 1.0}, CATEGORICAL),
    "categorical above 2^53": Cell(2**53 + 1, pa.int64(), str(2**53 + 1), {f"c={2**53 + 1}": 1.0}, CATEGORICAL),
    "categorical above 2^63": Cell(2**64 - 1, pa.uint64(), str(2**64 - 1), {f"c={2**64 - 1}": 1.0}, CATEGORICAL),
    "categorical boolean": Cell(True, pa.bool_(), "TRUE", {"c=True": 1.0}, CATEGORICAL),
    "categorical false": Cell(False, pa.bool_(), "false", {"c=False": 1.0}, CATEGORICAL),
    "categorical word": Cell("B2", pa.string(), "B2", {"c=B2": 1.0}, CATEGORICAL),
    "a boolean in a text": Cell("true", pa.string(), "TRUE", {"c=True": 1.0}, CATEGORICAL),
    "categorical decimal": Cell(Decimal("2.50"), pa.decimal128(9, 2), "2.5", {"c=2.5": 1.0}, CATEGORICAL),
    "categorical infinity": Cell("inf", pa.string(), "inf", {"c=inf": 1.0}, CATEGORICAL),
    "a text": Cell("Hello you, YOU", pa.string(), "Hello you, YOU", {"c^hello": 1.0, "c^you": 2.0}, TEXT),
    "a text of categories": Cell("a b", pa.dictionary(pa.int8(), pa.string()), "a b", {"c^a": 1.0, "c^b": 1.0}, TEXT),
    "a text that is a number": Cell(3.5, pa.float64(), "3.5", {"c^3": 1.0, "c^5": 1.0}, TEXT, before={"c": 3.5}),
    "a text that is zero": Cell(0, pa.int64(), "0", {"c^0": 1.0}, TEXT, before={}, csv_before={"c^0": 1.0}),
    "a text that is true": Cell(True, pa.bool_(), "True", {"c^true": 1.0}, TEXT, before={"c": 1.0}),
    "a date": a_date(dt.date(2026, 5, 1), pa.date32(), "2026-05-01"),
    "a date64": a_date(dt.date(2024, 2, 29), pa.date64(), "2024-02-29"),
    "the first date": a_date(dt.date(1970, 1, 1), pa.date32(), "1970-01-01"),
    "before it": a_date(dt.date(1969, 12, 31), pa.date32(), "1969-12-31"),
    "a date of old": a_date(dt.date(1, 1, 1), pa.date32(), "0001-01-01"),
    "a date to come": a_date(dt.datetime(9999, 12, 31, 23, 59, 59), pa.timestamp("s"), "9999-12-31 23:59:59"),
    "midnight": a_date(dt.datetime(2026, 5, 1), STAMP, "2026-05-01T00:00:00"),
    "after midnight": a_date(dt.datetime(2026, 5, 1, 0, 0, 0, 1), STAMP, "2026-05-01T00:00:00.000001"),
    "a time": a_date(dt.datetime(2026, 5, 1, 17, 45), pa.timestamp("ms"), "2026-05-01T17:45"),
    "a time of nanoseconds": a_date(dt.datetime(2026, 5, 1, 17), pa.timestamp("ns"), "2026-05-01 17:00:00.000000000"),
    "a time before 1970": a_date(dt.datetime(1960, 1, 31, 23, 59, 59, 5), STAMP, "1960-01-31 23:59:59.000005"),
    "UTC": a_date(
        dt.datetime(2026, 5, 1, 17, 45, tzinfo=UTC), ZONED, "2026-05-01T17:45:00Z", dt.datetime(2026, 5, 1, 17, 45)
    ),
    "a zone": a_date(
        dt.datetime(2026, 5, 1, 1, 30, tzinfo=ROME), ZONED, "2026-05-01 01:30+02:00", dt.datetime(2026, 4, 30, 23, 30)
    ),
    "a zone that is midnight": a_date(
        dt.datetime(2026, 4, 30, 19, 30, tzinfo=NEWS), ZONED, "2026-04-30T19:30:00-0430", dt.date(2026, 5, 1)
    ),
    "a date in text": Cell("2026-05-01", pa.string(), "2026-05-01", parts(dt.date(2026, 5, 1)), DATES, "refused"),
    "a date in categories": Cell(
        "2026-05-01", pa.dictionary(pa.int8(), pa.string()), "2026-05-01", parts(dt.date(2026, 5, 1)), DATES, "refused"
    ),
    "an empty date": Cell("", pa.string(), "", {}, DATES, "refused"),
    "nested": Cell(
        {"age": 3.5, "city": "Rome", "sold": True, "none": None, "zip": 5},
        pa.struct(
            {"age": pa.float64(), "city": pa.string(), "sold": pa.bool_(), "none": pa.float64(), "zip": pa.int64()}
        ),
        None,
        {"c^age": 3.5, "c^city=Rome": 1.0, "c^sold": 1.0, "c^zip": 5.0},
        before={"c^age": 3.5, "c^city=Rome": 1.0, "c^sold": 1.0, "c^zip": 5.0},
    ),
    "words": Cell(["Rome", "", "Oslo"], pa.list_(pa.string()), None, {"c=Rome": 1.0, "c=Oslo": 1.0}, before="refused"),
    "a word twice": Cell(["a", None, "a"], pa.large_list(pa.string()), None, {"c=a": 2.0}, before="refused"),
    "numbers": Cell([1.5, 0.0, -2.0], pa.list_(pa.float64()), None, {"c[0]": 1.5, "c[2]": -2.0}, before="refused"),
    "numbers and none": Cell(
        [1.5, None, 2.0], pa.list_(pa.float64()), None, {"c[0]": 1.5, "c[2]": 2.0}, before="refused"
    ),
    "whole numbers": Cell([0, 2**53 + 3], pa.list_(pa.int64()), None, {"c[1]": 2.0**53 + 4}, before="refused"),
    "booleans": Cell([True, False, True], pa.list_(pa.bool_()), None, {"c[0]": 1.0, "c[2]": 1.0}, before="refused"),
    "two numbers": Cell([0.5, 7.0], pa.list_(pa.float32(), 2), None, {"c[0]": 0.5, "c[1]": 7.0}, before="refused"),
    "nothing in an array": Cell([], pa.list_(pa.float64()), None, {}, before="refused"),
    "categories": Cell([10001, 7], pa.list_(pa.int64()), None, {"c=10001": 1.0, "c=7": 1.0}, CATEGORICAL),
    "texts": Cell(["Hello you", "YOU"], pa.list_(pa.string()), None, {"c^hello": 1.0, "c^you": 2.0}, TEXT, "refused"),
    "nested arrays": Cell(
        {"v": [1.0, 2.5], "w": ["a"]},
        pa.struct({"v": pa.list_(pa.float64()), "w": pa.list_(pa.string())}),
        None,
        {"c^v[0]": 1.0, "c^v[1]": 2.5, "c^w=a": 1.0},
        before="refused",
    ),
    "nested dates": Cell(
        {"born": dt.datetime(2026, 5, 1, 17)},
        pa.struct({"born": STAMP}),
        None,
        {name.replace("c.", "c^born."): value for name, value in parts(dt.datetime(2026, 5, 1, 17)).items()},
        before="refused",
    ),
}


def arrow(cell: Cell) -> Any:
    kind = cell.kind
    value = pa.array([cell.value], kind.value_type if pa.types.is_dictionary(kind) else kind)
    return pa.table({"c": value.dictionary_encode() if pa.types.is_dictionary(kind) else value, "k": [1.0]})


def frame(cell: Cell, **more: Any) -> Any:
    return pd.DataFrame({"c": pd.Series([cell.value], **more), "k": [1.0]})


def parquet(cell: Cell, folder: Path) -> Any:
    pq.write_table(arrow(cell), folder / "row.parquet")
    return str(folder / "row.parquet")


def csv(cell: Cell, folder: Path) -> Any:
    assert cell.text is not None
    path = folder / "row.csv"
    path.write_text(f'c,k\n"{cell.text}",1\n')
    return path


def json_lines(cell: Cell, folder: Path) -> Any:
    path = folder / "row.jsonl"
    text = str(cell.value) if isinstance(cell.value, Decimal) else json.dumps(cell.value, default=lambda _: cell.text)
    path.write_text(f'{{"c": {text}, "k": 1}}\n')
    return path


INPUTS: dict[str, Callable[[Cell, Path], Any]] = {
    "dict": lambda cell, _: [{"c": cell.value, "k": 1.0}],
    "iterable": lambda cell, _: [({"c": cell.value, "k": 1.0}, 0)],
    "CSV": csv,
    "JSON": json_lines,
    "pandas": lambda cell, _: frame(cell),
    "pandas of objects": lambda cell, _: frame(cell, dtype=object),
    "pandas of Arrow arrays": lambda cell, _: arrow(cell).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas from Arrow": lambda cell, _: arrow(cell).to_pandas(),
    "Polars": lambda cell, _: pl.DataFrame({"c": [cell.value], "k": [1.0]}),
    "Polars from Arrow": lambda cell, _: pl.from_arrow(arrow(cell)),
    "Arrow": lambda cell, _: arrow(cell),
    "Parquet": parquet,
}


def read(given: Any, wants: Wants) -> Batch:
    if isinstance(given, list) and isinstance(given[0], dict):
        return rows_of(given, wants=wants)
    [batch] = aw.read(given).batches(Labels("none"), wants=wants)
    return batch


def found(batch: Batch) -> tuple[list[int], list[float], list[str]]:
    """The features without zeros, which are as if they were not there."""
    assert batch.names is not None
    pairs = zip(batch.keys.tolist(), batch.values.tolist(), batch.names, strict=True)
    kept = [(key, value, name) for key, value, name in pairs if value != 0.0]
    return [each[0] for each in kept], [each[1] for each in kept], [each[2] for each in kept]


def key(name: str) -> int:
    space, _, inner = name.rpartition("^")
    return key_in_namespace(space, inner) if space else key_of_name(name)


def of(kind: str, cell: Cell) -> bool:
    """Whether an input can hold a cell."""
    old = isinstance(cell.value, dt.date) and cell.value.year in (1, 9999)
    if kind == "pandas from Arrow" and isinstance(cell.value, list) and None in cell.value:
        return False  # None becomes NaN there
    if kind == "pandas from Arrow" and old and pa.types.is_timestamp(cell.kind):
        return False  # it has nanoseconds alone, or none of so late
    if kind == "Polars" and isinstance(cell.value, (int, Decimal)) and cell.value > 2**63:
        return False
    if kind == "JSON":
        return "born" not in str(cell.value)
    return kind != "CSV" or cell.text is not None


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in INPUTS for name in CELLS if of(kind, CELLS[name])])
def test_every_input_gives_the_same_features(kind: str, name: str, tmp_path: Path) -> None:
    cell = CELLS[name]
    wants = Features(names="exact", interactions=["c*k"], **cell.settings).wants
    keys, values, names = found(read(INPUTS[kind](cell, tmp_path), wants))
    expected = {**cell.features, "k": 1.0}
    together: dict[str, float] = {}
    for each, value in zip(names, values, strict=True):
        together[each] = together.get(each, 0.0) + value
    assert together == expected
    assert keys == [key(each) for each in names]
    batch = read(INPUTS[kind](cell, tmp_path), wants)
    assert batch.groups is not None
    groups = {each for each, value in zip(batch.groups.tolist(), batch.values.tolist(), strict=True) if value != 0.0}
    column = aw.features.group("c")
    assert groups == ({column} if cell.features else set()) | {aw.features.group("k")}
    # And when nobody asks for names and groups.
    plain = read(INPUTS[kind](cell, tmp_path), Features(**cell.settings).wants)
    assert [k for k, v in zip(plain.keys.tolist(), plain.values.tolist(), strict=True) if v != 0.0] == keys
    np.testing.assert_array_equal(plain.values[plain.values != 0.0], np.array(values, plain.values.dtype))


@pytest.mark.parametrize("name", CELLS)
def test_every_input_gives_the_same_predictions(name: str, tmp_path: Path) -> None:
    cell = CELLS[name]
    row = {"c": cell.value, "k": 1.0}
    for settings in ({}, {"names": "exact"}, {"interactions": ["c*k"]}):
        model = aw.linear.AdaGrad(loss="squared", features=Features(**settings, **cell.settings))
        for y in (1.0, -2.0, 3.0):
            model.learn_one(row, y)
        expected = model.predict_one(row)
        assert model.predict_many([row])[0] == expected
        for kind, make in INPUTS.items():
            if kind != "dict" and of(kind, cell):
                [(_, raw)] = predictions(model, aw.read(make(cell, tmp_path)))
                assert raw.ravel()[0] == expected, kind


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in INPUTS for name in CELLS if of(kind, CELLS[name])])
def test_rules_1_are_what_they_were(kind: str, name: str, tmp_path: Path) -> None:
    cell = CELLS[name]
    if cell.before is None and cell.csv_before is None:
        return
    given = INPUTS[kind](cell, tmp_path)
    wants = Features(rules=1, names="exact", text=cell.settings.get("text", ())).wants
    typed = kind not in ("CSV",)
    expected = cell.before if typed else cell.csv_before
    if kind == "JSON" and isinstance(cell.value, dt.date):
        return  # it is a word
    if expected is None or (expected == "refused" and (not typed or isinstance(cell.value, str) or cell.value is None)):
        return
    struct_in_table = isinstance(cell.value, dict) and kind not in ("dict", "iterable", "JSON")
    if expected == "refused" or struct_in_table:
        with pytest.raises((DataError, TypeError), match=r"expected (numbers|a number)"):
            read(given, wants)
        return
    _, values, names = found(read(given, wants))
    assert dict(zip(names, values, strict=True)) == {**expected, "k": 1.0}


REFUSED = {
    "a span of time": (dt.timedelta(hours=1), pa.duration("us"), "such as its seconds"),
    "a time of day": (dt.time(17, 45), pa.time64("us"), "such as its (seconds|hours)"),
    "bytes": (b"x", pa.binary(), "expected"),
    "a list of lists": ([[1.0, 2.0]], pa.list_(pa.list_(pa.float64())), "in it; expected numbers or words"),
    "a list of mappings": ([{"a": 1.0}], pa.list_(pa.struct({"a": pa.float64()})), "in it; expected numbers or words"),
    "nested twice": ({"a": {"b": 1.0}}, pa.struct({"a": pa.struct({"b": pa.float64()})}), "expected"),
    "infinity": (math.inf, pa.float64(), "expected a finite number"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("kind", [kind for kind in INPUTS if kind != "CSV"])
def test_what_every_input_refuses(kind: str, name: str, tmp_path: Path) -> None:
    value, arrow_kind, sentence = REFUSED[name]
    if kind == "JSON" and not isinstance(value, (list, dict)):
        return  # it cannot be said
    cell = Cell(value, arrow_kind, None, {})
    with pytest.raises((DataError, TypeError), match=sentence):
        read(INPUTS[kind](cell, tmp_path), Wants(names=True))


@pytest.mark.parametrize("text", ["2026-13-01", "2026-02-29", "01/05/2026", "0000-01-01", "2026-05-01T25:00", "soon"])
@pytest.mark.parametrize("kind", INPUTS)
def test_text_that_is_no_date(kind: str, text: str, tmp_path: Path) -> None:
    cell = Cell(text, pa.string(), text, {})
    with pytest.raises((DataError, TypeError), match=r"expected (something like `|a date such as )2026-05-01"):
        read(INPUTS[kind](cell, tmp_path), Wants(dates=("c",)))


@pytest.mark.parametrize("kind", INPUTS)
def test_a_number_is_no_date(kind: str, tmp_path: Path) -> None:
    cell = Cell(20260501, pa.int64(), "20260501", {})
    with pytest.raises((DataError, TypeError), match=r"`?c`?.*(expected|is no date)"):
        read(INPUTS[kind](cell, tmp_path), Wants(dates=("c",)))


@pytest.mark.parametrize("how", [{"ignore": ["c"]}, {"keep": ["k"]}])
@pytest.mark.parametrize("rules", [1, 2])
@pytest.mark.parametrize("kind", INPUTS)
def test_a_column_that_is_not_looked_at_is_never_read(
    kind: str, rules: int, how: dict[str, Any], tmp_path: Path
) -> None:
    cell = Cell(dt.timedelta(1), pa.duration("us"), "inf", {})
    wants = Features(rules=rules, names="exact", **how).wants
    assert found(read(INPUTS[kind](cell, tmp_path), wants))[2] == ["k"]
    model = aw.linear.AdaGrad(loss="squared", features=Features(rules=rules, **how))
    model.learn_one({"c": dt.timedelta(1), "k": 1.0}, 1.0)
    assert model.predict_one({"k": 1.0}) == model.predict_one({"c": [], "k": 1.0}) != 0.0


@given(st.floats(allow_nan=False))
@example(0.0001)
@example(0.00012)
@example(0.001)
@example(1e16)
@example(123456789012345680.0)
@example(5e-324)
@example(1.7976931348623157e308)
def test_spelled_as_python_does(number: float) -> None:
    expected = repr(number) if math.isinf(number) or number != int(number) else str(int(number))
    batch = rows_of([{"c": number}], wants=Wants(names=True, categorical=("c",)))
    assert batch.names == [f"c={expected}"]
    if not math.isinf(number):
        table = pa.table({"c": [number, None]})
        assert rows_of(table, wants=Wants(names=True, categorical=("c",))).names == [f"c={expected}"]
