"""`learn --from`: two halves are one run, whoever learns; options that contradict the model are refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import afterwit as aw
from afterwit.errors import DataError
from afterwit.learning.words import kinds
from afterwit.linear import AdaGrad
from tests.cli.commands import digest, inside, write_svmlight

ROWS, HALF = 600, 251
LEARNERS = [name for name in kinds() if name != "panel"]
#: What the labels are, and what the command says of them, where that is not what the learner expects anyway.
TASKS: dict[str, tuple[tuple[Any, ...], list[str]]] = {
    "two": ((-1, 1), []),
    "several": ((1, 2, 3), ["--classes", "any"]),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def halves(classes: tuple[Any, ...] = (-1, 1)) -> None:
    lines = write_svmlight(Path("all.svm"), ROWS, features=15, classes=classes).read_text().splitlines(keepends=True)
    Path("first.svm").write_text("".join(lines[:HALF]))
    Path("second.svm").write_text("".join(lines[HALF:]))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_two_halves_are_one_run(learner: str, task: str, capfd: Any) -> None:
    classes, more = TASKS[task]
    halves(classes)
    words = ["--learner", learner, *more, "--interactions", "*"]
    assert inside("learn", "all.svm", *words, "--save", "whole", "--predictions", "p") == 0
    assert inside("learn", "first.svm", *words, "--save", "half", "--predictions", "p1") == 0
    assert inside("learn", "second.svm", "--from", "half", "--save", "both", "--predictions", "p2") == 0
    assert digest(Path("both")) == digest(Path("whole"))
    assert Path("p1").read_bytes() + Path("p2").read_bytes() == Path("p").read_bytes()
    # The same options again say nothing new.
    assert inside("learn", "second.svm", *words, "--from", "half", "--save", "again") == 0
    assert digest(Path("again")) == digest(Path("whole"))
    assert capfd.readouterr().err == ""


def test_a_model_may_go_on_in_its_own_file(capfd: Any) -> None:
    halves()
    assert inside("learn", "all.svm", "--save", "whole") == 0
    assert inside("learn", "first.svm", "--save", "m") == 0
    assert inside("learn", "second.svm", "--from", "m", "--save", "m") == 0
    assert digest(Path("m")) == digest(Path("whole"))


def test_a_third_label_says_what_to_do(capfd: Any) -> None:
    Path("may.csv").write_text("x,y\n" + "1,no\n2,yes\n" * 9)
    Path("june.csv").write_text("x,y\n1,no\n2,perhaps\n")
    assert inside("learn", "may.csv", "--target", "y", "--save", "m") == 0
    sentence = "expected `no` or `yes`; for more than two labels begin anew with the task `classes`"
    for words in (["learn", "june.csv", "--from", "m"], ["evaluate", "m", "june.csv"]):
        assert inside(*words) == 1
        assert sentence in capfd.readouterr().err
    with pytest.raises(DataError, match="row 2: the label is `perhaps`, expected one of no, yes; for more"):
        aw.learn(aw.load("m"), [({"x": 1}, "no"), ({"x": 2}, "perhaps")])
    assert inside("learn", "june.csv", "--target", "y", "--task", "classes") == 0


def test_what_was_learned_is_no_id_from_now_on(capfd: Any) -> None:
    Path("may.csv").write_text("i,w,x,y\n" + "1,2,3,no\n2,1,5,yes\n" * 9)
    assert inside("learn", "may.csv", "--target", "y", "--weight", "w", "--id", "i", "--save", "m") == 0
    for column in ("w", "x", "y"):
        assert inside("learn", "may.csv", "--from", "m", "--id", column) == 2
        assert f"--id is `{column}`, which `m` has learned from; leave it out" in capfd.readouterr().err
    assert inside("learn", "may.csv", "--from", "m", "--id", "i") == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--learner", "perceptron"], "--learner is `perceptron`, and in `m` it is `AdaGrad("),
        (["--learner", "adagrad:rate=0.25"], "--learner is `adagrad:rate=0.25`, and in `m` it is `AdaGrad("),
        (["--loss", "hinge"], "--loss is `hinge`, and in `m` it is `logistic`"),
        (["--task", "numbers"], "--task is `numbers`, and in `m` it is `binary`"),
        (["--classes", "any"], "--classes is `any`, and in `m` it is not given"),
        (["--classes", "a,b,c"], "--classes is `a,b,c`, and in `m` it is not given"),
        (["--bits", "20"], "--bits is `20`, and in `m` it is `12`"),
        (["--seed", "3"], "--seed is `3`, and in `m` it is `0`"),
        (["--names", "exact"], "--names is `exact`, and in `m` it is `hashed`"),
        (["--no-intercept"], "--no-intercept is given, and in `m` it is not given"),
        (["--interactions", "*"], "--interactions is `*`, and in `m` it is not given"),
        (["--ignore", "x", "y"], "--ignore is `x y`, and in `m` it is `x`"),
        (["--keep", "x"], "--keep is `x`, and in `m` it is not given"),
        (["--text", "x:2"], "--text is `x:2`, and in `m` it is not given"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_contradicts_the_model_is_refused(words: list[str], sentence: str, capfd: Any) -> None:
    halves()
    assert inside("learn", "first.svm", "--learner", "adagrad", "--bits", 12, "--ignore", "x", "--save", "m") == 0
    capfd.readouterr()
    assert inside("learn", "second.svm", "--from", "m", "--save", "n", *words) == 2
    out, err = capfd.readouterr()
    option = words[0]
    assert (out, not Path("n").exists()) == ("", True)
    assert sentence in err
    assert f"leave {option} out to go on with that model, or --from to begin a new one" in err


def test_hindsight_begins_with_nothing(capfd: Any) -> None:
    halves()
    aw.save(AdaGrad(), "m")
    assert inside("learn", "second.svm", "--from", "m", "--hindsight") == 2
    assert "--hindsight is about a learner that begins with nothing" in capfd.readouterr().err


def test_only_a_model_of_rows_goes_on(capfd: Any) -> None:
    halves()
    aw.save(aw.Mixture(aw.experts.AdaNormalHedge(), loss="squared"), "mixture")
    for path, code, sentence in (
        ("mixture", 2, "which learns from forecasts, not from rows of features"),
        ("all.svm", 1, "`all.svm`"),
        ("nowhere", 1, "no such file"),
    ):
        assert inside("learn", "second.svm", "--from", path) == code
        assert sentence in capfd.readouterr().err


def test_one_that_has_not_decided_decides(capfd: Any) -> None:
    halves()
    Path("nothing.svm").write_text("")
    assert inside("learn", "nothing.svm", "--save", "m") == 0
    assert inside("learn", "all.svm", "--from", "m", "--save", "m") == 0
    assert inside("learn", "all.svm", "--save", "n") == 0
    assert digest(Path("m")) == digest(Path("n"))
