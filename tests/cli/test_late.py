"""`learn --delay`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import afterwit as aw
from tests.cli.commands import digest, inside, write_svmlight


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_labels_that_come_late(capfd: Any) -> None:
    """The predictions are those of the protocol, the model is that of labels that are never late."""
    write_svmlight(Path("a.svm"), 300, features=15)
    words = ["learn", "a.svm", "--learner", "adagrad"]
    assert inside(*words, "--delay", 40, "--save", "late", "--predictions", "p", "--json") == 0
    report = json.loads(capfd.readouterr().out)
    assert report["learner"] == "AdaGrad(), 40 rows late"
    assert report["log_loss"] == aw.learn(aw.linear.AdaGrad(), "a.svm", delay=40).log_loss
    assert inside(*words, "--save", "prompt", "--predictions", "q") == 0
    assert digest(Path("late")) == digest(Path("prompt"))
    late, prompt = Path("p").read_text().split(), Path("q").read_text().split()
    assert late[:41] == ["0.0"] * 41
    assert len(late) == len(prompt) == 300
    assert late != prompt
    assert inside(*words, "--delay", 40, "--hindsight") == 0
    assert "learned before the next one is predicted" in capfd.readouterr().out


def test_a_run_that_was_stopped_goes_on(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from afterwit.learning import lesson

    write_svmlight(Path("a.svm"), 300, features=15)
    words = ["learn", "a.svm", "--learner", "adagrad", "--delay", 70, "--passes", 2]
    assert inside(*words, "--save", "whole", "--predictions", "p") == 0
    words += ["--checkpoint", 50, "--save", "m", "--predictions", "q"]
    real, rows = lesson.learn_batch, [0]

    def stopped(model: Any, batch: Any) -> Any:
        rows[0] += len(batch)
        if rows[0] > 150:
            raise KeyboardInterrupt
        return real(model, batch)

    monkeypatch.setattr(lesson, "learn_batch", stopped)
    assert inside(*words) == 130
    monkeypatch.setattr(lesson, "learn_batch", real)
    assert inside(*words[:-6], *words[-6:], "--resume", "--delay", 71) == 1
    assert "--delay is `71`, and was `70`" in capfd.readouterr().err
    assert inside(*words, "--resume") == 0
    assert digest(Path("m")) == digest(Path("whole"))
    assert Path("q").read_bytes() == Path("p").read_bytes()


def test_wrong_words(capfd: Any) -> None:
    write_svmlight(Path("a.svm"), 3)
    assert inside("learn", "a.svm", "--delay", -1) == 2
    assert "--delay is -1, expected 0 or more" in capfd.readouterr().err
