"""The command line, run as a process."""

from __future__ import annotations

import gzip
import inspect
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit.cli import catalogue
from afterwit.cli.mixtures import rules
from afterwit.learning.words import kinds
from tests.cli.commands import afterwit, digest, inside, write_svmlight


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_svmlight(tmp_path / "data.svm", 500)


COMMANDS = ["learn", "predict", "compare", "aggregate", "separate", "reproduce", "inspect"]


@pytest.mark.parametrize("words", [["--help"], *([command, "--help"] for command in COMMANDS), []])
def test_help_needs_neither_numpy_nor_rich(words: list[str]) -> None:
    code = f"""
import sys
from afterwit.cli import main
try:
    main({words!r})
except SystemExit:
    pass
print(sorted({{"numpy", "rich", "afterwit._core"}} & set(sys.modules)))
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines()[-1] == "[]"
    assert "afterwit learn" in shown or "example" in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example(command: str) -> None:
    shown = afterwit(command, "--help").stdout.decode()
    assert f"  afterwit {command} " in shown


@pytest.mark.parametrize(
    ("command", "rooms", "named"),
    [("learn", ("linear", "dense", "panel", "trees"), kinds), ("aggregate", ("experts",), rules)],
)
def test_help_says_what_can_be_named_in_the_words_of_the_classes(
    command: str, rooms: tuple[str, ...], named: Any
) -> None:
    shown = " ".join(afterwit(command, "--help").stdout.decode().split())
    known = {name: cls for name, cls in named().items() if cls.__module__.split(".")[1] in rooms}
    assert len(known) >= 4
    for name, cls in known.items():
        arguments = inspect.signature(cls).parameters.values()
        plain = [each.name for each in arguments if each.annotation.split(" ")[0] in ("int", "float", "bool")]
        first = " ".join((inspect.getdoc(cls) or "").partition("\n\n")[0].split())
        assert first.endswith(".")
        assert f" {name} ({', '.join(plain)}) {first}".replace(" () ", " ") in shown
    table = catalogue.learners() if command == "learn" else catalogue.rules()
    assert [line.split()[0] for line in table.splitlines() if not line.startswith("   ")] == list(known)


@pytest.mark.parametrize(("command", "labels"), [("learn", ("real", "binary")), ("aggregate", ("real",))])
def test_help_says_every_loss(command: str, labels: tuple[str, ...]) -> None:
    shown = afterwit(command, "--help").stdout.decode().splitlines()
    classes = [cls for cls in vars(aw.losses).values() if isinstance(cls, type)]
    names = [cls.__name__.lower() for cls in classes if getattr(cls, "labels", None) in labels]
    assert len(names) >= (5 if command == "learn" else 3)
    for name in names:
        assert any(line == f"  {name}" or line.startswith(f"  {name}:") for line in shown)


def test_learn_reports_what_the_library_reports(data: Path) -> None:
    shown = json.loads(afterwit("learn", data, "--json").stdout)
    report = aw.learn(aw.Auto(), aw.read(data))
    assert shown == json.loads(report.to_json())
    assert (shown["rows"], shown["labels"]) == (500, "two classes, -1 and +1")
    text = afterwit("learn", data).stdout.decode()
    assert f"{report.error_rate:.4%}" in text
    assert f"{report.mean_loss:.6f}" in text


def test_several_files_and_patterns(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    parts = [write_svmlight(tmp_path / f"part-{i}.svm", 100, seed=i) for i in range(3)]
    whole.write_bytes(b"".join(part.read_bytes() for part in parts))
    models = [tmp_path / f"{i}.afterwit" for i in range(3)]
    expected = json.loads(afterwit("learn", whole, "--json", "--save", models[0]).stdout)
    for data, model in [(parts, models[1]), ([tmp_path / "part-*.svm"], models[2])]:
        shown = json.loads(afterwit("learn", *data, "--json", "--save", model).stdout)
        assert shown["source"] == f"3 files, first {parts[0]} (svmlight)"
        assert {**shown, "source": ""} == {**expected, "source": ""}
        assert digest(model) == digest(models[0])
        assert afterwit("predict", model, *data).stdout == afterwit("predict", model, whole).stdout
    assert afterwit("compare", tmp_path / "part-*.svm", "adagrad", "perceptron").returncode == 0


def test_limit_holdout_window_and_cache(data: Path) -> None:
    words = ["learn", data, "--json", "--limit", 400, "--holdout", 4, "--window", 50]
    shown = json.loads(afterwit(*words).stdout)
    report = aw.learn(aw.Auto(), aw.read(data), limit=400, holdout=4, window=50)
    assert shown == json.loads(report.to_json())
    assert (shown["rows"], shown["holdout"]["rows"], shown["window"]["rows"]) == (300, 100, 50)
    text = afterwit(*[word for word in words if word != "--json"]).stdout.decode()
    assert "mean loss, held out" in text
    assert "error rate, last 50 rows" in text
    plain = json.loads(afterwit("learn", data, "--json").stdout)
    for _ in range(2):
        kept = json.loads(afterwit("learn", data, "--json", "--cache").stdout)
        assert kept == {**plain, "source": f"{data} (svmlight, cache)"}
        assert Path(f"{data}.afterwit-cache").exists()
    table = afterwit("compare", data, "perceptron", "adagrad", "--cache").stdout
    assert b"(svmlight, cache)" in table


def test_learn_then_predict(data: Path, tmp_path: Path) -> None:
    model, made = tmp_path / "m.afterwit", tmp_path / "p.txt"
    done = afterwit("learn", data, "--save", model, "--predictions", made)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    before = aw.Auto("binary")
    raw = np.concatenate([before.learn_many(batch) for batch in aw.read(data).batches(before.labels)])
    assert made.read_text().split() == [repr(value) for value in raw.tolist()]
    shown = afterwit("predict", model, data).stdout.decode().split()
    assert shown == [repr(value) for value in aw.predict(aw.load(model), aw.read(data)).tolist()]
    assert afterwit("predict", model, data, "--predictions", made).stdout == b""
    assert made.read_text().split() == shown
    rows = [json.loads(line) for line in afterwit("predict", model, data, "--json").stdout.splitlines()]
    assert [row["raw"] for row in rows] == [float(value) for value in shown]
    assert {row["label"] for row in rows} == {-1, 1}
    assert all((row["probability"] >= 0.5) == (row["label"] == 1) for row in rows)
    assert sorted(os.listdir(tmp_path)) == ["data.svm", "m.afterwit", "p.txt"]


def test_classes(tmp_path: Path) -> None:
    data = write_svmlight(tmp_path / "three.svm", 300, features=20, classes=("a", "b", 7))
    model = tmp_path / "m.afterwit"
    assert afterwit("learn", data, "--classes", "any", "--save", model).returncode == 0
    shown = afterwit("predict", model, data).stdout.decode().split()
    assert set(shown) == {"a", "b", "7"}
    assert sorted(map(str, aw.load(model).classes)) == ["7", "a", "b"]
    assert afterwit("learn", data, "--classes", "a,b,7").returncode == 0
    refused = afterwit("learn", data, "--classes", "a,b,8")
    assert refused.returncode == 1
    assert b"`7` is not among the classes given" in refused.stderr
    two = write_svmlight(tmp_path / "two.svm", 50, features=20, classes=("ham", "spam"))
    assert json.loads(afterwit("learn", two, "--classes", "ham,spam", "--json").stdout)["error_rate"] < 0.6
    assert "AdaGrad 25" in afterwit("inspect", model).stdout.decode()
    afterwit("learn", data, "--classes", "any", "--learner", "adagrad", "--save", model)
    assert "(a)" in afterwit("inspect", model).stdout.decode()
    assert json.loads(afterwit("inspect", model, "--json").stdout)["settings"]["model"]["class"] == "adagrad"


def test_vw_text(data: Path, tmp_path: Path) -> None:
    rows = [line.split(" ", 1) for line in data.read_text().splitlines()]
    text = tmp_path / "data.vw"
    text.write_text("".join(f"{label} | {features}\n" for label, features in rows))
    models = [tmp_path / f"{i}.afterwit" for i in range(4)]
    afterwit("learn", data, "--save", models[0])
    shown = afterwit("learn", text, "--save", models[1]).stdout.decode()
    assert f"{text} (VW text)" in shown
    shown = afterwit("learn", "-", "--save", models[2], stdin=text.read_bytes()).stdout.decode()
    assert "standard input (VW text)" in shown
    afterwit("learn", "-", "--format", "vw", "--save", models[3], stdin=text.read_bytes())
    assert len({digest(model) for model in models}) == 1
    unlabelled = "".join(f"| {features}\n" for _, features in rows).encode()
    predicted = afterwit("predict", models[1], "-", stdin=unlabelled)
    assert predicted.stdout == afterwit("predict", models[1], data).stdout
    refused = afterwit("compare", text, "perceptron", "adagrad", "--format", "svmlight")
    assert refused.returncode == 1
    assert b"line 1, column" in refused.stderr


def test_what_was_predicted_of_each_class(tmp_path: Path) -> None:
    colours = tmp_path / "colours.csv"
    colours.write_text("a,colour\n" + "1,red\n2,green\n1,red\n5,blue\n" * 30)
    shown = afterwit("learn", colours, "--target", "colour", "--confusion").stdout.decode()
    found = json.loads(afterwit("learn", colours, "--target", "colour", "--confusion", "--json").stdout)
    assert found["confusion"]["classes"] == ["red", "green", "blue"]
    assert sum(map(sum, found["confusion"]["counts"])) + found["confusion"]["left_out"] == 120
    assert "\ncame \\ predicted  blue  green  red\n" in shown
    assert f"baseline {found['baseline']['error_rate']:.4%}" in shown
    model = tmp_path / "m.afterwit"
    plain = afterwit("learn", colours, "--target", "colour", "--save", model)
    assert "came" not in plain.stdout.decode()
    assert (
        "\ncame \\ predicted  blue  green  red\n" in afterwit("evaluate", model, colours, "--confusion").stdout.decode()
    )
    said = afterwit("learn", colours, "--target", "a", "--confusion", "--ignore", "colour").stderr.decode()
    assert said == "afterwit: --confusion is of labels, and these are numbers\n"
    two = tmp_path / "two.svm"
    two.write_text("1 1:1\n-1 2:1\n" * 20)
    assert "came \\ predicted  -1   1\n" in afterwit("learn", two, "--confusion").stdout.decode()


def test_compare(data: Path) -> None:
    words = ["adagrad:normalized=true", "perceptron", "gradient-descent:rate=0.1,radius=2", "pegasos:strength=0.01"]
    shown = afterwit("compare", data, *words).stdout.decode()
    assert [line.split()[0] for line in shown.splitlines()[2:]] == [*words, "baseline"]
    reports = json.loads(afterwit("compare", data, *words, "--json").stdout)
    alone = json.loads(afterwit("learn", data, "--learner", words[2], "--json").stdout)
    assert reports[words[2]] == alone


def test_inspect(data: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.afterwit"
    afterwit("learn", data, "--learner", "adagrad", "--save", model)
    weights = aw.load(model).coef()
    largest = max(weights, key=lambda name: abs(weights[name]))
    shown = afterwit("inspect", model, "--top", 3).stdout.decode().splitlines()
    assert shown[2].split() == [largest, f"{weights[largest]:+.6g}"]
    assert len(shown) == 5
    found = json.loads(afterwit("inspect", model, "--json").stdout)
    assert found["class"] == "adagrad"
    assert found["nonzero"] == len(weights)
    assert len(found["weights"]) == 20
    afterwit("learn", data, "--save", model, "--seed", 5)
    assert "--names exact" in afterwit("inspect", model).stdout.decode()
    afterwit("learn", data, "--save", model, "--names", "exact")
    assert "(intercept)" in afterwit("inspect", model, "--top", 2000).stdout.decode()


def test_the_default_shows_its_members(data: Path, tmp_path: Path) -> None:
    model, picture = tmp_path / "m.afterwit", tmp_path / "w.png"
    shown = afterwit("learn", data, "--save", model, "--plot", picture).stdout.decode()
    stands = aw.load(model).standing()
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert str(stands) in shown
    assert f"best member            {stands.best}" in shown
    seen = afterwit("inspect", model).stdout.decode()
    assert str(stands) in seen
    assert "of the best linear member," in seen
    found = json.loads(afterwit("inspect", model, "--json").stdout)
    assert found["panel"]["best"] == stands.best
    assert found["panel"]["members"][-1]["asleep"] == "too many features"
    assert "asleep: too many features\n" in seen
    assert "gains: the trees sleep\n" in seen
    narrow = tmp_path / "narrow.svm"
    narrow.write_text("".join(f"{k % 2} 1:{k % 5} 2:{k % 3}\n" for k in range(60)))
    afterwit("learn", narrow, "--save", model)
    found = json.loads(afterwit("inspect", model, "--json").stdout)
    assert found["holds"]["neighbours"] == {"rows": 60, "most rows": 2000}
    assert set(found["gains"]) == {"1", "2"}
    seen = afterwit("inspect", model).stdout.decode()
    assert "by the best trees, 2 features are split on; gains of the largest 2:\n" in seen
    assert "\nneighbours       rows 60, most rows 2,000\n" in seen
    afterwit("learn", narrow, "--save", model, "--limit", "1")
    assert "gains" not in afterwit("inspect", model).stdout.decode()
    afterwit("learn", narrow, "--save", model, "--learner", "neighbours")
    assert afterwit("inspect", model).stdout.decode().splitlines()[1:] == ["kept  columns 2, rows 60, most rows 1,000"]
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        picture = tmp_path / f"w.{ending}"
        assert afterwit("learn", data, "--learner", "adagrad", "--plot", picture).returncode == 0
        assert picture.read_bytes().startswith(start)
    empty = tmp_path / "empty.svm"
    empty.write_text("")
    refused = afterwit("learn", empty, "--learner", "adagrad", "--plot", picture)
    assert (refused.returncode, b"leave it out" in refused.stderr) == (2, True)


def test_the_task_is_found_or_told(data: Path, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.svm"
    numbers.write_text("".join(f"{k % 3} 1:{k % 5}\n" for k in range(60)))
    for words, labels in [((data,), "two classes, -1 and +1"), ((numbers,), "numbers"),
                          ((data, "--task", "numbers"), "numbers"), ((data, "--loss", "squared"), "numbers"),
                          ((numbers, "--task", "classes"), "3 classes")]:  # fmt: skip
        assert json.loads(afterwit("learn", *words, "--json").stdout)["labels"] == labels
    done = afterwit("learn", data, "--loss", "hinge", "--json")
    assert json.loads(done.stdout)["learner"] == "AdaGrad(normalized=True, loss='hinge')"
    assert done.stderr == b"afterwit: `auto` does not learn by --loss hinge: it is adagrad:normalized=true instead\n"
    for words, sentence in [
        (("--task", "numbers", "--loss", "logistic"), b"--task (`numbers`) and --loss (`binary`) do not go together"),
        (("--task", "binary", "--learner", "adagrad"), b"leave --task out"),
        (("--learner", "auto:drift=true", "--loss", "hinge"), b"learns by logistic or squared loss; leave --loss out"),
        (("--classes", "any", "--loss", "squared"), b"--loss (`numbers`) and --classes (`classes`) do not go together"),
        (("--learner", "auto:task=numbers", "--task", "binary"), b"has the task `numbers`, and the options say"),
        (("--learner", "auto:nonlinear=no"), b"expected True or False"),
        (("--learner", "adagrad:normalized=maybe"), b"expected True or False"),
    ]:
        refused = afterwit("learn", data, *words)
        assert (refused.returncode, refused.stdout) == (2, b"")
        assert sentence in refused.stderr


def test_compare_needs_no_learners(data: Path) -> None:
    lines = afterwit("compare", data).stdout.decode().splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["auto", "adagrad:normalized=true", "baseline"]


def test_standard_input_and_gzip_equal_the_file(data: Path, tmp_path: Path) -> None:
    packed = tmp_path / "data.svm.gz"
    packed.write_bytes(gzip.compress(data.read_bytes(), mtime=0))
    models = [tmp_path / f"{i}.afterwit" for i in range(3)]
    afterwit("learn", data, "--save", models[0])
    afterwit("learn", packed, "--save", models[1])
    afterwit("learn", "-", "--save", models[2], stdin=data.read_bytes())
    assert len({digest(model) for model in models}) == 1


WRONG = [
    (["learn", "nowhere.svm"], 1, "cannot read `nowhere.svm`: no such file"),
    (["learn", "."], 1, "cannot read `.`: it is a directory"),
    (["learn", "DATA", "--learner", "magic"], 2, "`magic` is not a learner; expected one of adagrad"),
    (["learn", "DATA", "--learner", "adagrad:speed=3"], 2, "`adagrad` has no setting `speed`; it has rate, normalized"),
    (["learn", "DATA", "--learner", "adagrad:rate"], 2, "`rate` in `adagrad:rate` has no value; expected key=value"),
    (["learn", "DATA", "--learner", "adagrad:rate=-1"], 2, "rate is `-1.0`, expected a positive number"),
    (["learn", "DATA", "--loss", "cubic"], 2, "loss is `cubic`, expected one of squared"),
    (["learn", "DATA", "--learner", "perceptron", "--loss", "squared"], 2, "`perceptron` has no loss to choose"),
    (["learn", "DATA", "--bits", "40"], 2, "bits is `40`, expected a whole number from 1 to 30"),
    (["learn", "DATA", "--classes", "a,a"], 2, "--classes is `a,a`, expected two or more different names"),
    (["learn", "DATA", "--passes", "0"], 2, "--passes is 0, expected 1 or more"),
    (["learn", "DATA", "--limit", "0"], 2, "--limit is 0, expected 1 or more"),
    (["learn", "DATA", "--holdout", "1"], 2, "--holdout is 1, expected 2 or more"),
    (["learn", "DATA", "--window", "-1"], 2, "--window is -1, expected 1 or more"),
    (["learn", "-", "--cache"], 1, "standard input cannot have a cache"),
    (["learn", "DATA", "--checkpoint", "5"], 2, "need --save MODEL"),
    (
        ["learn", "DATA", "--save", "no/such/folder/m"],
        2,
        "--save: cannot write `no/such/folder/m`: its folder does not exist",
    ),
    (["learn", "-", "--passes", "2"], 1, "standard input can be read only once"),
    (["predict", "DATA", "DATA"], 1, "is not a file that afterwit has written"),
    (["predict", "nowhere", "DATA"], 1, "cannot read `nowhere`"),
    (["compare", "DATA", "perceptron", "perceptron"], 2, "a learner is named twice"),
    (["learn", "DATA", "--format", "xml"], 2, "invalid choice: 'xml'"),
    (["fly"], 2, "invalid choice: 'fly'"),
    (["learn"], 2, "the following arguments are required: DATA"),
]


@pytest.mark.parametrize(("words", "code", "sentence"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_words(data: Path, words: list[str], code: int, sentence: str) -> None:
    done = afterwit(*[str(data) if word == "DATA" else word for word in words], stdin=b"")
    assert done.returncode == code
    assert sentence in done.stderr.decode()
    assert done.stderr.startswith(b"afterwit: ")
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


@pytest.mark.parametrize("option", ["passes", "limit", "holdout", "window", "checkpoint"])
def test_numbers_that_are_too_large(data: Path, tmp_path: Path, option: str, capfd: Any) -> None:
    words = ["learn", data, "--save", tmp_path / "m", f"--{option}"]
    for value in (2**63, 2**64, 10**23 - 1):
        assert inside(*words, value) == 2
        assert f"--{option} is {value}, expected " in capfd.readouterr().err
    assert inside(*words, "1e23") == 2
    assert inside(*words, -1) == 2
    assert not (tmp_path / "m").exists()
    if option != "passes":
        assert inside(*words, 2**63 - 1) == 0


def test_a_bad_line_stops_or_is_counted(tmp_path: Path) -> None:
    data = tmp_path / "data.svm"
    data.write_text("1 1:1\n-1 2:x\n1 1:1\n")
    done = afterwit("learn", data, "--save", tmp_path / "m", "--predictions", tmp_path / "p")
    assert done.returncode == 1
    assert (
        done.stderr.decode() == f"afterwit: {data}, line 2, column 6: value `x` is not a number; "
        "expected something like `3:0.5`\n"
    )
    assert os.listdir(tmp_path) == ["data.svm"]
    done = afterwit("learn", data, "--on-error", "skip", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["rows"], report["skipped"]) == (0, 2, 1)
    assert b"line 2, column 6" in done.stderr


def test_an_empty_file_is_said(tmp_path: Path) -> None:
    data = tmp_path / "data.svm"
    data.write_text("")
    done = afterwit("learn", data)
    assert done.returncode == 0
    assert b"has no rows" in done.stderr


def test_a_full_disk_leaves_the_old_model(data: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.afterwit"
    afterwit("learn", data, "--save", model)
    before = digest(model)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    for words in (["--passes", 2], ["--checkpoint", 100]):
        done = afterwit("learn", data, "--save", model, *words, preexec=limit)
        assert done.returncode == 1
        assert b"file too large" in done.stderr
        assert digest(model) == before
    assert not list(tmp_path.glob(".*"))


def test_a_reader_that_leaves(data: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.afterwit"
    afterwit("learn", data, "--save", model)
    many = tmp_path / "many.svm"
    many.write_text(data.read_text() * 40)
    command = f"{sys.executable} -m afterwit predict {model} {many} | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, env={**os.environ})
    assert b"Traceback" not in done.stderr


def test_groups_of_features(tmp_path: Path) -> None:
    data, model = tmp_path / "data.csv", tmp_path / "m.afterwit"
    data.write_text("y,id,a,b,subject\n" + "1,7,x,u,Cheap money\n0,8,z,v,see you\n" * 20)
    words = ["--interactions", "a*b", "--ignore", "id", "--text", "subject:2", "--names", "exact", "--no-intercept"]
    done = afterwit("learn", data, "--target", "y", *words, "--save", model)
    assert done.returncode == 0, done.stderr
    assert sorted(aw.load(model).coef()) == [
        "a=x", "a=x*b=u", "a=z", "a=z*b=v", "b=u", "b=v", "subject^cheap", "subject^cheap subject^money",
        "subject^money", "subject^see", "subject^see subject^you", "subject^you",
    ]  # fmt: skip
    predicted = afterwit("predict", model, data, "--target", "y").stdout.decode().split()
    row = {"id": 9, "a": "x", "b": "u", "subject": "cheap MONEY"}
    assert float(predicted[0]) == aw.load(model).predict_one(row)
    wrong = afterwit("learn", data, "--target", "y", "--interactions", "a")
    assert wrong.returncode == 2
    assert b"interactions has `a`, expected two or three groups" in wrong.stderr
