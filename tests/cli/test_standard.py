"""Standard streams that are closed, full or left by their reader, and SIGTERM: a sentence and a code, no traceback."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import afterwit as aw
from tests.cli.commands import COMMAND, write_svmlight


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_svmlight(tmp_path / "d.svm", 30, features=15)
    aw.save(aw.linear.AdaGrad(), "known")
    Path("f.csv").write_text("y,a,b\n" + "1,2,3\n2,3,1\n" * 3)
    return tmp_path


def shell(words: str) -> tuple[int, str, str]:
    command = ["bash", "-c", f"exec {' '.join(COMMAND)} {words}"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr


FULL = "afterwit: cannot write standard output: no space left on device\n"
CLOSED = "afterwit: cannot write standard output: it is closed\n"


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "--version",
        "learn --help",
        "learn d.svm --save m",
        "predict known d.svm",
        "compare d.svm adagrad --json",
        "aggregate f.csv --target y --save m",
        "inspect known",
    ],
)
def test_standard_output_that_is_full_or_closed(words: str) -> None:
    assert shell(f"{words} > /dev/full") == (1, "", FULL)
    if "--save" in words:
        assert aw.load("m")
        os.unlink("m")
    if words in ("--version", "learn d.svm --save m", "predict known d.svm"):
        assert shell(f"{words} >&-") == (1, "", CLOSED)
        assert Path("m").exists() == ("--save" in words)


def test_standard_input_that_is_closed() -> None:
    sentence = "afterwit: cannot read `standard input`: bad file descriptor\n"
    assert shell("learn - <&-") == (1, "", sentence)
    code, out, err = shell("learn d.svm --save m <&-")
    assert (code, err) == (0, "")
    assert out
    assert aw.load("m")


def test_standard_error_that_is_full_or_closed() -> None:
    for where in ("/dev/full", "&-"):
        code, out, _ = shell(f"learn d.svm 2>{where}")
        assert code == 0
        assert out
        assert shell(f"learn nowhere 2>{where}") == (1, "", "")
        assert shell(f"learn --nothing 2>{where}") == (2, "", "")
    assert shell("learn nowhere <&- >&- 2>&-") == (1, "", "")


def test_the_report_comes_again_when_it_could_not_be_written() -> None:
    words = "learn d.svm --save m --checkpoint 10 --resume"
    assert shell(f"{words} > /dev/full") == (1, "", FULL)
    assert Path("m.checkpoint").exists()
    assert shell(words) == shell("learn d.svm")
    assert not Path("m.checkpoint").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_wait_until_the_core_is_loaded(number: int, code: int) -> None:
    """One that raises in the middle of it would abort the process."""
    program = f"""
import importlib, os, signal, sys
from afterwit.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
load = importlib.import_module
def interrupted(name):
    importlib.import_module = load
    os.kill(os.getpid(), {int(number)})
    loaded = load(name)
    print("loaded", file=sys.stderr)
    return loaded
importlib.import_module = interrupted
sys.exit(main(["learn", "d.svm", "--save", "m"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "loaded\nafterwit: stopped\n")
    assert not Path("m").exists()


@pytest.mark.parametrize("awaited", [b"\x1b[?25l", b"rows/s"], ids=["hidden", "drawn"])
def test_sigterm_cleans_up(here: Path, awaited: bytes) -> None:
    """When the cursor has just been hidden, and when it waits for the second file."""
    os.mkfifo("rows")
    screen, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    words = ["learn", "d.svm", "rows", "--predictions", "p", "--save", "m"]
    with subprocess.Popen([*COMMAND, *words], stderr=terminal, env=environment) as run:
        os.close(terminal)
        drawn = b""
        while awaited not in drawn:
            drawn += os.read(screen, 65536)
        run.send_signal(signal.SIGTERM)
        try:
            while part := os.read(screen, 65536):
                drawn += part
        except OSError:  # how Linux says that the other end is closed
            pass
    os.close(screen)
    assert run.returncode == 143, drawn
    assert drawn.rindex(b"\x1b[?25h") > drawn.rindex(b"\x1b[?25l")
    assert drawn.endswith(b"afterwit: stopped\r\n")
    assert sorted(os.listdir(here)) == ["d.svm", "f.csv", "known", "rows"]
