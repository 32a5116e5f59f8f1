"""Killed before every operation on a file, or in the middle of every write.

A run that is resumed ends as if it had never been killed, and other commands leave the old file or the new one. What a
killed process left behind is gone after the next.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
from itertools import count
from pathlib import Path

import pytest

from tests.cli import server
from tests.cli.commands import afterwit, write_svmlight
from tests.fuzz.sanitized import COMPILER

LEARN = {
    "plain": ["--learner", "adagrad"],
    "passes": ["--learner", "adagrad:normalized=true", "--passes", 2, "--cache", "--window", 150],
    "classes": ["--classes", "any", "--holdout", 7],
}
HALF = pytest.mark.parametrize("half", [False, True], ids=["before", "within"])


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Counts the operations, and kills."""
    if shutil.which(COMPILER) is None:
        pytest.skip(f"there is no compiler {COMPILER}")
    source, built = Path(__file__).parent / "crash_points.cpp", tmp_path_factory.mktemp("crash") / "crash_points.so"
    flags = ["-std=c++20", "-O1", "-U_FORTIFY_SOURCE", "-shared", "-fPIC", "-ldl"]
    subprocess.run([COMPILER, str(source), *flags, "-o", str(built)], check=True)
    return str(built)


class Folder:
    """A folder in which commands are run, killed at the n-th operation on its files where an n is given."""

    def __init__(self, library: str, path: Path, files: dict[str, bytes]) -> None:
        self.library, self.path = library, path
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        for name, content in files.items():
            (path / name).write_bytes(content)

    def run(self, *words: object, at: int = 0, half: bool = False) -> subprocess.CompletedProcess[bytes]:
        crash = {"CRASH_BELOW": str(self.path), "CRASH_AT": str(at), **({"CRASH_HALF": ""} if half else {})}
        done = server.run([*map(str, words)], None, self.library, **crash)
        assert done.returncode == 0 or (at and done.returncode == -signal.SIGKILL), (at, done.stderr)
        return done

    def learn(self, kind: str, at: int = 0, half: bool = False) -> subprocess.CompletedProcess[bytes]:
        words = ["learn", self.path / "data.svm", *LEARN[kind], "--bits", 8, "--json", "--save", self.path / "m"]
        words += ["--predictions", self.path / "p.txt", "--checkpoint", 60, "--resume"]
        return self.run(*words, at=at, half=half)

    def files(self) -> dict[str, bytes]:
        return {name: (self.path / name).read_bytes() for name in os.listdir(self.path)}


class Straight:
    """A run that nobody kills, and others beside it that must end in the same way."""

    def __init__(self, library: str, tmp_path: Path, kind: str) -> None:
        data = write_svmlight(tmp_path / "data.svm", 300, classes=(1, 2, 3) if kind == "classes" else (-1, 1))
        self.library, self.path, self.kind, self.begun = library, tmp_path, kind, {"data.svm": data.read_bytes()}
        folder = self.fresh()
        self.report, self.ended = folder.learn(kind).stdout, folder.files()

    def fresh(self) -> Folder:
        return Folder(self.library, self.path / "run", self.begun)

    def check(self, folder: Folder, printed: bytes, where: object) -> None:
        """Resumes; a run that had ended has printed its report."""
        last = folder.learn(self.kind)
        has_ended = b"its run has ended" in last.stderr
        assert (printed if has_ended else last.stdout) == self.report, (where, last.stderr)
        found = folder.files()
        if self.kind == "passes":  # no whole pass, no cache
            found.setdefault("data.svm.afterwit-cache", b"")
        assert found.keys() == self.ended.keys(), where
        assert (found["m"], found["p.txt"]) == (self.ended["m"], self.ended["p.txt"]), where


@pytest.fixture
def straight(library: str, tmp_path: Path, kind: str) -> Straight:
    return Straight(library, tmp_path, kind)


def check_points(straight: Straight, step: int, half: bool) -> int:
    """Kills a run at every `step`-th operation, resumes it, and returns at which it had ended."""
    at = 1
    while (killed := (folder := straight.fresh()).learn(straight.kind, at, half)).returncode != 0:
        straight.check(folder, killed.stdout, at)
        at += step
    return at


@HALF
@pytest.mark.parametrize("kind", ["passes"])
def test_some_points(straight: Straight, half: bool) -> None:
    assert check_points(straight, 16, half) > 100


@pytest.mark.slow
@HALF
@pytest.mark.parametrize("kind", LEARN)
def test_every_point(straight: Straight, half: bool) -> None:
    assert check_points(straight, 1, half) > 60


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEARN)
def test_killed_again_and_again(straight: Straight) -> None:
    chance = random.Random(1)
    for _ in range(30):
        folder, printed, moments = straight.fresh(), b"", []
        for _ in range(chance.randint(2, 5)):
            moments.append((chance.randint(1, 60), chance.random() < 0.5))
            killed = folder.learn(straight.kind, *moments[-1])
            printed = killed.stdout or printed
            if killed.returncode == 0:
                break
        straight.check(folder, printed, moments)


def check_outputs(library: str, path: Path, files: dict[str, bytes], outputs: list[str], words: list[object]) -> None:
    """At each point every output is the old one or the new one, if there was an old one (before) or not (within)."""
    folder = Folder(library, path, files)
    folder.run(*words)
    new = folder.files()
    assert sorted(new) == sorted({*files, *outputs})
    for half, old in ((False, dict.fromkeys(outputs, b"old\n")), (True, dict[str, bytes]())):
        for at in count(1):
            folder = Folder(library, path, {**files, **old})
            if folder.run(*words, at=at, half=half).returncode == 0:
                assert at > 4
                break
            found = folder.files()
            for name in outputs:
                assert found.get(name) in (old.get(name), new[name]), (name, at, half)
            folder.run(*words)
            assert folder.files() == new, (at, half)


def test_predictions_are_old_or_new(library: str, tmp_path: Path) -> None:
    data = write_svmlight(tmp_path / "data.svm", 300)
    afterwit("learn", data, "--learner", "adagrad", "--bits", 8, "--save", tmp_path / "m")
    path = tmp_path / "run"
    files = {name: (tmp_path / name).read_bytes() for name in ("data.svm", "m")}
    words: list[object] = ["predict", path / "m", path / "data.svm", "--predictions", path / "p.txt"]
    check_outputs(library, path, files, ["p.txt"], words)


@pytest.mark.slow
def test_outputs_of_aggregate_are_old_or_new(library: str, tmp_path: Path) -> None:
    path, outputs = tmp_path / "run", ["m", "p.txt", "picture.png"]
    rows = "".join(f"{k % 7},{k % 5},{k % 3}\n" for k in range(40))
    words: list[object] = ["aggregate", path / "f.csv", "--target", "y"]
    words += ["--save", path / "m", "--predictions", path / "p.txt", "--plot", path / "picture.png"]
    check_outputs(library, path, {"f.csv": f"a,b,y\n{rows}".encode()}, outputs, words)
