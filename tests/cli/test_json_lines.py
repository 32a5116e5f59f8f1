"""The command line on JSON lines, run as a process."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from tests.cli.commands import afterwit, digest


def rows() -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    made = []
    for i in range(400):
        price, city = round(float(rng.normal()), 3), str(rng.choice(["Rome", 'Paris, "F"', "Zürich"]))
        row: dict[str, Any] = {"id": f"row {i}", "price": price, "user": {"city": city, "sizes": [price, 0, 2]}}
        if i % 3:
            row["tags"] = ["new", city][: i % 3]
        made.append({**row, "w": int(rng.integers(1, 3)), "y": int(price + (city == "Rome") > 0.5)})
    return made


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows()))
    return path


WORDS = ("--target", "y", "--weight", "w", "--id", "id")
LINEAR = ("--learner", "adagrad:normalized=true")


def test_learn_predict_evaluate_and_compare(data: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.afterwit"
    shown = json.loads(afterwit("learn", data, *WORDS, *LINEAR, "--save", model, "--json").stdout)
    assert (shown["rows"], shown["source"]) == (400, f"{data} (JSON lines)")
    plain = aw.linear.AdaGrad(normalized=True)
    for row in rows():
        features = {name: value for name, value in row.items() if name not in ("id", "w", "y")}
        plain.learn_one(features, row["y"], row["w"])
    predicted = [float(word) for word in afterwit("predict", model, data).stdout.split()]
    features = [{name: value for name, value in row.items() if name not in ("id", "w", "y")} for row in rows()]
    assert predicted == plain.predict_many(features).tolist()
    listed = afterwit("predict", model, data, "--id", "id").stdout.decode().splitlines()
    assert [line.split(",")[0] for line in listed] == ["id", *(f"row {i}" for i in range(400))]
    assert json.loads(afterwit("evaluate", model, data, "--json").stdout)["rows"] == 400
    compared = json.loads(afterwit("compare", data, LINEAR[1], "perceptron", *WORDS, "--json").stdout)
    assert compared[LINEAR[1]]["loss"] == shown["loss"]


def test_however_it_comes_it_is_the_same(data: Path, tmp_path: Path) -> None:
    """By its name, its first brace, from standard input, compressed, in two files, with a cache."""
    text, found = data.read_bytes(), []
    (tmp_path / "data").write_bytes(b"\xef\xbb\xbf\r\n \n" + text)
    (tmp_path / "data.ndjson.gz").write_bytes(gzip.compress(text, mtime=0))
    (tmp_path / "one.json").write_bytes(text[: len(text) // 2].rpartition(b"\n")[0] + b"\n")
    (tmp_path / "two.json").write_bytes(text[(tmp_path / "one.json").stat().st_size :])
    for name, (given, stdin) in {
        "named": ([data], None),
        "brace": ([tmp_path / "data"], None),
        "stdin": (["-"], text),
        "packed stdin": (["-"], gzip.compress(text)),
        "told": (["-", "--format", "json"], text),
        "packed": ([tmp_path / "data.ndjson.gz"], None),
        "two": ([tmp_path / "one.json", tmp_path / "two.json"], None),
        "cache": ([data, "--cache"], None),
        "kept": ([data, "--cache"], None),
    }.items():
        done = afterwit("learn", *given, *WORDS, *LINEAR, "--save", tmp_path / name, stdin=stdin)
        assert done.returncode == 0, done.stderr
        found.append(digest(tmp_path / name))
    assert len(set(found)) == 1


def test_checkpoint_and_resume(data: Path, tmp_path: Path) -> None:
    whole, model = tmp_path / "whole.afterwit", tmp_path / "m.afterwit"
    words = (*WORDS, *LINEAR, "--checkpoint", 100)
    afterwit("learn", data, *words, "--save", whole)
    complete = data.read_bytes().splitlines(keepends=True)
    data.write_bytes(b"".join([*complete[:301], b'{"y":NaN}\n', *complete[301:]]))
    failed = afterwit("learn", data, *words, "--save", model)
    assert (failed.returncode, (tmp_path / "m.afterwit.checkpoint").exists()) == (1, True)
    assert b"line 302, column 6: the value of `y` is `NaN`" in failed.stderr
    data.write_bytes(b"".join(complete))
    assert afterwit("learn", data, *words, "--save", model, "--resume").returncode == 0
    assert digest(model) == digest(whole)


def test_going_on_with_a_model(data: Path, tmp_path: Path) -> None:
    """The target, the weight and what is no feature are those that it was taught."""
    first, second = tmp_path / "first", tmp_path / "second"
    assert afterwit("learn", data, *WORDS, *LINEAR, "--save", first).returncode == 0
    assert afterwit("learn", data, "--from", first, "--save", second).returncode == 0
    plain = aw.linear.AdaGrad(normalized=True)
    for _ in range(2):
        aw.learn(plain, aw.read(data, target="y", weight="w", ids=["id"]))
    probe = {"price": 1.0, "user": {"city": "Rome"}, "tags": ["new"]}
    assert aw.load(second).predict_one(probe) == plain.predict_one(probe)
    schema = aw.load(second).schema
    assert (schema.target, schema.weight, schema.ids) == ("y", "w", ("id",))
    assert (schema.columns, schema.sometimes) == (("price", "user", "tags"), ("tags",))


def test_errors(data: Path) -> None:
    for words, message in [
        ((), "line 1, column"),
        ((), "the target `_label` is missing; expected a label in every row (name its key with `target`"),
        (("--target", "price", "--task", "binary"), "key `price`: label"),
        (("--target", "y", "--ignore", "usr"), "--ignore names `usr`, and there is no such column"),
    ]:
        done = afterwit("learn", data, *words, *LINEAR[: 0 if "--task" in words else 2])
        assert message in done.stderr.decode()
    done = afterwit("learn", "-", stdin=b"what is this\n")
    assert b'nor JSON lines (`{"price": 0.5}`)' in done.stderr
