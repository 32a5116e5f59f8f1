"""The files that a command will write, checked before any work."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout

from afterwit.cli.prediction_part import part_of
from afterwit.errors import AfterwitError, UsageError, quoted_path
from afterwit.files.compressed import STDIN
from afterwit.files.output import STDOUT, Output
from afterwit.streams.cache import ENDING
from afterwit.streams.chain import paths_of


def check_outputs(args: argparse.Namespace, checkpoint: str | None = None) -> None:
    """Refuses what cannot be written, what is an input or another output by any name, and with a checkpoint streams."""
    taken = _inputs(args)
    outputs = [(f"--{name}", getattr(args, name, None)) for name in ("save", "predictions", "plot")]
    if checkpoint is not None:
        outputs += [("--checkpoint", checkpoint)]
        outputs += [("--predictions", part_of(args.predictions))] if args.predictions else []
    for option, path in outputs:
        if path is None:
            continue
        output = _output(option, path, "no run can go on from it, leave checkpoints out" if checkpoint else None)
        _take(option, output, taken, "give it a name of its own")
        with _named(option):
            output.check()


def _inputs(args: argparse.Namespace) -> list[tuple[Hashable, str]]:
    """What is read, which no output may be."""
    paths = (paths_of(args.data) or [args.data]) if "data" in args else []
    taken = [(_identity(path, 0 if path == STDIN else None), f"the input {quoted_path(path)}") for path in paths]
    if "model" in args:
        taken.append((_identity(args.model), "the model"))
    for path in paths if getattr(args, "cache", False) else ():
        cache = _output("--cache", path + ENDING, "a cache cannot be written there, leave it out")
        _take("--cache", cache, taken, "leave one of the two out")  # not checked: where it fails there is none
    return taken


def _take(option: str, output: Output, taken: list[tuple[Hashable, str]], advice: str) -> None:
    """Adds an output to what is taken, unless it is among it, by any name."""
    identity = _identity(output.path, output.descriptor)
    clashes = [what for other, what in taken if other is not None and other == identity]
    if output.descriptor is None and identity == _identity(STDOUT, 1):
        clashes.append("standard output")
    if clashes:
        raise UsageError(f"{option} is {quoted_path(output.path)}, which is {clashes[0]} too; {advice}")
    taken.append((identity, f"the file of {option}"))


@contextmanager
def reporting(*outputs: str | None) -> Iterator[None]:
    """What is printed goes to standard error where one of the outputs has standard output for itself."""
    taken = any(path is not None and Output(path).descriptor == 1 for path in outputs)
    with redirect_stdout(sys.stderr) if taken else nullcontext():
        yield


def _output(option: str, path: str, needs_file: str | None) -> Output:
    if not path:
        raise UsageError(f"{option} is ``, expected the name of a file, or - for standard output")
    with _named(option):
        output = Output(path)
    if needs_file and output.is_stream:
        raise UsageError(f"{option} is {quoted_path(path)}, a pipe or a device; {needs_file}")
    return output


@contextmanager
def _named(option: str) -> Iterator[None]:
    try:
        yield
    except AfterwitError as error:
        raise UsageError(f"{option}: {error}") from error


def _identity(path: str, descriptor: int | None = None) -> Hashable:
    """Equal for two names of one file; None for a device, which any number may share."""
    try:
        found = os.stat(path) if descriptor is None else os.fstat(descriptor)
    except OSError:
        return os.path.realpath(path)
    if stat.S_ISCHR(found.st_mode):
        return None if descriptor is None else f"descriptor {descriptor}"
    return found.st_dev, found.st_ino
