"""Columns of ids: no features, but they come along; and columns that look like ids."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit import Features
from afterwit.errors import DataError
from afterwit.learning.pieces import rows_of
from afterwit.protocols import Batch, Labels, Wants
from afterwit.schema import Schema, schema_of

pd = pytest.importorskip("pandas", reason="needs pandas")
pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
pl = pytest.importorskip("polars", reason="needs polars")

TEXT = 'flight,x,day,y\nUA 1,1.5,7,1\n,2,07,0\n"a, ""b""",3,x,1\nNA,4,,0\n'
COLUMNS = {"flight": ["UA 1", None, "", "NA"], "x": [1.5, 2.0, 3.0, 4.0], "day": [7, 8, 9, 10], "y": [1, 0, 1, 0]}
NAMED = Wants(names=True)


def batches(source: Any, kind: str = "binary", **options: Any) -> list[Batch]:
    return list(aw.read(source, **options).batches(Labels(kind), wants=NAMED))


def ids_of(source: Any, kind: str = "binary", **options: Any) -> tuple[list[str], ...]:
    found = batches(source, kind, **options)
    together = [[text for batch in found for text in (batch.ids or ())[k]] for k in range(len(found[0].ids or ()))]
    assert all(len(texts) == sum(map(len, found)) for texts in together)
    return tuple(together)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "flights.csv").write_text(TEXT)
    return tmp_path / "flights.csv"


@pytest.mark.parametrize("batch_rows", [1, 3, 4096])
@pytest.mark.parametrize("kind", ["binary", "none", "auto"])
def test_cells_of_csv_come_as_they_stand(path: Path, kind: str, batch_rows: int) -> None:
    expected = ["7", "07", "x", ""], ["UA 1", "", 'a, "b"', "NA"]
    assert ids_of(path, kind, target="y", ids=["day", "flight"], batch_rows=batch_rows) == expected
    [batch] = batches(path, target="y", ids=["day", "flight"])
    assert batch.names == ["x"] * 4
    assert batches(path, target="y")[0].ids is None


def test_a_bad_record_takes_its_ids_with_it(path: Path) -> None:
    path.write_text("id,x,y\na,1,1\nb,inf,0\nc,1,2\nd,1\ne,1,0\nf,1,1,1\n\xff,1,1\n", encoding="latin-1")
    stream = aw.read(path, target="y", ids=["id"], on_error="skip")
    [batch] = stream.batches(Labels("binary"))
    assert (batch.ids, stream.skipped) == ((["a", "e"],), 5)
    path.write_bytes(b"id,y\n\xff,1\n")
    with pytest.raises(DataError, match=r"column `id`: `.*` is not UTF-8"):
        batches(path, target="y", ids=["id"], kind="none")


@pytest.mark.parametrize("make", [pd.DataFrame, pa.table, pl.DataFrame])
def test_cells_of_tables_come_as_python_shows_them(make: Any) -> None:
    table = make({**COLUMNS, "when": [dt.datetime(2026, 5, 1, 17)] * 4})
    expected = ["UA 1", "", "", "NA"], ["7", "8", "9", "10"], ["1.5", "2.0", "3.0", "4.0"], ["2026-05-01 17:00:00"] * 4
    assert ids_of(table, target="y", ids=["flight", "day", "x", "when"], batch_rows=3) == expected
    [batch] = batches(table, target="y", ids=["flight", "x", "when"])
    assert batch.names == ["day"] * 4


def test_parquet_files_and_caches(path: Path, tmp_path: Path) -> None:
    pa.parquet = pytest.importorskip("pyarrow.parquet")
    pa.parquet.write_table(pa.table(COLUMNS), tmp_path / "a.parquet")
    assert ids_of(str(tmp_path / "a.parquet"), target="y", ids=["flight"]) == (["UA 1", "", "", "NA"],)
    for _ in range(2):
        assert ids_of(path, target="y", ids=["flight"], cache=True) == (["UA 1", "", 'a, "b"', "NA"],)
    assert ids_of(path, target="y", ids=["day"], cache=True) == (["7", "07", "x", ""],)
    assert ids_of([path, path], target="y", ids=["day"]) == (["7", "07", "x", ""] * 2,)


