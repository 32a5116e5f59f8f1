"""The command line on CSV, run as a process."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import afterwit as aw
from tests.cli.commands import afterwit, digest
from tests.text.slow_csv import read_slowly


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    lines = ["price,city,w,y"]
    for _ in range(500):
        price, city = round(float(rng.normal()), 3), str(rng.choice(["Rome", '"Paris, ""F"""', ""]))
        lines.append(f"{price},{city},{rng.integers(1, 3)},{int(price + (city == 'Rome') > 0.5)}")
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_learn_predict_and_compare(data: Path, tmp_path: Path) -> None:
    model, words = tmp_path / "m.afterwit", ("--target", "y", "--weight", "w")
    shown = json.loads(afterwit("learn", data, *words, "--save", model, "--json").stdout)
    learner = aw.Auto()
    report = aw.learn(learner, aw.read(data, target="y", weight="w"))
    assert shown == json.loads(report.to_json())
    assert (shown["rows"], shown["source"]) == (500, f"{data} (CSV, comma)")
    predicted = afterwit("predict", model, data, *words).stdout.decode().split()
    assert predicted == [repr(raw) for raw in aw.predict(learner, aw.read(data, target="y", weight="w")).tolist()]
    first = read_slowly(data.read_bytes(), ",", "y", "w").dicts[0]
    assert float(predicted[0]) == learner.predict_one(first)
    compared = json.loads(afterwit("compare", data, "auto", "perceptron", *words, "--json").stdout)
    assert compared["auto"] == {**shown, "labels": "two classes, -1 and +1"}


def test_standard_input_and_other_separators_equal_the_file(data: Path, tmp_path: Path) -> None:
    one, two, three = (tmp_path / f"{name}.afterwit" for name in "abc")
    assert afterwit("learn", data, "--target", "y", "--save", one).returncode == 0
    assert afterwit("learn", "-", "--target", "y", "--save", two, stdin=data.read_bytes()).returncode == 0
    tabs = tmp_path / "data.tsv"
    tabs.write_bytes(b"\n".join(line.replace(b",", b"\t") for line in data.read_bytes().splitlines()))
    tabs.write_bytes(tabs.read_bytes().replace(b"Paris\t", b"Paris,"))
    assert afterwit("learn", tabs, "--target", "y", "--save", three).returncode == 0
    assert digest(one) == digest(two) == digest(three)


def test_checkpoint_and_resume(data: Path, tmp_path: Path) -> None:
    whole, model = tmp_path / "whole.afterwit", tmp_path / "m.afterwit"
    words = ("--target", "y", "--checkpoint", 100)
    afterwit("learn", data, *words, "--save", whole)
    complete = data.read_bytes()
    data.write_bytes(complete.replace(b"\n", b"\nbad,", 301).replace(b"\nbad,", b"\n", 300))
    failed = afterwit("learn", data, *words, "--save", model)
    assert (failed.returncode, (tmp_path / "m.afterwit.checkpoint").exists()) == (1, True)
    assert b"line 302, column" in failed.stderr
    data.write_bytes(complete)
    assert afterwit("learn", data, *words, "--save", model, "--resume").returncode == 0
    assert digest(model) == digest(whole)


def test_errors_and_skipping(data: Path) -> None:
    for words, code, message in [
        ((), 1, "which column has the label? Name it with `target`, or `--target COLUMN`; the columns are `price`, `c"),
        (("--target", "Y"), 1, "there is no target column `Y`; did you mean `y`?"),
        (("--target", "city", "--task", "binary"), 1, "line 2, column"),
        (("--target", "y", "--weight", "y"), 2, "--target and --weight are both `y`"),
        (("--target", "y", "--weight", "price"), 1, "which is negative"),
    ]:
        done = afterwit("learn", data, *words)
        assert (done.returncode, done.stdout) == (code, b"")
        assert message in done.stderr.decode()
        assert b"Traceback" not in done.stderr
    with data.open("a") as file:
        file.write("1,2\n")
    done = afterwit("learn", data, "--target", "y", "--on-error", "skip", "--json")
    assert json.loads(done.stdout)["skipped"] == 1
    assert b"line 502, column 4: the record ends before `w`; expected 4 fields as in the header, found 2" in done.stderr
