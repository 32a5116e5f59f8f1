"""Trees of experts on the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import afterwit as aw
from afterwit.trees import GraphExperts, TreeExperts
from tests.cli.commands import digest, inside, write_svmlight

ROWS = 60


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_svmlight(tmp_path / "d.svm", ROWS, features=15)


def test_learn_compare_and_inspect(capfd: Any) -> None:
    assert inside("learn", "d.svm", "--learner", "tree:depth=4", "--save", "m", "--json") == 0
    told = json.loads(capfd.readouterr().out)
    model = aw.load("m")
    assert repr(model) == "TreeExperts(depth=4)"
    assert told["pruning"] == model.pruning().to_dict()
    assert inside("compare", "d.svm", "tree:depth=4", "adagrad", "--json") == 0
    assert json.loads(capfd.readouterr().out)["tree:depth=4"] == told
    assert inside("inspect", "m", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert found["pruning"] == told["pruning"]
    assert found["holds"] == model.holds()
    assert inside("inspect", "m") == 0
    shown = capfd.readouterr().out
    assert shown.startswith("TreeExperts(depth=4)\nbest pruning  ")
    assert f"kept  nodes {model.holds()['nodes']:,}, bytes " in shown
    assert inside("learn", "d.svm", "--learner", "tree", "--loss", "squared") == 0
    assert "\nregret to it " in capfd.readouterr().out
    assert inside("learn", "d.svm", "--learner", "graph") == 2
    assert "`graph` is not a learner" in capfd.readouterr().err


def test_resumed_to_the_bit(capfd: Any) -> None:
    words = ["learn", "d.svm", "--learner", "tree", "--save", "m", "--predictions", "p"]
    assert inside(*words) == 0
    report, straight = capfd.readouterr().out, (digest(Path("m")), digest(Path("p")))
    os.unlink("m")
    lines = Path("d.svm").read_text().splitlines(keepends=True)
    Path("d.svm").write_text("".join([*lines[:30], "1 1:oops\n", *lines[30:]]))
    assert inside(*words, "--checkpoint", "10") == 1
    assert Path("m.checkpoint").exists()
    Path("d.svm").write_text("".join(lines))
    capfd.readouterr()
    assert inside(*words, "--checkpoint", "10", "--resume") == 0
    assert capfd.readouterr() == (report, "")
    assert (digest(Path("m")), digest(Path("p"))) == straight


def test_a_model_of_any_template_goes_on_from_its_file(capfd: Any) -> None:
    for model in (
        TreeExperts(("3", 0.0, None, ("4", 0.5, None, None))),
        GraphExperts({"a": ("3", 0.0, "b", "c"), "b": ("4", 0.0, "c", "d"), "c": None, "d": None}),
    ):
        aw.save(model, "m")
        assert inside("learn", "d.svm", "--from", "m", "--save", "n", "--json") == 0
        told = json.loads(capfd.readouterr().out)
        report = aw.learn(model, aw.read("d.svm"))
        assert told["pruning"] == report.pruning
        assert aw.load("n").pruning() == model.pruning()
        assert inside("predict", "n", "d.svm") == 0
        assert len(capfd.readouterr().out.splitlines()) == ROWS
