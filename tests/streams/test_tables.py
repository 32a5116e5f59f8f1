"""Tables give the same keys, values, names and groups, in the same order, as the dicts of their rows."""

from __future__ import annotations

import datetime
import math
import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import afterwit as aw
from afterwit.errors import DataError
from afterwit.protocols import Batch, Labels, Position, Wants
from afterwit.streams.arrays import rows_of

pd = pytest.importorskip("pandas", reason="needs pandas")
pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
pl = pytest.importorskip("polars", reason="needs polars")
pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

ALL = Wants(names=True, groups=True, text=("text",))
COLUMNS: dict[str, list[Any]] = {
    "price": [1.5, 0.0, None, -2.25, 1e-30, 3e38],
    "count": [3, 0, -7, 2**53, 2**24 + 1, 1],
    "sold": [True, False, True, True, False, None],
    "city": ["Rome", "", None, "Paris", "Zürich", "Rome"],
    "text": ["Hello you, you", "", None, "a_b  C", "Été à Rome 17", "!"],
    "shop": ["u", "v", "u", None, "w", "u"],
    "17": [1.0, 2.0, None, 0.0, 1.0, 1.0],
    "rare": [1.0, None, 1.0, 1.0, 1.0, 1.0],
    "a=b": ["c", "d", "e", "f", "g", "h"],
}
ROWS = 6


def arrow() -> Any:
    table = pa.table(COLUMNS)
    shop = table.column_names.index("shop")
    return table.set_column(shop, "shop", table.column("shop").combine_chunks().dictionary_encode())


def frame() -> Any:
    made = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in COLUMNS.items()})
    kinds = {"price": "float64", "count": "int64", "sold": "boolean", "shop": "category", "17": "Float64"}
    return made.astype(kinds)


def as_dicts(columns: dict[str, list[Any]], rows: int, text: Collection[str] = ()) -> list[dict[str, Any]]:
    """The rows as dicts, without empty cells and zeros; in a text a zero is a word."""
    cells = [{name: column[row] for name, column in columns.items()} for row in range(rows)]
    return [{name: cell for name, cell in row.items() if not is_nothing(cell, name in text)} for row in cells]


def is_nothing(cell: Any, is_text: bool) -> bool:
    return cell is None or (not isinstance(cell, str) and (math.isnan(cell) or (cell == 0 and not is_text)))


def check_same(found: Batch, expected: Batch) -> None:
    np.testing.assert_array_equal(found.keys, expected.keys)
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.starts, expected.starts)
    assert found.names == expected.names
    if expected.groups is None:
        assert found.groups is None
    else:
        np.testing.assert_array_equal(found.groups, expected.groups)


TABLES: dict[str, Callable[[], Any]] = {
    "pandas": frame,
    "pandas with default types": lambda: pd.DataFrame(COLUMNS),
    "pandas of Arrow arrays": lambda: arrow().to_pandas(types_mapper=pd.ArrowDtype),
    "pandas with another index": lambda: frame().set_index(np.arange(ROWS)[::-1]),
    "Arrow table": arrow,
    "Arrow table in chunks": lambda: pa.concat_tables([arrow().slice(0, 1), arrow().slice(1, 2), arrow().slice(3)]),
    "Arrow large strings": lambda: arrow().set_column(3, "city", pa.array(COLUMNS["city"], pa.large_string())),
    "Arrow record batch": lambda: arrow().to_batches()[0],
    "Arrow reader": lambda: arrow().to_reader(max_chunksize=4),
    "Polars": lambda: pl.from_arrow(arrow()),
    "Polars, lazy": lambda: pl.from_arrow(arrow()).lazy(),
    "Polars strings": lambda: pl.DataFrame(COLUMNS, strict=False),
    "an exporter": lambda: Exporter(arrow()),
}


