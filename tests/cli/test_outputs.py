"""Whatever a command writes to: files whole or not at all, pipes and devices as it comes, the rest refused at once."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

import afterwit as aw
from tests.cli.commands import COMMAND, inside, on_a_terminal, write_svmlight

ROWS = 30


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with data, a model and forecasts, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    write_svmlight(tmp_path / "d.svm", ROWS, features=15)
    model = aw.linear.AdaGrad(normalized=True)
    aw.learn(model, aw.read("d.svm"))
    aw.save(model, "known")
    Path("f.csv").write_text("y,a,b\n" + "1,2,3\n2,3,1\n" * 3)
    return tmp_path


#: Every output of every command.
OUTPUTS = [
    (["learn", "d.svm"], "--save"),
    (["learn", "d.svm"], "--predictions"),
    (["predict", "known", "d.svm"], "--predictions"),
    (["aggregate", "f.csv", "--target", "y"], "--predictions"),
    (["aggregate", "f.csv", "--target", "y"], "--save"),
    (["aggregate", "f.csv", "--target", "y"], "--plot"),
]
# A picture takes a second to draw.
each_quick_output = pytest.mark.parametrize(
    ("words", "option"), OUTPUTS[:-1], ids=lambda value: value if isinstance(value, str) else value[0]
)
each_output = pytest.mark.parametrize(
    ("words", "option"), OUTPUTS, ids=lambda value: value if isinstance(value, str) else value[0]
)


def left(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


@each_output
def test_what_cannot_be_written_is_refused_before_any_work(
    here: Path, words: list[str], option: str, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("dangling").symlink_to("nowhere/m")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("socket")
    closed = os.dup(0)
    os.close(closed)
    before = left(here)
    monkeypatch.setattr("afterwit.learning.lesson.learn_batch", None)  # any work would fail
    monkeypatch.setattr("afterwit.learning.passes.predict_batch", None)
    monkeypatch.setattr("afterwit.cli.aggregate.read_numbers", None)
    for path, sentence in (
        ("", f"{option} is ``, expected the name of a file, or - for standard output"),
        ("folder", f"{option}: cannot write `folder`: is a directory"),
        ("folder/", f"{option}: cannot write `folder/`: is a directory"),
        ("new/", f"{option}: cannot write `new/`: is a directory"),
        ("nowhere/m", f"{option}: cannot write `nowhere/m`: its folder does not exist"),
        ("dangling", f"{option}: cannot write `dangling`: its folder does not exist"),
        ("/proc/m", f"{option}: cannot write `/proc/m`: "),  # a folder that not even root can write
        ("loop", f"{option}: cannot write `loop`: too many levels of symbolic links"),
        ("socket", f"{option}: cannot write `socket`: it is neither a file nor a pipe nor a device"),
        ("n" * 256, "file name too long"),
        (f"/dev/fd/{closed}", "bad file descriptor"),
        (f"/dev/fd/{2**40}", "bad file descriptor"),
        ("\x1b[31mred/m", f"{option}: cannot write `\\x1b[31mred/m`: its folder"),
    ):
        assert inside(*words, option, path) == 2, path
        out, err = capfd.readouterr()
        assert out == ""
        assert sentence in err
        assert err.count("\n") == 1
    assert left(here) == before
    listener.close()


@each_output
def test_an_output_is_no_input_and_no_other_output(here: Path, words: list[str], option: str, capfd: Any) -> None:
    data = words[-1] if words[0] != "aggregate" else "f.csv"
    os.link(data, "hard")
    Path("soft").symlink_to(data)
    Path("folder").mkdir()
    before = left(here)
    for path in (data, f"folder/../{data}", str(here / data), "hard", "soft"):
        assert inside(*words, option, path) == 2
        assert (
            f"{option} is `{path}`, which is the input `{data}` too; give it a name of its own"
            in capfd.readouterr().err
        )
    others = {"learn": ["--save", "--predictions"], "aggregate": ["--save", "--plot"], "predict": []}[words[0]]
    for other in others:
        if other != option:
            assert inside(*words, option, "new", other, "folder/../new") == 2
            assert "which is the file of --" in capfd.readouterr().err
            assert inside(*words, option, "-", other, "/dev/stdout") == 2
    assert left(here) == before


def test_a_model_and_a_cache_are_not_written_over(here: Path, capfd: Any) -> None:
    before = left(here)
    assert inside("predict", "known", "d.svm", "--predictions", "./known") == 2
    assert "which is the model too" in capfd.readouterr().err
    assert inside("learn", "d.svm", "--cache", "--save", "d.svm.afterwit-cache") == 2
    assert "which is the file of --cache too" in capfd.readouterr().err
    for words in (["learn", "d.svm"], ["compare", "d.svm", "adagrad"]):
        os.mkfifo("d.svm.afterwit-cache")
        assert inside(*words, "--cache") == 2  # and does not wait for a writer
        assert "--cache is `d.svm.afterwit-cache`, a pipe or a device" in capfd.readouterr().err
        os.unlink("d.svm.afterwit-cache")
    assert left(here) == before
    Path("d.svm.afterwit-cache").symlink_to("d.svm")
    for words in (["learn", "d.svm"], ["compare", "d.svm", "adagrad"], ["learn", "d.svm", "d.svm.afterwit-cache"]):
        assert inside(*words, "--cache") == 2
        sentence = "--cache is `d.svm.afterwit-cache`, which is the input `d.svm` too; leave one of the two out"
        assert sentence in capfd.readouterr().err
    assert Path("d.svm").read_bytes() == before[str(here / "d.svm")]


def test_names_of_files_are_shown_without_their_escapes(here: Path, capfd: Any) -> None:
    Path("\x1b[31m\n.svm").write_bytes(Path("d.svm").read_bytes())
    Path("\x1b[31m\n.csv").write_bytes(Path("f.csv").read_bytes())
    for words in (["learn", "\x1b[31m\n.svm"], ["compare", "\x1b[31m\n.svm", "adagrad"]):
        assert inside(*words) == 0
        assert "\\x1b[31m\\n.svm (svmlight)\n" in capfd.readouterr().out
    _, drawn = on_a_terminal("learn", "\x1b[31m\n.svm")
    assert b"\\x1b[31m\\n.svm (svmlight)" in drawn
    assert inside("aggregate", "\x1b[31m\n.csv", "--target", "y") == 0
    assert "\\x1b[31m\\n.csv (CSV, comma): 6 rounds" in capfd.readouterr().out


def test_standard_input_and_output_have_names_too(here: Path) -> None:
    with open("d.svm", "rb") as data, open("out", "wb") as out:

        def run(*words: str) -> tuple[int, str]:
            done = subprocess.run([*COMMAND, *words], stdin=data, stdout=out, stderr=subprocess.PIPE, check=False)
            return done.returncode, done.stderr.decode()

        code, sentence = run("learn", "-", "--save", "d.svm")
        assert (code, sentence) == (
            2,
            "afterwit: --save is `d.svm`, which is the input `-` too; give it a name of its own\n",
        )
        code, sentence = run("learn", "d.svm", "--save", "out")
        assert code == 2
        assert "which is standard output too" in sentence


@each_quick_output
def test_files_keep_their_mode_and_links_their_target(words: list[str], option: str) -> None:
    assert inside(*words, option, "straight") == 0
    content = Path("straight").read_bytes()
    Path("folder").mkdir()
    target, link = Path("folder/target"), Path("link")
    target.write_bytes(b"old")
    target.chmod(0o600)
    link.symlink_to(target)
    assert inside(*words, option, link) == 0
    assert link.is_symlink()
    assert target.read_bytes() == content
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert os.listdir("folder") == ["target"]


@each_quick_output
def test_pipes_and_devices_are_written_into(words: list[str], option: str, capfd: Any) -> None:
    assert inside(*words, option, "straight") == 0
    report = capfd.readouterr().out
    content = Path("straight").read_bytes()
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    for pipe in ("pipe", "link"):
        got: list[bytes] = []
        reader = threading.Thread(target=lambda got=got: got.append(Path("pipe").read_bytes()), daemon=True)
        reader.start()
        assert inside(*words, option, pipe) == 0
        reader.join()
        assert got == [content]
        assert stat.S_ISFIFO(os.stat("pipe").st_mode)
        assert capfd.readouterr().out == report
    assert inside(*words, option, "/dev/null") == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    capfd.readouterr()
    assert inside(*words, option, "/dev/full") == 1
    out, err = capfd.readouterr()
    assert (out, err) == ("", "afterwit: cannot write `/dev/full`: no space left on device\n")
    with open("log", "w+b") as log:
        log.write(b"begun ")
        log.flush()
        assert inside(*words, option, f"/dev/fd/{log.fileno()}") == 0
    assert Path("log").read_bytes() == b"begun " + content  # not from its beginning again


@each_quick_output
@pytest.mark.parametrize("path", ["-", "/dev/stdout"])
def test_standard_output_is_for_the_output_alone(words: list[str], option: str, path: str, capfdbinary: Any) -> None:
    assert inside(*words, option, "straight") == 0
    report = capfdbinary.readouterr().out
    assert inside(*words, option, path) == 0
    out, err = capfdbinary.readouterr()
    assert out == Path("straight").read_bytes()
    assert err == report
    assert not Path("-").exists()


def test_a_picture_goes_to_standard_output(capfdbinary: Any) -> None:
    assert inside("aggregate", "f.csv", "--target", "y", "--plot", "-") == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"\x89PNG")
    assert err.startswith(b"Mixture(")


def test_a_reader_of_a_pipe_that_leaves(capfd: Any) -> None:
    os.mkfifo("pipe")
    Path("d.svm").write_text("1 1:1\n" * 50_000)

    def look() -> None:
        with open("pipe", "rb") as pipe:
            pipe.read(1)

    reader = threading.Thread(target=look, daemon=True)
    reader.start()
    assert inside("predict", "known", "d.svm", "--predictions", "pipe") == 1
    reader.join()
    assert capfd.readouterr() == ("", "afterwit: cannot write `pipe`: broken pipe\n")


def test_rows_go_into_a_pipe_as_they_come() -> None:
    """The reader has the first prediction before the second row is written."""
    os.mkfifo("rows")
    os.mkfifo("predictions")
    learner = threading.Thread(
        target=inside, args=("predict", "known", "rows", "--predictions", "predictions"), daemon=True
    )
    learner.start()
    with open("predictions", "rb") as predictions, open("rows", "wb", buffering=0) as rows:
        for _ in range(2):
            rows.write(b"1 1:1\n" * 4096)
            assert len([predictions.readline() for _ in range(4096)]) == 4096
    learner.join()


def test_a_name_of_several_lines_is_one_line(capfd: Any) -> None:
    Path("c.csv").write_text("y,x\n" + '"a\nb",u\n"c\rd",v\n"""q",w\nplain,x\n' * 8)
    assert inside("learn", "c.csv", "--target", "y", "--classes", "any", "--save", "m", "--predictions", "p") == 0
    capfd.readouterr()
    assert inside("predict", "m", "c.csv", "--target", "y", "--predictions", "q") == 0
    for made in ("p", "q"):
        lines = Path(made).read_bytes().decode().splitlines()
        assert len(lines) == 32
        assert {json.loads(line) for line in lines if line.startswith('"')} <= {"a\nb", "c\rd", '"q'}
    assert '"a\\nb"' in Path("q").read_text()


def test_a_longest_name_that_leaves_no_room_for_a_checkpoint(here: Path, capfd: Any) -> None:
    name = "m" * 255
    assert inside("learn", "d.svm", "--save", name) == 0
    before = left(here)
    capfd.readouterr()
    for words in (["--save", name], ["--save", "m", "--predictions", "p" * 255]):
        assert inside("learn", "d.svm", *words, "--checkpoint", 5) == 2
        assert "file name too long" in capfd.readouterr().err
    assert left(here) == before