@pytest.mark.parametrize("names", [False, True])
def test_tags_of_vw_text(tmp_path: Path, names: bool) -> None:
    lines = ["1 'one| a:0.5", "-1 two| a", "1 0.5 'three |n a b", "-1 | a", "1 2 0 'five'| a", "'six| a", "1 |a b"]
    (tmp_path / "a.vw").write_text("\n".join(lines * 50))
    stream = aw.read(tmp_path / "a.vw", ids=["tag"], on_error="skip")
    found = [batch.ids for batch in stream.batches(Labels("binary"), wants=Wants(names=names))]
    tags = [tag for ids in found for tag in (ids or [[]])[0]]
    assert tags == ["one", "two", "three", "", "five'", ""] * 50
    assert stream.skipped == 50  # a tag alone is no label


def test_what_has_no_ids(path: Path, tmp_path: Path) -> None:
    def refuses(sentence: str, source: Any, **options: Any) -> None:
        with pytest.raises(DataError, match=sentence):
            list(aw.read(source, **options).batches(Labels("binary")))

    (tmp_path / "a.svm").write_text("1 3:1\n")
    (tmp_path / "a.vw").write_text("1 | a\n")
    refuses("there is no id `tag` in svmlight", tmp_path / "a.svm", ids=["tag"])
    refuses("there is no id `a` in VW text.* and VW text has only `tag`", tmp_path / "a.vw", ids=["a"])
    refuses("rows from Python have no id `a`", [({"a": 1}, 1)], ids=["a"])
    refuses("rows from Python have no id `a`", np.ones((2, 2)), y=[0, 1], ids=["a"])
    refuses("there is no id column `fligt`; did you mean `flight`", path, target="y", ids=["fligt"])
    refuses(
        "id is `Day`, and there is no such column; did you mean `day`", pd.DataFrame(COLUMNS), target="y", ids=["Day"]
    )
    for table in (path, pd.DataFrame(COLUMNS)):
        refuses("`y` is both target and id", table, target="y", ids=["y"])
        refuses("`x` is both weight and id", table, target="y", weight="x", ids=["x"])
        refuses("the id `x` is named twice", table, target="y", ids=["x", "x"])
        refuses("target and weight are both `y`", table, target="y", weight="y")
        with pytest.raises(DataError, match="ids is `'x'`, expected a list"):
            aw.learn(aw.Auto(), table, target="y", ids="x")
    refuses("ids is `'x'`, expected a list", path, target="y", ids="x")


def test_pieces_of_batches_have_their_ids(path: Path) -> None:
    [batch] = batches(path, target="y", ids=["flight", "day"])
    assert rows_of(batch, 1, 3).ids == (["", 'a, "b"'], ["07", "x"])


def test_a_model_keeps_out_what_was_an_id_when_it_was_taught(path: Path, tmp_path: Path) -> None:
    model = aw.linear.AdaGrad(features=Features(names="exact"))
    aw.learn(model, aw.read(path, target="y", ids=["flight"]))
    aw.save(model, tmp_path / "m.afterwit")
    taught = aw.load(tmp_path / "m.afterwit").schema
    assert (taught.ids, taught.columns) == (("flight",), ("x", "day"))
    for source in (path, pd.DataFrame(COLUMNS)):
        stream: Any = aw.read(source, target="y").like(taught)
        [batch] = stream.batches(Labels("none"), wants=NAMED)
        assert batch.ids is None
        assert not any(name.startswith("flight") for name in batch.names)
        assert taught.unlike(stream.schema.columns) == []
        [batch] = aw.read(source, target="y", ids=["day"]).like(taught).batches(Labels("none"), wants=NAMED)
        # What it was taught as a feature is one still, and comes along, too.
        assert (len(batch.ids), {name[:3] for name in batch.names}) == (1, {"x", "day"})


