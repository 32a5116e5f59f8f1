"""Running the command as a person would, in its own process."""

from __future__ import annotations

import fcntl
import hashlib
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from afterwit.cli import main
from tests.cli import server

COMMAND = [sys.executable, "-m", "afterwit"]


def afterwit(
    *words: object, stdin: bytes | None = None, preexec: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    if preexec is None:
        return server.run([*map(str, words)], stdin)
    return subprocess.run(
        [*COMMAND, *map(str, words)], input=stdin, capture_output=True, timeout=120, preexec_fn=preexec, check=False
    )


def inside(*words: object) -> int:
    """The same in this process, which takes a tenth of the time; `capfd` has what it prints."""
    return main([*map(str, words)])


def started(*words: object, stdin: int | None = None) -> subprocess.Popen[bytes]:
    """A command that runs on, and that Ctrl-C ends; a background job's children would inherit that they ignore it."""
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def on_a_terminal(*words: object, columns: int = 80, lines: int = 24) -> tuple[bytes, bytes]:
    """What a command that succeeds prints, and what it draws by way of standard error on a terminal of this size."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "LINES": "", "COLUMNS": ""}
    command = [*COMMAND, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env=environment) as run:
        os.close(terminal)
        drawn = b""
        try:
            while part := os.read(screen, 65536):
                drawn += part
        except OSError:  # how Linux says that the other end is closed
            pass
        assert run.stdout is not None
        printed = run.stdout.read()
    os.close(screen)
    assert run.returncode == 0, drawn
    return printed, drawn


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_svmlight(
    path: Path, rows: int, features: int = 1000, seed: int = 0, classes: Sequence[Any] = (-1, 1)
) -> Path:
    """Random rows of a noisy linear concept."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=(len(classes), features))
    lines = []
    for _ in range(rows):
        columns = np.sort(rng.choice(features, size=rng.integers(1, 12), replace=False))
        values = rng.normal(size=len(columns))
        score = w[:, columns] @ values + rng.normal(size=len(classes))
        pairs = " ".join(f"{column}:{value!r}" for column, value in zip(columns.tolist(), values.tolist(), strict=True))
        lines.append(f"{classes[int(np.argmax(score))]} {pairs}\n")
    path.write_text("".join(lines))
    return path
