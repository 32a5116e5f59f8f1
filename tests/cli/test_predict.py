"""What `predict` says of each row, `evaluate` of all of them, and what a saved model still knows of its table."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.csv
import pyarrow.parquet
import pytest

import afterwit as aw
from afterwit.cli.predictions import lines_of
from tests.cli.commands import afterwit, inside

NAMES = {"two": ("ontime", "late"), "several": ("early", "ontime", "late, very", '"quoted"')}


def write_flights(path: Path, kind: str = "two", rows: int = 400, columns: str = "carrier,hour,late") -> Path:
    rng = np.random.default_rng(1)
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(columns.split(","))
    for i in range(rows):
        hour, carrier = int(rng.integers(24)), str(rng.choice(["AA", "UA"]))
        names = NAMES.get(kind, ())
        label = names[min(hour * len(names) // 24, len(names) - 1)] if names else hour + 0.5 * (carrier == "AA")
        cells = {"carrier": carrier, "hour": hour, "late": label, "more": i}
        out.writerow([cells[name] for name in columns.split(",")])
    path.write_text(text.getvalue())
    return path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind in (*NAMES, "numbers"):
        write_flights(Path(f"{kind}.csv"), kind)
        assert inside("learn", f"{kind}.csv", "--target", "late", "--save", kind, "--json") == 0
    write_flights(Path("new.csv"), columns="carrier,hour", rows=7)


def out_of(capfd: Any, *words: object) -> str:
    capfd.readouterr()
    assert inside(*words) == 0
    shown, err = capfd.readouterr()
    assert err == ""
    return str(shown)


def test_one_thing_a_line(capfd: Any) -> None:
    model, rows = aw.load("two"), "new.csv"
    raw = aw.predict(model, rows)
    assert out_of(capfd, "predict", "two", rows) == lines_of(model, raw[:, None]).decode()
    assert out_of(capfd, "predict", "two", rows, "--label").split() == aw.label(model, rows).tolist()
    shown = out_of(capfd, "predict", "two", rows, "--probability").split()
    assert [float(p) for p in shown] == aw.probability(model, rows).tolist()
    assert set(out_of(capfd, "predict", "two", rows, "--threshold", 0).split()) == {"ontime"}
    several = out_of(capfd, "predict", "several", rows, "--label").splitlines()
    assert [json.loads(name) if name.startswith('"') else name for name in several] == aw.label(
        aw.load("several"), rows
    ).tolist()


def test_several_things_are_csv_with_a_header(capfd: Any) -> None:
    model, rows = aw.load("two"), "new.csv"
    found = list(csv.reader(io.StringIO(out_of(capfd, "predict", "two", rows, "--probability", "--label"))))
    assert found[0] == ["label", "probability"]
    assert [row[0] for row in found[1:]] == aw.label(model, rows).tolist()
    assert [float(row[1]) for row in found[1:]] == aw.probability(model, rows).tolist()
    model = aw.load("several")
    found = list(csv.reader(io.StringIO(out_of(capfd, "predict", "several", rows, "--probability", "--label"))))
    assert found[0] == ["label", *(f"probability:{name}" for name in model.classes)]
    assert [row[0] for row in found[1:]] == aw.label(model, rows).tolist()
    shares = np.array([row[1:] for row in found[1:]], dtype=float)
    assert (shares == aw.probability(model, rows)).all()
    assert shares.sum(axis=1) == pytest.approx(1.0)


def test_no_rows_are_a_header_alone(capfd: Any) -> None:
    Path("none.csv").write_text("carrier,hour\n")
    assert out_of(capfd, "predict", "two", "none.csv", "--label", "--probability") == "label,probability\n"
    assert out_of(capfd, "predict", "two", "none.csv", "--label") == ""
    assert out_of(capfd, "predict", "two", "none.csv", "--json") == ""


def test_objects(capfd: Any) -> None:
    for kind in NAMES:
        model = aw.load(kind)
        shown = [json.loads(line) for line in out_of(capfd, "predict", kind, "new.csv", "--json").splitlines()]
        assert [each["label"] for each in shown] == aw.label(model, "new.csv").tolist()
        found = aw.probability(model, "new.csv")
        assert [each["probability"] for each in shown] == (found if found.ndim == 1 else found.max(axis=1)).tolist()
    words = ("predict", "several", "new.csv", "--json", "--probability")
    first = json.loads(out_of(capfd, *words).splitlines()[0])
    assert first["probabilities"] == dict(zip(model.classes, found[0].tolist(), strict=True))
    shown = [json.loads(line) for line in out_of(capfd, "predict", "numbers", "new.csv", "--json").splitlines()]
    assert shown == [{"raw": raw} for raw in aw.predict(aw.load("numbers"), "new.csv").tolist()]


@pytest.mark.parametrize(
    ("model", "words", "sentence"),
    [
        ("numbers", ["--label"], "--label: `squared` loss predicts a number, not a label"),
        ("numbers", ["--probability"], "--probability: `squared` loss gives no probability"),
        ("numbers", ["--threshold", "0.5"], "--threshold: `squared` loss predicts a number"),
        ("two", ["--threshold", "1.5"], "--threshold: threshold is 1.5, expected a probability from 0 to 1"),
        ("two", ["--threshold", "nan"], "--threshold: threshold is nan, expected a probability from 0 to 1"),
        ("several", ["--threshold", "0.5"], "--threshold: threshold is 0.5, which is for two labels"),
        ("hinge", ["--probability"], "--probability: `hinge` loss gives no probability"),
        ("hinge", ["--threshold", "0.5"], "--threshold: `hinge` loss gives no probability"),
        ("empty", ["--label"], "--label: the model has not met any label yet"),
    ],
)
def test_what_a_model_cannot_say_is_refused(model: str, words: list[str], sentence: str, capfd: Any) -> None:
    aw.save(aw.linear.Perceptron(), "hinge")
    aw.save(aw.Auto(), "empty")
    capfd.readouterr()
    assert inside("predict", model, "new.csv", *words) == 2
    out, err = capfd.readouterr()
    assert sentence in err
    assert out == ""


def test_the_target_is_no_feature_and_need_not_be_named(capfd: Any) -> None:
    """Neither with the same name of the file, nor through a pipe whose header comes with the rows."""
    write_flights(Path("bare.csv"), columns="carrier,hour")
    bare = out_of(capfd, "predict", "two", "bare.csv")
    assert out_of(capfd, "predict", "two", "two.csv") == bare
    assert out_of(capfd, "predict", "two", "two.csv", "--target", "late") == bare
    for path in ("bare.csv", "two.csv"):
        ran = afterwit("predict", "two", "-", stdin=Path(path).read_bytes())
        assert (ran.stdout.decode(), ran.stderr) == (bare, b"")
    Path("table").write_bytes(Path("two.csv").read_bytes())  # its name tells nothing
    assert out_of(capfd, "predict", "two", "table") == bare


def test_names_of_two_labels_that_only_the_command_knew(capfd: Any) -> None:
    words = ("--target", "late", "--learner", "adagrad", "--classes", "ontime,late", "--save", "named")
    assert inside("learn", "two.csv", *words) == 0
    assert set(out_of(capfd, "predict", "named", "new.csv", "--label").split()) <= set(NAMES["two"])
    assert "error rate" in out_of(capfd, "evaluate", "named", "two.csv")
    Path("rows.svm").write_text("spam 1:1\nham 2:1\n" * 5)
    assert inside("learn", "rows.svm", "--learner", "adagrad", "--classes", "ham,spam", "--save", "mail") == 0
    assert out_of(capfd, "predict", "mail", "rows.svm", "--label").split() == ["spam", "ham"] * 5


def test_evaluate(capfd: Any) -> None:
    for kind in (*NAMES, "numbers"):
        shown = json.loads(out_of(capfd, "evaluate", kind, f"{kind}.csv", "--json"))
        assert shown == json.loads(aw.evaluate(aw.load(kind), f"{kind}.csv").to_json())
        assert shown["rows"] == 400
        text = out_of(capfd, "evaluate", kind, f"{kind}.csv")
        assert f"{shown['mean_loss']:.6f}" in text
    pyarrow.parquet.write_table(pyarrow.csv.read_csv("new.csv"), "new.parquet")
    for data in ("new.csv", "new.parquet"):
        assert inside("evaluate", "two", data) == 1
        assert "`late`" in (err := capfd.readouterr().err)
        assert "the columns are `carrier`, `hour`" in err
    before = Path("two").read_bytes()
    assert inside("evaluate", "two", "two.csv") == 0
    assert Path("two").read_bytes() == before


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_other_columns_are_said_once_or_refused(command: str, capfd: Any) -> None:
    write_flights(Path("other.csv"), columns="carrier,more,late", rows=9)
    sentence = (
        "other.csv (CSV, comma): there is no column `hour`, which the model met in every row; the column `more` is one "
        "that the model never met"
    )
    assert inside(command, "two", "other.csv") == 0
    out, err = capfd.readouterr()
    assert err == f"afterwit: {sentence}\n"
    assert inside(command, "two", "other.csv", "--strict") == 1
    out, err = capfd.readouterr()
    assert (out, err) == ("", f"afterwit: {sentence}\n")
    ran = afterwit(command, "two", "-", "--strict", stdin=Path("other.csv").read_bytes())
    assert ran.returncode == 1
    assert b"there is no column `hour`" in ran.stderr
    assert command == "evaluate" or ran.stdout == b""
    assert inside(command, "two", "two.csv", "--strict") == 0


def test_what_goes_on_says_other_columns_and_missing_weights(capfd: Any) -> None:
    frame = pd.read_csv("two.csv")
    frame.assign(w=2.0).to_csv("weighed.csv", index=False)
    frame.rename(columns={"hour": "Hour"}).to_csv("other.csv", index=False)
    assert inside("learn", "weighed.csv", "--target", "late", "--weight", "w", "--save", "m") == 0
    assert capfd.readouterr().err == ""
    assert inside("learn", "weighed.csv", "--from", "m") == 0
    assert capfd.readouterr().err == ""
    sentences = (
        "there is no column `hour`, which the model met in every row; did you mean `Hour`?; the column `Hour` is one "
        "that the model never met",
        "there is no column `w`, which had the weights",
    )
    assert inside("learn", "other.csv", "--from", "m") == 0
    assert capfd.readouterr().err == f"afterwit: other.csv (CSV, comma): {'; '.join(sentences)}\n"
    ran = afterwit("learn", "-", "--from", "m", stdin=Path("other.csv").read_bytes())
    assert (ran.returncode, sentences[0].encode() in ran.stderr) == (0, True)
    assert inside("predict", "m", "two.csv") == 0
    assert capfd.readouterr().err == ""
    assert inside("evaluate", "m", "two.csv") == 0
    assert capfd.readouterr().err == f"afterwit: two.csv (CSV, comma): {sentences[1]}\n"


def test_ids_called_like_what_is_predicted_are_refused(capfd: Any) -> None:
    frame = pd.read_csv("two.csv")
    frame.assign(label="own", raw="own", probability="own").to_csv("named.csv", index=False)
    assert inside("predict", "two", "named.csv", "--id", "label", "probability") == 0
    assert capfd.readouterr().out.startswith("label,probability,raw\nown,own,")
    for words in (["raw"], ["raw", "--json"], ["label", "--label"], ["probability", "--probability"]):
        assert inside("predict", "two", "named.csv", "--predictions", "p", "--id", *words) == 1
        assert f"the id `{words[0]}` has the name of what is predicted; rename" in capfd.readouterr().err
        assert not Path("p").exists()


def test_python_warns_of_other_columns() -> None:
    write_flights(Path("other.csv"), columns="carrier,more,late", rows=9)
    model = aw.load("two")
    for act in (aw.predict, aw.evaluate, aw.label, aw.probability):
        with pytest.warns(UserWarning, match="there is no column `hour`"):
            act(model, "other.csv")


def test_what_goes_on_need_not_name_its_columns(capfd: Any) -> None:
    for path, rows in (("may.csv", slice(0, 150)), ("june.csv", slice(150, 400))):
        lines = Path("two.csv").read_text().splitlines(keepends=True)
        Path(path).write_text("".join([lines[0], *lines[1:][rows]]))
    assert inside("learn", "may.csv", "--target", "late", "--save", "m") == 0
    assert inside("learn", "june.csv", "--from", "m", "--save", "both") == 0
    assert Path("both").read_bytes() == Path("two").read_bytes()


def test_ids_come_along_and_are_no_features(capfd: Any) -> None:
    write_flights(Path("ids.csv"), columns="more,carrier,hour,late")
    write_flights(Path("bare.csv"), columns="carrier,hour,late")
    assert inside("learn", "bare.csv", "--target", "late", "--save", "bare") == 0
    model = aw.Auto()
    aw.learn(model, "ids.csv", target="late", ids=["more"])
    aw.save(model, "ids")
    raw = aw.predict(aw.load("bare"), "bare.csv")
    # What was an id is none of the features again, and nobody misses it.
    assert aw.predict(model, "ids.csv").tolist() == aw.predict(model, "bare.csv").tolist() == raw.tolist()
    found = list(csv.reader(io.StringIO(out_of(capfd, "predict", "ids", "ids.csv", "--id", "more"))))
    assert found[0] == ["more", "raw"]
    assert [row[0] for row in found[1:]] == [str(i) for i in range(400)]
    shown = out_of(capfd, "predict", "ids", "ids.csv", "--id", "more", "--json").splitlines()
    first = {"more": "0", "raw": raw[0], "label": aw.label(model, "ids.csv")[0]}
    assert {name: value for name, value in json.loads(shown[0]).items() if name != "probability"} == first
    assert inside("predict", "ids", "bare.csv", "--id", "mroe") == 1
    assert "mroe" in capfd.readouterr().err
    assert inside("predict", "ids", "ids.csv", "--id", "mroe") == 1
    assert "did you mean `more`?" in capfd.readouterr().err


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_what_the_model_learns_from_may_come_along_too(form: str, capfd: Any) -> None:
    """A feature is one still; the labels are none still."""
    frame = pd.read_csv("two.csv")
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame), "two.parquet")
    found = list(csv.reader(io.StringIO(out_of(capfd, "predict", "two", f"two.{form}", "--id", "hour", "late"))))
    assert found[0] == ["hour", "late", "raw"]
    assert [row[:2] for row in found[1:]] == frame[["hour", "late"]].astype(str).to_numpy().tolist()
    assert [float(row[2]) for row in found[1:]] == aw.predict(aw.load("two"), "two.csv").tolist()


def test_tags_of_vw_text_come_along(capfd: Any) -> None:
    Path("mail.vw").write_text("1 first| a:1\n-1 2 'second |b:1 c\n1 | a:2\n")
    assert inside("learn", "mail.vw", "--learner", "adagrad", "--save", "mail") == 0
    found = list(csv.reader(io.StringIO(out_of(capfd, "predict", "mail", "mail.vw", "--id", "tag", "--label"))))
    assert found == [["tag", "label"], ["first", "1"], ["second", "-1"], ["", "1"]]
