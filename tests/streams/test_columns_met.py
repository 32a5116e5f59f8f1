"""What rows tell of columns: after any number of them, however they come, and whatever was read ahead of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit._core import JsonParser, VwParser
from afterwit.learning import Lesson
from afterwit.protocols import Labels
from afterwit.schema import Schema
from afterwit.streams import read

RNG = np.random.default_rng(6)
NAMES = [f"n{i}" for i in range(10)]
#: The columns of each row: "n0" is in all, the others come late, are rare, or stop.
ROWS = [
    [name for i, name in enumerate(NAMES) if i == 0 or (RNG.random() < 0.7 and 62 * i <= t < 300 * i)]
    for t in range(600)
]
TEXTS = {
    "x.jsonl": "".join(json.dumps(dict.fromkeys([*row, "y"], 1)) + "\n" for row in ROWS),
    "x.vw": "".join("1 " + " ".join(f"|{name} a:0.5 b" for name in row) + "\n" for row in ROWS),
}
FORMATS = pytest.mark.parametrize("name", TEXTS)


def known(rows: list[list[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    return columns, tuple(name for name in columns if not all(name in row for row in rows))


def stream_of(folder: Path, name: str, text: str = "", **options: Any) -> Any:
    (path := folder / name).write_text(text or TEXTS[name])
    return read(path, target="y" if name == "x.jsonl" else None, **options)


def columns(schema: Schema | None) -> tuple[Any, Any]:
    assert schema is not None
    return schema.columns, schema.sometimes


@FORMATS
def test_after_any_number_of_rows(name: str, tmp_path: Path) -> None:
    stream = stream_of(tmp_path, name, batch_rows=50)
    assert stream.schema.columns is None
    assert sum(map(len, stream.batches(Labels("real")))) == 600
    for n in (1, 2, 61, 62, 63, 137, 300, 301, 599, 600):
        assert columns(stream.schema_after(n)) == known(ROWS[:n])
    assert columns(stream.schema) == known(ROWS)


@FORMATS
@pytest.mark.parametrize("limit", [1, 63, 64, 200, 600])
def test_a_model_was_taught_the_rows_that_it_learned(name: str, limit: int, tmp_path: Path) -> None:
    """Whatever is read ahead: plain, from a cache, from two files, and after a checkpoint."""
    plain = stream_of(tmp_path, name, batch_rows=64)
    lines = TEXTS[name].splitlines(keepends=True)
    cached = stream_of(tmp_path, name, batch_rows=64, cache=True)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    parts = ((tmp_path / "a" / name, lines[:170]), (tmp_path / "b" / name, lines[170:]))
    for path, part in parts:
        path.write_text("".join(part))
    chained = read([path for path, _ in parts], target="y" if name == "x.jsonl" else None, batch_rows=64)
    for stream in (plain, cached, chained):
        for most in (limit, None, limit):  # all of it, and so there is a cache
            model = aw.linear.GradientDescent(loss="squared")
            aw.learn(model, stream, limit=most)
            assert columns(model.schema) == known(ROWS[:most])


@FORMATS
def test_a_lesson_that_goes_on(name: str, tmp_path: Path) -> None:
    stream = stream_of(tmp_path, name, batch_rows=64)
    model = aw.linear.GradientDescent(loss="squared")
    lesson = Lesson(model, stream, limit=500)
    steps = lesson.steps()
    for _ in range(4):
        next(steps)
    kept = lesson.state()
    again = Lesson(model, stream_of(tmp_path, name, batch_rows=64), limit=500)
    again.set_state(kept, model)
    list(again.steps())
    assert columns(again.model.schema) == known(ROWS[:500])  # type: ignore[attr-defined]


def test_bad_rows_tell_nothing() -> None:
    vw = VwParser("real", [], skip=True)
    vw.parse(np.frombuffer(b"1 |a x |b y\n1 |a x |e y |c x:z\n1 |d x |a y |a z\n", np.uint8), 0, True, 9)
    assert vw.columns_met == (2, [("a", 0, 2), ("b", 0, 1), ("d", 1, 0)])
    lines = JsonParser(kind="none", skip=True)
    lines.parse(np.frombuffer(b'{"a":1,"b":1}\n{"a":1,"c":z}\n{"d":1,"a":1}\n', np.uint8), 0, True, 9)
    assert lines.columns_met == (2, [("a", 0, 2), ("b", 0, 1), ("d", 1, 0)])


def test_features_outside_of_namespaces_and_too_many_of_them_tell_nothing() -> None:
    for text, met in (
        (b"1 |a x\n1 | x\n", None),
        (b"1 |a x | \n1 | |b y\n", [("a", 0, 1), ("b", 1, 0)]),
        ("1 |é x\n".encode("latin-1"), [("\udce9", 0, 1)]),
        (b"".join(b"1 |s%d x\n" % i for i in range(1024)), [(f"s{i}", i, int(i == 0)) for i in range(1024)]),
        (b"".join(b"1 |s%d x\n" % i for i in range(1025)) + b"1 |s0 y\n", None),
        (b"1 |" + b"a" * (1 << 20) + b" x\n", [("a" * (1 << 20), 0, 1)]),
        (b"1 |" + b"a" * (1 << 20) + b" x\n1 |b x\n", None),
    ):
        for names in (False, True):
            parser = VwParser("real", [], skip=False, names=names)
            parser.parse(np.frombuffer(text, np.uint8), 0, True, 1 << 20)
            assert met == (parser.columns_met and parser.columns_met[1])
