"""Standard input, output and error as a program finds them: closed, full, or left by their reader; and SIGTERM."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from afterwit.errors import printable, quoted_path


class Terminated(KeyboardInterrupt):
    """SIGTERM: all that Ctrl-C cleans up is cleaned up, the cursor of the terminal too."""


def heed_sigterm() -> None:
    """Raises `Terminated` where SIGTERM would end the process; once, since `timeout`, for one, sends it twice."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    with contextlib.suppress(ValueError):  # not in the main thread
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, stop)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait: nanobind aborts where one of them raises while it loads the core."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def open_closed() -> None:
    """Opens what is closed, so that no other file gets its number: input and output such that using them fails."""
    for name, flags, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_RDWR, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, flags), mode, closefd=False))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the name of a file may be no text


def say(words: object) -> None:
    """Says a sentence on standard error, if anybody is there to hear it."""
    with contextlib.suppress(OSError):
        print(f"afterwit: {printable(str(words))}", file=sys.stderr)


def failure(error: OSError) -> str:
    """The sentence for an error of the system that no file has explained."""
    reason = "it is closed" if error.errno == errno.EBADF else (error.strerror or str(error)).lower()
    where = "cannot write standard output" if error.filename is None else quoted_path(error.filename)
    return f"{where}: {reason}"


def settle() -> None:
    """What could not be written must not raise again when the interpreter flushes it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
