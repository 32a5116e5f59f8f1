"""Commands without the wait for imports: a process that has loaded the program forks a child for each of them.

The child is a process of its own, with standard streams of its own.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

LONGEST = 1 << 17
SLOW_TO_LOAD = ("afterwit.plots", "matplotlib.figure", "scipy.optimize")


@functools.cache
def server(preload: str | None = None) -> socket.socket:
    """The line to a server of this process, which ends when the line does; `preload` is a library to load first."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.cli.server", str(theirs.fileno())]
    environment = {**os.environ, **({"LD_PRELOAD": preload} if preload else {})}
    subprocess.Popen(command, cwd=os.path.dirname(__file__) + "/../..", pass_fds=[theirs.fileno()], env=environment)
    theirs.close()
    ours.settimeout(120)
    return ours


def run(
    words: Sequence[str], stdin: bytes | None, preload: str | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Runs a command in the present folder and environment, with some variables more."""
    (taken, given), (out, out_end), (err, err_end) = os.pipe(), os.pipe(), os.pipe()
    order = {"words": words, "folder": os.getcwd(), "environment": {**os.environ, **environment}}
    line = server(preload)
    socket.send_fds(line, [json.dumps(order).encode()], [taken, out_end, err_end])
    for end in (taken, out_end, err_end):
        os.close(end)
    with ThreadPoolExecutor(3) as threads, open(out, "rb") as printed, open(err, "rb") as said:
        threads.submit(_feed, given, stdin or b"")
        texts = threads.submit(printed.read), threads.submit(said.read)
        code = json.loads(line.recv(LONGEST))
        return subprocess.CompletedProcess([*words], code, texts[0].result(), texts[1].result())


def _feed(pipe: int, text: bytes) -> None:
    try:
        with open(pipe, "wb") as file:
            file.write(text)
    except BrokenPipeError:
        pass  # the command does not read all of it


def serve(line: socket.socket) -> None:
    """Forks until the line is closed; in the child, runs the command and ends."""
    commands = ("aggregate", "compare", "inspect", "learn", "predict")
    for name in (*(f"afterwit.cli.{command}" for command in commands), *SLOW_TO_LOAD):
        importlib.import_module(name)
    while True:
        order, streams, _, _ = socket.recv_fds(line, LONGEST, 3)
        if not order:
            return
        child = os.fork()
        if child == 0:
            line.close()
            _become(json.loads(order), streams)
        for stream in streams:
            os.close(stream)
        line.send(json.dumps(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _become(order: dict[str, Any], streams: list[int]) -> None:
    from afterwit.cli import main

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", errors="backslashreplace")
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    code = main(order["words"])
    sys.stdout.flush(), sys.stderr.flush()
    os._exit(code)  # to unload all modules takes ten times as long as a command


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
