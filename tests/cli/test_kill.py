"""Killed at any moment and resumed: the model, the predictions and the report have the same bits."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import COMMAND, digest, inside, write_svmlight

KILLS, DURING_A_SAVE = 20, 5


class Run:
    """One folder in which a command is started, killed and resumed until it ends."""

    def __init__(self, folder: Path, data: Path, learner: list[str]) -> None:
        self.folder, self.data, self.learner = folder, data, learner
        folder.mkdir()
        Path(f"{data}.afterwit-cache").unlink(missing_ok=True)  # with --cache, each run begins by writing it
        self.model, self.predictions = folder / "m.afterwit", folder / "p.txt"
        self.checkpoint = folder / "m.afterwit.checkpoint"

    def start(self) -> subprocess.Popen[bytes]:
        words = ["learn", self.data, *self.learner, "--json", "--save", self.model, "--predictions", self.predictions]
        words += ["--checkpoint", 100, "--resume"]
        return subprocess.Popen([*COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self) -> tuple[str, str, bytes]:
        out, err = self.start().communicate(timeout=120)
        assert err == b""
        return self.result(out)

    def result(self, out: bytes) -> tuple[str, str, bytes]:
        return digest(self.model), digest(self.predictions), out

    def has_ended(self) -> bool:
        """The last thing that a run does with a file is to remove its checkpoint; its report is printed by then."""
        return self.model.exists() and not self.checkpoint.exists()

    def partial(self) -> list[str]:
        return [name for name in os.listdir(self.folder) if ".partial-" in name]


def kill_when(process: subprocess.Popen[bytes], ready: Callable[[], object]) -> bytes:
    """Kills the process as soon as `ready()`, unless it ends first; returns what it printed."""
    while process.poll() is None:
        if ready():
            process.send_signal(signal.SIGKILL)
            break
    return process.communicate()[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner",
    [
        ["--learner", "adagrad:normalized=true", "--passes", "2", "--cache", "--window", "150"],
        ["--classes", "any", "--holdout", "7"],
        ["--from", "base"],
    ],
    ids=["passes", "classes", "from"],
)
def test_killed_and_resumed(tmp_path: Path, learner: list[str]) -> None:
    classes = (1, 2, 3) if "--classes" in learner else (-1, 1)
    data = write_svmlight(tmp_path / "data.svm", 6000, classes=classes)
    if "--from" in learner:
        base, before = str(tmp_path / "base"), write_svmlight(tmp_path / "before.svm", 500)
        assert inside("learn", before, "--save", base) == 0
        learner = ["--from", base]
    straight = Run(tmp_path / "straight", data, learner).finish()
    random_moments = random.Random(1)
    kills = during = before_first = runs = 0
    while kills < KILLS or during < DURING_A_SAVE or before_first < 1:
        runs += 1
        assert runs < 60, "the command ends before it can be killed"
        run = Run(tmp_path / f"run-{runs}", data, learner)
        for kind in random_moments.sample(["before", "save", "save", "random", "random"], 5):
            process = run.start()
            if kind == "before":
                out = kill_when(process, lambda run=run: run.partial() or run.checkpoint.exists())
                before_first += not run.checkpoint.exists() and not run.has_ended()
            elif kind == "save":
                out = kill_when(process, run.partial)
                during += bool(run.partial())  # what it left behind shows that it was writing
            else:
                until = time.monotonic() + 0.2 + random_moments.random()
                out = kill_when(process, lambda until=until: time.monotonic() > until)
            if run.has_ended():  # by itself, or killed between its end and that of the process
                break
            assert process.returncode == -signal.SIGKILL
            kills += 1
        assert (run.result(out) if run.has_ended() else run.finish()) == straight
        assert sorted(os.listdir(run.folder)) == ["m.afterwit", "p.txt"]
