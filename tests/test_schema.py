"""What a model was taught: its columns, what they were for, and the names of two labels, wherever they come from."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import afterwit as aw
from afterwit.errors import ModelFileError
from afterwit.learning import Lesson
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.schema import MOST_BYTES, Schema, schema_of
from afterwit.storage.container import read_container, write_container

CSV = "carrier,hour,w,late\nAA,3,1,no\nUA,18,2,yes\nAA,20,1,yes\nDL,5,1,no\n"
TAUGHT = Schema("late", "w", None, ("carrier", "hour"))


def frame(text: str = CSV) -> pd.DataFrame:
    lines = [line.split(",") for line in text.splitlines()]
    return pd.DataFrame(lines[1:], columns=lines[0]).astype({"hour": float, "w": float})


def written(folder: Path, text: str = CSV) -> Path:
    (path := folder / "flights.csv").write_text(text)
    return path


SOURCES: dict[str, Callable[[Path], Any]] = {
    "CSV": written,
    "files": lambda folder: [written(folder), written(folder)],
    "pandas": lambda _: frame(),
    "Arrow": lambda _: pa.Table.from_pandas(frame()),
    "Parquet": lambda folder: (
        pyarrow.parquet.write_table(pa.Table.from_pandas(frame()), folder / "f.parquet") or folder / "f.parquet"
    ),
}


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("make", [aw.Auto, lambda: aw.OneVsAll(aw.linear.AdaGrad())], ids=["auto", "several"])
def test_a_model_knows_what_it_was_taught(kind: str, make: Callable[[], Any], tmp_path: Path) -> None:
    source = SOURCES[kind](tmp_path)
    model = make()
    assert model.schema is None
    report = aw.learn(model, source, target="late", weight="w")
    assert model.schema == TAUGHT
    # Neither the labels nor the weights are features of what is predicted, nor need they be named again.
    bare = frame()[["carrier", "hour"]]
    assert aw.predict(model, source)[:4].tolist() == aw.predict(model, bare).tolist()
    assert aw.evaluate(model, source).weight == report.weight
    assert aw.evaluate(model, frame().drop(columns="w")).weight == 4.0
    again = aw.learn(model, source)
    assert again.weight == report.weight
    assert model.schema == TAUGHT


def test_compare_tells_its_learners(tmp_path: Path) -> None:
    models = {"a": aw.Auto(), "b": aw.Auto(nonlinear=False)}
    aw.compare(models, aw.read(written(tmp_path), target="late"))
    assert [model.schema for model in models.values()] == [Schema("late", None, None, ("carrier", "hour", "w"))] * 2


@pytest.mark.parametrize("way", ["file", "pickle", "copy", "deepcopy"])
def test_it_is_kept(way: str, tmp_path: Path) -> None:
    model = aw.linear.AdaGrad()
    aw.learn(model, aw.read(written(tmp_path), target="late", classes=["no", "yes"]))
    if way == "file":
        aw.save(model, tmp_path / "m")
        kept = aw.load(tmp_path / "m")
    else:
        kept = {"pickle": lambda m: pickle.loads(pickle.dumps(m)), "copy": copy.copy, "deepcopy": copy.deepcopy}[way](
            model
        )
    assert kept.schema == model.schema == Schema("late", None, ("no", "yes"), ("carrier", "hour", "w"))
    assert aw.label(kept, {"carrier": "UA", "hour": 18.0}) in ("no", "yes")
    assert aw.fresh(model).schema is None


def test_a_model_of_no_table_knows_none(tmp_path: Path) -> None:
    model = aw.Auto()
    aw.learn(model, np.array([[1.0], [2.0]]), [0, 1])
    assert model.schema is None
    aw.save(model, tmp_path / "m")
    assert "schema" not in read_container(tmp_path / "m", "model")


@pytest.mark.parametrize(
    "forged",
    [
        3,
        [],
        {"target": 3},
        {"columns": "abc"},
        {"columns": [1]},
        {"classes": [1.5]},
        {"sometimes": None},
        {"code": "x"},
    ],
    ids=repr,
)
def test_what_is_no_schema_is_refused(forged: Any, tmp_path: Path) -> None:
    path = tmp_path / "m"
    aw.save(aw.linear.AdaGrad(), path)
    content = read_container(path, "model")
    write_container(path, "model", {**content, "schema": forged})
    with pytest.raises(ModelFileError, match="cannot load"):
        aw.load(path)


def test_two_tables_one_after_the_other() -> None:
    first, second = Schema("y", None, None, ("a", "b", "c")), Schema(None, "w", None, ("b", "d", "c"))
    both = first.and_then(second)
    assert both == Schema("y", "w", None, ("a", "b", "c", "d"), ("a", "d"))
    assert both.and_then(second) == both
    # Of the columns of rows that had none to name, nothing is known.
    assert Schema(classes=("no", "yes")).and_then(second).columns is None
    assert Schema().and_then(second) == second


def test_what_is_missing_and_what_is_new() -> None:
    both = Schema("y", "w", None, ("a", "b", "c", "d"), ("a", "d"))
    assert both.unlike(["b", "c", "y", "w", "e"]) == both.unlike(None) == Schema().unlike(["a"]) == []
    assert both.unlike(["a"]) == ["there are no columns `b`, `c`, which the model met in every row"]
    same = Schema("y", "w", None, ("b", "c"))
    assert same.unlike(["c", "b", "w"]) == []
    assert same.unlike(["b", "y", "C"]) == [
        "there is no column `c`, which the model met in every row; did you mean `C`?",
        "the column `C` is one that the model never met",
    ]
    many = Schema(columns=("a",)).unlike(["a", *map(str, range(9))])
    assert many == ["the columns `0`, `1`, `2`, `3`, `4` and 4 more are some that the model never met"]


def test_rows_of_dicts(tmp_path: Path) -> None:
    rows = [({"a": 1.0, "user": {"17": 1.0}, 3: 1.0}, 1), ({"a": None, "b": "x", 3: 1.0}, -1)] * 3
    model = aw.Auto()
    aw.learn(model, rows)
    assert model.schema == Schema(columns=("a", "user", "b"), sometimes=("user", "b"))
    with pytest.warns(UserWarning, match="there is no column `a`, which the model met in every row"):
        aw.predict(model, [{"b": "x", "new": 1.0}])  # of rows that differ, new names are nothing to speak of
    with pytest.warns(UserWarning, match="there is no column `a`"):
        aw.predict(model, pd.DataFrame({"b": ["x"]}))


def test_a_checkpoint_knows_what_was_met_before_it(tmp_path: Path) -> None:
    rows = [({"a": 1.0, "b": 2.0}, 1)] * 10 + [({"a": 1.0}, -1)] * 10 + [({"c": 1.0, "a": 1.0}, 1)] * 10
    whole = aw.Auto()
    aw.learn(whole, aw.read(rows, batch_rows=4))
    assert whole.schema == Schema(columns=("a", "b", "c"), sometimes=("b", "c"))
    for stop in range(1, 8):
        first = Lesson(aw.Auto(), aw.read(rows, batch_rows=4))
        for _ in zip(range(stop), first.steps(), strict=False):
            pass
        write_checkpoint(tmp_path / "c", first, {})
        second = Lesson(aw.Auto(), aw.read(rows, batch_rows=4))
        resume(tmp_path / "c", second)
        for _ in second.steps():
            pass
        assert second.model.schema == whole.schema


def test_it_is_bounded() -> None:
    long = Schema("y", None, None, ("x" * (MOST_BYTES // 2), "z" * (MOST_BYTES // 2)))
    assert long.bounded() == long
    assert long.and_then(Schema(columns=("one more",))) == Schema("y")


def test_plain_data_and_back() -> None:
    for schema in (Schema(), TAUGHT, Schema("y", None, ("no", 1), ("a", "b"), ("b",)), Schema(columns=())):
        assert schema_of(schema.to_plain()) == schema


def test_what_a_model_ignores_may_be_missing(tmp_path: Path) -> None:
    for features, columns, expected in (
        (aw.Features(ignore=["hour"]), ["carrier"], ""),
        (aw.Features(keep=["carrier"]), ["carrier", "new"], ""),
        (aw.Features(ignore=["carrier"]), ["carrier"], "there is no column `hour`"),
    ):
        model = aw.Auto(features=features)
        aw.learn(model, written(tmp_path, "carrier,hour,late\nAA,3,0\nUA,4,1\n"), target="late")
        table = pd.DataFrame({name: ["AA"] for name in columns})
        if expected:
            with pytest.warns(UserWarning, match=expected):
                aw.predict(model, table)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                aw.predict(model, table)