def test_schemas_know_ids() -> None:
    one, other = Schema("y", columns=("a",), ids=("i",)), Schema("y", columns=("a",), ids=("j", "i"))
    assert one.and_then(other).ids == ("i", "j")
    assert schema_of(one.to_plain()) == one
    assert one.unlike(["a", "i"]) == []
    with pytest.raises(ValueError, match="ids are not names"):
        schema_of({"ids": [1]})


# Columns that look like ids


def flights(rows: int) -> dict[str, list[Any]]:
    rng = np.random.default_rng(1)
    return {
        "flight": [f"F{i}" for i in rng.permutation(rows)],
        "row": list(range(rows)),
        "back": [float(rows - i) for i in range(rows)],
        "almost": [f"a{i}" if i % 100 else "same" for i in range(rows)],
        "half": [f"h{i // 2}" for i in range(rows)],
        "n": rng.normal(size=rows).tolist(),
        "whole": rng.permutation(rows).tolist(),
        "text": [f"free words {i}" for i in range(rows)],
        "when": [f"2026-05-{i % 28 + 1:02}T{i % 24:02}:{i // 24 % 60:02}" for i in range(rows)],
        "carrier": ["UA", "AA"] * (rows // 2),
        "y": [0, 1] * (rows // 2),
    }


LIKELY = ("flight", "row", "back", "almost")
USES = Wants(text=("text",), dates=("when",))


def sources(columns: dict[str, list[Any]], folder: Path) -> list[Any]:
    pd.DataFrame(columns).to_csv(folder / "flights.csv", index=False)
    return [folder / "flights.csv", pd.DataFrame(columns), pa.table(columns), pl.DataFrame(columns)]


def test_columns_that_look_like_ids(tmp_path: Path) -> None:
    for source in sources(flights(400), tmp_path):
        stream: Any = aw.read(source, target="y")
        assert stream.likely_ids == ()
        for wants in (USES, Wants(True, True, USES.text, dates=USES.dates)):
            list(stream.batches(Labels("binary"), wants=wants))
            assert stream.likely_ids == LIKELY
        list(stream.batches(Labels("binary"), wants=Wants(text=("text",), dates=("when",), ignore=("row",))))
        assert stream.likely_ids == ("flight", "back", "almost")
        known: Any = aw.read(source, target="y", ids=["flight", "row"])
        list(known.batches(Labels("auto"), wants=USES))
        assert known.likely_ids == ("back", "almost")


def test_few_rows_tell_nothing_and_many_are_not_all_looked_at(tmp_path: Path) -> None:
    for source in sources(flights(98), tmp_path):
        stream: Any = aw.read(source, target="y")
        list(stream.batches(Labels("binary")))
        assert stream.likely_ids == ()
    columns = flights(9000)
    columns["flight"] = [*columns["flight"][:5000], *["F"] * 4000]
    for source in sources(columns, tmp_path):
        stream = aw.read(source, target="y")
        list(stream.batches(Labels("binary"), wants=USES))
        assert stream.likely_ids == LIKELY


def test_a_cache_knows_them_too(tmp_path: Path) -> None:
    path = sources(flights(400), tmp_path)[0]
    for _ in range(2):
        stream: Any = aw.read(path, target="y", cache=True)
        list(stream.batches(Labels("binary"), wants=USES))
        assert stream.likely_ids == LIKELY
    chained: Any = aw.read([path, path], target="y")
    list(chained.batches(Labels("binary"), wants=USES))
    assert chained.likely_ids == LIKELY


def test_numbers_in_some_rows_are_no_ids(tmp_path: Path) -> None:
    columns = {"n": [float(r) if r < 150 else None for r in range(400)], "y": [0, 1] * 200}
    for source in sources(columns, tmp_path):
        stream: Any = aw.read(source, target="y")
        list(stream.batches(Labels("binary")))
        assert stream.likely_ids == ()