class Exporter:
    """Knows how to export an Arrow stream, and nothing else."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("wants", [Wants(), Wants(names=True), ALL, Wants(text=("city", "shop", "price"))])
@pytest.mark.parametrize("kind", TABLES)
def test_a_table_gives_what_the_dicts_of_its_rows_give(kind: str, wants: Wants) -> None:
    check_same(rows_of(TABLES[kind](), wants=wants), rows_of(as_dicts(COLUMNS, ROWS, wants.text), wants=wants))


@pytest.mark.parametrize("batch_rows", [1, 2, 5, 100])
@pytest.mark.parametrize("kind", TABLES)
def test_a_stream_gives_the_same_and_leaves_the_target_out(kind: str, batch_rows: int) -> None:
    stream = aw.read(TABLES[kind](), target="count", batch_rows=batch_rows)
    batches = list(stream.batches(Labels("real"), wants=ALL))
    columns = {name: cells for name, cells in COLUMNS.items() if name != "count"}
    expected = rows_of(as_dicts(columns, ROWS), wants=ALL)
    assert all(len(batch) <= batch_rows for batch in batches)
    assert [name for batch in batches for name in batch.names or []] == expected.names
    np.testing.assert_array_equal(np.concatenate([batch.keys for batch in batches]), expected.keys)
    np.testing.assert_array_equal(np.concatenate([batch.y for batch in batches]), COLUMNS["count"])
    assert batches[-1].position == Position(rows=ROWS)
    assert stream.rereadable == (kind != "Arrow reader")


#: The cells of a column of each type.
CELLS = {
    pa.float64(): st.floats(-3e38, 3e38),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.bool_(): st.booleans(),
    pa.string(): st.text(max_size=12),
    pa.large_string(): st.text("ab =^!é", max_size=12),
    pa.dictionary(pa.int8(), pa.string()): st.text("abc", max_size=2),
}
#: A type, and a few cells that come again and again: to make each cell anew takes longer than all that is tested.
COLUMN = st.one_of(
    [st.tuples(st.just(kind), st.lists(st.none() | each, min_size=1, max_size=3)) for kind, each in CELLS.items()]
)
NAME = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=3)


@given(st.dictionaries(NAME, COLUMN, min_size=1, max_size=5), st.integers(1, 8), st.integers(0, 8))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_table_gives_what_its_dicts_give(made: dict[str, tuple[Any, list[Any]]], rows: int, skip: int) -> None:
    skip = min(skip, rows)
    columns = {name: [cells[row % len(cells)] for row in range(rows)] for name, (_, cells) in made.items()}
    wants = Wants(names=True, groups=True, text=tuple(list(columns)[:2]))
    given = as_dicts({name: cells[skip:] for name, cells in columns.items()}, rows - skip, wants.text)
    expected = rows_of(given, wants=wants)
    whole = pa.table({name: pa.array(cells, made[name][0]) for name, cells in columns.items()})
    check_same(rows_of(whole.slice(skip), wants=wants), expected)
    check_same(rows_of(pl.from_arrow(whole).slice(skip), wants=wants), expected)
    objects = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})
    check_same(rows_of(objects.iloc[skip:], wants=wants), expected)
    check_same(rows_of(whole.to_pandas(types_mapper=pd.ArrowDtype).iloc[skip:], wants=wants), expected)


def test_objects_of_several_kinds_in_one_column() -> None:
    cells = [1, "one", None, 2.5, np.float32(0.5), True, 0, math.nan, "", np.int64(4), Decimal("1.5")]
    table = pd.DataFrame({"a": pd.Series(cells, dtype=object), "b": ["x"] * len(cells)})
    expected = rows_of(as_dicts({"a": cells, "b": ["x"] * len(cells)}, len(cells)), wants=ALL)
    check_same(rows_of(table, wants=ALL), expected)


@pytest.mark.parametrize(
    "categories", [[3, 4, None, 3], [1.5, None, 0.0, 2.0], ["a", 1, None, "a"], [True, False, True, None]]
)
def test_categories_that_are_not_strings(categories: list[Any]) -> None:
    expected = rows_of(as_dicts({"c": categories}, 4), wants=ALL)
    check_same(rows_of(pd.DataFrame({"c": pd.Categorical(categories)}), wants=ALL), expected)
    if not any(isinstance(category, str) for category in categories):
        encoded = pa.array(categories).dictionary_encode()
        check_same(rows_of(pa.table({"c": encoded}), wants=ALL), expected)


@pytest.mark.parametrize("wants", [ALL, Wants(names=True, text=("c",))], ids=["word", "text"])
def test_a_category_that_is_missing(wants: Wants) -> None:
    codes, categories = [0, 1, 2, None, 1], ["a b", None, ""]
    table = pa.table({"c": pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(categories))})
    cells = [None if code is None else categories[code] for code in codes]
    check_same(rows_of(table, wants=wants), rows_of(as_dicts({"c": cells}, len(codes)), wants=wants))


def test_dictionaries_that_change_from_chunk_to_chunk() -> None:
    cells = [["a", "b", "a"], ["b", "c", None], ["c", "a", "b"]]
    table = pa.table({"c": pa.chunked_array([pa.array(part).dictionary_encode() for part in cells])})
    assert table.column("c").chunk(0).dictionary != table.column("c").chunk(1).dictionary
    together = [cell for part in cells for cell in part]
    check_same(rows_of(table, wants=ALL), rows_of(as_dicts({"c": together}, 9), wants=ALL))


def test_every_width_of_numbers() -> None:
    kinds = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32]
    columns = {np.dtype(kind).name: np.array([0, 1, 100], dtype=kind) for kind in kinds}
    expected = rows_of(as_dicts({name: column.tolist() for name, column in columns.items()}, 3), wants=ALL)
    check_same(rows_of(pd.DataFrame(columns), wants=ALL), expected)
    check_same(rows_of(pa.table(columns), wants=ALL), expected)


@pytest.mark.parametrize("kind", TABLES)
def test_no_rows(kind: str) -> None:
    table = TABLES[kind]()
    if hasattr(table, "slice"):
        table = table.slice(0, 0)
    elif hasattr(table, "iloc"):
        table = table.iloc[:0]
    else:
        table = arrow().schema.empty_table()
    check_same(rows_of(table, wants=ALL), rows_of([], wants=ALL))


def test_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    table = frame()
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    check_same(rows_of(table, wants=ALL), rows_of(as_dicts(COLUMNS, ROWS), wants=ALL))
    with pytest.raises(DataError, match=r"needs the package `pyarrow`: pip install 'afterwit\[arrow\]'"):
        rows_of(Exporter(None))


# Labels


def labels_of(table: Any, kind: str, classes: tuple[Any, ...] | None = None, **more: Any) -> tuple[Any, Any]:
    batches = list(aw.read(table, target="y", batch_rows=2, **more).batches(Labels(kind, classes)))
    return np.concatenate([batch.y for batch in batches]).tolist(), batches[-1].classes


@pytest.mark.parametrize("make", [pd.DataFrame, pa.table, pl.DataFrame])
def test_labels(make: Callable[..., Any]) -> None:
    x = [1.0, 2.0, 3.0]
    assert labels_of(make({"y": [1, 0, 1], "x": x}), "binary")[0] == [1.0, -1.0, 1.0]
    assert labels_of(make({"y": [True, False, True], "x": x}), "binary")[0] == [1.0, -1.0, 1.0]
    assert labels_of(make({"y": ["no", "yes", "no"], "x": x}), "binary", ("no", "yes"))[0] == [-1.0, 1.0, -1.0]
    assert labels_of(make({"y": ["no", "yes", "no"], "x": x}), "binary", classes=["yes", "no"])[0] == [1.0, -1.0, 1.0]
    assert labels_of(make({"y": ["b", "a", "b"], "x": x}), "classes") == ([0.0, 1.0, 0.0], ("b", "a"))
    assert labels_of(make({"y": [2**60 + 1, 5, 7], "x": x}), "classes") == ([0.0, 1.0, 2.0], (2**60 + 1, 5, 7))
    assert labels_of(make({"y": [2.5, -1.0, 0.0], "x": x}), "real")[0] == [2.5, -1.0, 0.0]


def test_labels_of_categories() -> None:
    for cells in [["b", "a", "b"], [3, 5, 3]]:
        table = pd.DataFrame({"y": pd.Categorical(cells), "x": [1.0, 2.0, 3.0]})
        assert labels_of(table, "classes") == ([0.0, 1.0, 0.0], tuple(cells[:2]))
        assert labels_of(pa.Table.from_pandas(table), "classes") == ([0.0, 1.0, 0.0], tuple(cells[:2]))


def test_labels_beside_the_table() -> None:
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    for source in [table, pa.Table.from_pandas(table)]:
        stream = aw.read(source, [1, 0, 1], [1.0, 2.0, 0.0], batch_rows=2)
        batches = list(stream.batches(Labels("binary")))
        assert [batch.y.tolist() for batch in batches] == [[1.0, -1.0], [1.0]]
        assert [batch.weight.tolist() for batch in batches if batch.weight is not None] == [[1.0, 2.0], [0.0]]
    with pytest.raises(DataError, match="y has 2 entries, expected 3"):
        aw.read(table, [1, 0])
    with pytest.raises(DataError, match="give one of the two"):
        aw.read(table, [1, 0, 1], target="x")


@pytest.mark.parametrize("make", [pd.DataFrame, pa.table, pl.DataFrame])
@pytest.mark.parametrize("target", [None, "y", "absent"])
def test_labels_of_no_kind(make: Callable[..., Any], target: str | None) -> None:
    table = make({"x": [1.0, 2.0], "y": [None, "a"]})
    [batch] = aw.read(table, target=target).batches(Labels("none"), wants=Wants(names=True))
    assert batch.y.tolist() == [0.0, 0.0]
    assert batch.names == (["x", "x"] if target == "y" else ["x", "x", "y=a"])


def test_weights() -> None:
    table = pd.DataFrame({"x": [1.0, 2.0], "h": [0.5, 3.0], "y": [1, 0]})
    [batch] = aw.read(table, target="y", weight="h").batches(Labels("binary"), wants=Wants(names=True))
    assert batch.weight is not None
    assert batch.weight.tolist() == [0.5, 3.0]
    assert batch.names == ["x", "x"]


# Bad tables


def bad(make: Callable[..., Any], columns: dict[str, Any], kind: str = "binary", **more: Any) -> str:
    with pytest.raises(DataError) as caught:
        list(aw.read(make(columns), **{"target": "y", "batch_rows": 2, **more}).batches(Labels(kind)))
    return str(caught.value)


Y = [1, 0, 1]


@pytest.mark.parametrize("make", [pd.DataFrame, pa.table, pl.DataFrame])
@pytest.mark.parametrize(
    ("columns", "kind", "parts"),
    [
        ({"x": [1.0, 2.0, math.inf], "y": Y}, "binary", ["row 3, column `x`", "`inf`"]),
        ({"x": [1.0, -math.inf, math.inf], "y": Y}, "binary", ["row 2, column `x`", "`-inf`"]),
        ({"a": [1.0, 1.0, 1e39], "x": [1.0, 1.0, 1.0], "y": Y}, "binary", ["row 3, column `a`", "`1e+39`", "32-bit"]),
        ({"x": [1.0, 2.0, 3.0], "y": [1.0, None, 0.0]}, "binary", ["row 2, column `y`", "the label is missing"]),
        ({"x": [1.0, 2.0, 3.0], "y": ["a", "b", None]}, "classes", ["row 3, column `y`", "the label is missing"]),
        ({"x": [1.0, 2.0, 3.0], "y": [1, 0, 3]}, "binary", ["row 3", "the label is `3`"]),
        ({"x": [1.0, 2.0, 3.0], "y": [1, 0, math.inf]}, "real", ["row 3", "the label is `inf`"]),
        ({"x": [1.0, 2.0, 3.0], "y": [1, 0, 2.5]}, "classes", ["row 3", "2.5"]),
        ({"x": [1.0, 2.0, 3.0], "z": Y}, "binary", ["target is `y`", "no such column", "`x`, `z`"]),
        ({"d": [datetime.timedelta(1)] * 3, "y": Y}, "binary", ["column `d`", "as a number, such as its seconds"]),
        ({"d": [[[1]], [[2]], [[3]]], "y": Y}, "binary", ["column `d`", "expected", "drop or convert"]),
        ({"d": [b"1", b"2", b"3"], "y": Y}, "binary", ["column `d`", "expected", "drop or convert"]),
        ({"x": [1.0, 2.0, 3.0], "y": [datetime.datetime(2020, 1, 1)] * 3}, "real", ["column `y`", "drop or convert"]),
    ],
)
def test_bad_tables(make: Callable[..., Any], columns: dict[str, Any], kind: str, parts: list[str]) -> None:
    if make is pl.DataFrame:
        columns = pl.DataFrame(columns, strict=False).to_dict()
    elif make is pa.table and columns.get("y") == [1, 0, math.inf]:
        columns = {**columns, "y": [1.0, 0.0, math.inf]}
    elif make is pa.table and columns.get("y") == [1, 0, 2.5]:
        columns = {**columns, "y": [1.0, 0.0, 2.5]}
    message = bad(make, columns, kind)
    assert all(part in message for part in parts), message


def test_bad_frames() -> None:
    make = pd.DataFrame
    assert "row 2, column `d`: the cell is `datetime.time(1, 0)`, a time of day" in bad(
        make, {"d": pd.Series(["a", datetime.time(1), "b"], dtype=object), "y": Y}
    )
    assert "row 3, column `s`: the cell is `'\\ud800'`" in bad(
        make, {"s": pd.Series(["a", "b", "\ud800"], dtype=object), "y": Y}
    )
    assert "a column's name is `('a', 1)`" in bad(lambda c: pd.DataFrame(c, columns=["y", ("a", 1)]), {"y": Y})
    assert "complex128" in bad(make, {"x": [1j, 2j, 3j], "y": Y})
    assert "Name it with `target`; the columns are `x`, `y`" in bad(make, {"x": Y, "y": Y}, target=None)
    assert "weight is `h`, and there is no such column" in bad(make, {"x": Y, "y": Y}, weight="h")
    assert "row 3: the weight is `-1`" in bad(make, {"x": Y, "y": Y, "h": [1, 1, -1]}, weight="h")
    with pytest.raises(DataError, match="two columns are named `a`; rename or drop one"):
        aw.read(pd.DataFrame([[1, 2]], columns=["a", "a"]), target="a")
    with pytest.raises(DataError, match="two columns are named `1`"):
        rows_of(pd.DataFrame([[1, 2]], columns=["1", 1]))
    with pytest.raises(DataError, match="the Arrow stream is not a table"):
        rows_of(Exporter(pa.chunked_array([[1, 2]])))
    with pytest.raises(DataError, match="has a zero byte in its name; rename it"):
        rows_of(pl.DataFrame({"a\0b": [1]}))
    buffers = [None, pa.py_buffer(np.array([0, 2], np.int32)), pa.py_buffer(b"\xff\xfe")]
    with pytest.raises(DataError, match="Table, rows 1 to 1: a string is not UTF-8"):
        rows_of(pa.table({"s": pa.Array.from_buffers(pa.string(), 1, buffers)}), wants=ALL)
    with pytest.raises(DataError, match="goes with text"):
        aw.read(pd.DataFrame({"y": Y}), target="y", on_error="skip")


# Learners, resuming


def made_up(rows: int = 500) -> Any:
    rng = np.random.default_rng(1)
    x, city = rng.normal(size=rows), rng.choice(["Rome", "Paris", "Oslo"], rows)
    return pd.DataFrame({"x": x, "city": city, "y": np.where(x + (city == "Rome") > 0, 1, -1)})


@pytest.mark.parametrize("convert", [lambda t: t, pa.Table.from_pandas, pl.from_pandas])
@pytest.mark.parametrize("names", ["hashed", "exact"])
def test_learners_take_tables(convert: Callable[[Any], Any], names: str) -> None:
    table = made_up()
    features = aw.Features(names=names)
    dicts = table.drop(columns="y").to_dict("records")
    by_dicts, by_table, by_stream = (aw.linear.AdaGrad(features=features) for _ in range(3))
    expected = by_dicts.learn_many(dicts, table["y"].to_numpy())
    found = by_table.learn_many(convert(table.drop(columns="y")), table["y"])
    np.testing.assert_array_equal(found, expected)
    report = aw.learn(by_stream, aw.read(convert(table), target="y"))
    assert report.rows == 500
    for model in (by_table, by_stream):
        raw = model.predict_many(convert(table.drop(columns="y")))
        np.testing.assert_array_equal(raw, by_dicts.predict_many(dicts))


def check_resumes(stream_of: Callable[[], Any], kind: str) -> None:
    whole = list(stream_of().batches(Labels(kind), wants=ALL))
    assert len(whole) > 3
    for i in range(len(whole)):
        rest = list(stream_of().batches(Labels(kind), wants=ALL, start=whole[i].position))
        assert [batch.position for batch in rest] == [batch.position for batch in whole[i + 1 :]]
        for found, expected in zip(rest, whole[i + 1 :], strict=True):
            check_same(found, expected)
            np.testing.assert_array_equal(found.y, expected.y)
            assert found.classes == expected.classes


@pytest.mark.parametrize(
    "convert", [lambda t: t, pa.Table.from_pandas, pl.from_pandas, lambda t: pa.Table.from_pandas(t).to_reader(70)]
)
@pytest.mark.parametrize(("target", "kind"), [("y", "binary"), ("city", "classes")])
def test_resuming(convert: Callable[[Any], Any], target: str, kind: str) -> None:
    check_resumes(lambda: aw.read(convert(made_up()), target=target, batch_rows=64), kind)
    short = aw.read(convert(made_up(10)), target=target)
    if convert(made_up(1)).__class__ is not pa.RecordBatchReader:
        with pytest.raises(DataError, match="it has 10 rows, and 64 were read before"):
            list(short.batches(Labels(kind), start=Position(rows=64)))


@pytest.mark.parametrize("convert", [lambda t: t, pa.Table.from_pandas, pl.from_pandas])
def test_labels_beside_the_table_stay_with_their_rows_when_it_is_resumed(convert: Callable[[Any], Any]) -> None:
    table = made_up()
    check_resumes(lambda: aw.read(convert(table.drop(columns="y")), table["y"], batch_rows=64), "binary")


def test_a_reader_is_read_once() -> None:
    stream = aw.read(arrow().to_reader(), target="count")
    assert len(list(stream.batches(Labels("real")))) == 1
    with pytest.raises(DataError, match="it can be read only once, and it was"):
        list(stream.batches(Labels("real")))


# Parquet


@pytest.mark.parametrize("name", ["t.parquet", "no-suffix"])
@pytest.mark.parametrize("group", [1, 2, 100])
def test_parquet(tmp_path: Path, name: str, group: int) -> None:
    path = tmp_path / name
    pq.write_table(arrow(), path, row_group_size=group)
    expected = list(aw.read(arrow(), target="count", batch_rows=2).batches(Labels("real"), wants=ALL))
    for source in [path, str(path)]:
        stream = aw.read(source, target="count", batch_rows=2)
        assert stream.description == f"{path} (Parquet, 6 rows)"
        for _ in range(2):
            batches = list(stream.batches(Labels("real"), wants=ALL))
            assert [name for batch in batches for name in batch.names or []] == [
                name for batch in expected for name in batch.names or []
            ]
            np.testing.assert_array_equal(
                np.concatenate([b.keys for b in batches]), np.concatenate([b.keys for b in expected])
            )
            assert sum(len(batch) for batch in batches) == ROWS


@pytest.mark.parametrize(("target", "kind"), [("y", "binary"), ("city", "classes")])
def test_parquet_resumes(tmp_path: Path, target: str, kind: str) -> None:
    path = tmp_path / "t.parquet"
    made_up().to_parquet(path, row_group_size=130)
    check_resumes(lambda: aw.read(path, target=target, batch_rows=64), kind)
    first = next(iter(aw.read(path, target=target, batch_rows=64).batches(Labels(kind)))).position
    made_up(501).to_parquet(path, row_group_size=130)
    with pytest.raises(DataError, match="the input changed since the checkpoint was written"):
        list(aw.read(path, target=target).batches(Labels(kind), start=first))


def test_memory_does_not_grow_with_the_row_group(tmp_path: Path) -> None:
    path, rng = tmp_path / "t.parquet", np.random.default_rng(1)
    columns = {name: rng.normal(size=500_000) for name in "abcdy"}
    pq.write_table(pa.table(columns), path, use_dictionary=False)
    del columns
    assert pq.ParquetFile(path).num_row_groups == 1
    before, most = pa.total_allocated_bytes(), 0
    for _ in aw.read(path, target="y").batches(Labels("real")):
        most = max(most, pa.total_allocated_bytes() - before)
    assert most < path.stat().st_size / 2


def test_parquet_errors_have_rows_of_the_whole_file(tmp_path: Path) -> None:
    table = made_up()
    table.loc[321, "x"] = math.inf
    path = tmp_path / "t.parquet"
    table.to_parquet(path, row_group_size=100)
    with pytest.raises(DataError, match=r"t\.parquet, row 322, column `x`: the value is `inf`"):
        list(aw.read(path, target="y", batch_rows=64).batches(Labels("binary")))


def test_a_truncated_parquet_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.parquet"
    made_up().to_parquet(path)
    whole = path.read_bytes()
    for size in [0, 1, 4, 8, 100, len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:size])
        with pytest.raises(DataError, match="damaged or cut short") as caught:
            list(aw.read(path, target="y").batches(Labels("binary")))
        assert str(caught.value).startswith(str(path))


def test_damaged_pages_are_named(tmp_path: Path) -> None:
    path = tmp_path / "damaged.parquet"
    made_up(20_000).to_parquet(path, write_page_checksum=True)
    damaged = bytearray(path.read_bytes())
    damaged[1000] ^= 0x55
    path.write_bytes(damaged)
    with pytest.raises(DataError, match="damaged or cut short"):
        list(aw.read(path, target="y").batches(Labels("binary")))


def test_missing_and_piped_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="no such file"):
        aw.read(tmp_path / "absent.parquet", target="y")
    path = tmp_path / "t.parquet"
    made_up().to_parquet(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r"a Parquet file needs the package `pyarrow`: pip install 'afterwit\[arrow\]'"):
        aw.read(path, target="y")


def test_labels_are_codes_that_go_on(tmp_path: Path) -> None:
    batches = list(aw.read(made_up(), target="city", batch_rows=100).batches(Labels("classes")))
    names = [batch.classes[int(code)] for batch in batches for code in batch.y]
    assert names == made_up()["city"].tolist()
    assert replace(batches[0]).classes == batches[-1].classes
