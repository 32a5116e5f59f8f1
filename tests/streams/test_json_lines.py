"""The stream of JSON lines: what it knows of its keys, and that it goes on where it was left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import afterwit as aw
from afterwit.errors import DataError
from afterwit.protocols import Labels, Wants
from afterwit.schema import Schema
from afterwit.streams import whole_lines
from afterwit.streams.cache import CachedStream
from afterwit.streams.json_lines import JsonLines

ROWS: list[dict[str, Any]] = [
    {"y": "cat", "a": 1.5, "w": 2, "u": {"x": "é"}},
    {"y": "dog", "b": [1, 2], "w": 1, "a": None},
    {"y": "cow", "a": 0, "w": 0.5, "t": "x"},
    {"y": "cat", "a": True, "w": 1},
] * 30


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    return tmp_path / "rows.jsonl"


def content(batches: Any) -> list[Any]:
    return [
        (batch.keys.tolist(), batch.values.tolist(), batch.y.tolist(), batch.weight.tolist(), batch.position)
        for batch in batches
    ]


def test_going_on_from_every_position(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", 300)
    labels = Labels("classes")
    whole = list(JsonLines(path, "y", "w", batch_rows=7).batches(labels))
    assert whole[-1].classes == ("cat", "dog", "cow")
    for i, batch in enumerate(whole):
        rest = JsonLines(path, "y", "w", batch_rows=7).batches(labels, start=batch.position)
        assert content(rest)[-1:] == content(whole[i + 1 :])[-1:]
        assert sum(len(one) for one in whole[i + 1 :]) == len(ROWS) - batch.position.rows
    path.write_text(path.read_text().replace("1.5", "1.6", 1))
    with pytest.raises(DataError, match="the input changed"):
        list(JsonLines(path, "y", "w").batches(labels, start=whole[-1].position))


def test_the_keys_that_were_met(path: Path) -> None:
    stream = JsonLines(path, "y", "w", ids=["t"])
    assert stream.schema == Schema("y", "w", ids=("t",))
    for _ in range(2):
        list(stream.batches(Labels("auto")))
        assert stream.schema == Schema("y", "w", None, ("a", "u", "b"), ("u", "b"), ("t",))
    cached = CachedStream(JsonLines(path, "y", "w", ids=["t"]))
    for again in (cached, cached, CachedStream(JsonLines(path, "y", "w", ids=["t"]))):
        list(again.batches(Labels("classes")))
        assert again.schema == stream.schema


def test_what_a_model_was_taught_of_it(path: Path) -> None:
    model = aw.linear.OneVsAll(aw.linear.AdaGrad())
    aw.learn(model, aw.read(path, target="y", weight="w", ids=["t"]))
    taught = model.schema
    assert taught == Schema("y", "w", None, ("a", "u", "b"), ("u", "b"), ("t",))
    like = aw.read(path).like(taught)  # type: ignore[attr-defined]
    batch = next(like.batches(Labels("classes"), wants=Wants(names=True)))
    assert set(batch.names) == {"a", "u^x=é", "b[0]", "b[1]"}
    assert batch.weight.tolist()[:3] == [2, 1, 0.5]
    assert aw.predict(model, path).shape == (120, 3)
    rows = [{name: value for name, value in row.items() if name not in ("y", "w", "t")} for row in ROWS]
    assert (aw.predict(model, path) == model.predict_many(rows)).all()


def test_one_column_is_not_two_things(path: Path) -> None:
    for options in ({"target": "y", "weight": "y"}, {"target": "y", "ids": ["y"]}, {"weight": "w", "ids": ["w"]}):
        with pytest.raises(ValueError, match="both"):
            JsonLines(path, **options)


def test_an_id_that_looks_like_one_is_told(tmp_path: Path) -> None:
    lines = [json.dumps({"y": i % 2, "who": f"u{i}", "city": f"c{i % 7}"}) for i in range(300)]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    stream = JsonLines(tmp_path / "rows.jsonl", "y")
    list(stream.batches(Labels("binary")))
    assert stream.likely_ids == ("who",)


def test_a_line_that_is_too_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_lines, "LONGEST_LINE", 100)
    monkeypatch.setattr(whole_lines, "CHUNK_BYTES", 16)
    path.write_text('{"y":1}\n{"y":1,"a":"' + "x" * 100 + '"}\n')
    with pytest.raises(DataError, match="line 2, column 101: the line is longer than"):
        list(JsonLines(path, "y").batches(Labels("binary")))
