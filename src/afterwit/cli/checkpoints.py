"""The checkpoint beside a model: of which command it is, when it is written, and when it goes."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from typing import Any

from afterwit.cli.prediction_part import PredictionPart, begun, part_of
from afterwit.errors import AfterwitError, ModelFileError, quoted, quoted_path
from afterwit.learning import Lesson
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.storage import read_container

#: The options that may change on the way: what has been learned, and how, is the same without them. The data may have
#: another name, since the stream compares what was read.
FREE = ("command", "version", "given", "data", "cache", "save", "checkpoint", "resume", "json", "hindsight")


class Checkpoint:
    """MODEL.checkpoint; it knows all options of the command that it is of."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.path = f"{args.save}.checkpoint"
        self._command = {name: value for name, value in vars(args).items() if name not in FREE}

    def exists(self) -> bool:
        """Whether there is one; a run has one from its first row to its end."""
        return os.path.lexists(self.path)

    def write(self, lesson: Lesson, part: PredictionPart | None) -> None:
        """What was predicted so far is on the disk before the checkpoint says so."""
        extra = {"command": self._command, "predictions": None if part is None else part.state()}
        write_checkpoint(self.path, lesson, extra)

    def resume(self, lesson: Lesson) -> dict[str, Any] | None:
        """Takes a fresh lesson to where the checkpoint was written; returns how far the predictions were."""
        state: dict[str, Any] | None = resume(self.path, lesson, self._compare)["predictions"]
        return state

    def begin(self, lesson: Lesson, part: PredictionPart | None) -> None:
        """Writes the first one, of no rows; what others have put in its place, or in that of the part, stays."""
        known: dict[str, Any] = {}
        if self.exists():
            try:
                known = read_container(self.path, "checkpoint")["extra"]["predictions"] or {}
            except ModelFileError as error:
                raise AfterwitError(f"--checkpoint would overwrite what is not one, move it away: {error}") from error
            except (KeyError, TypeError):
                pass  # of an older version
        if part is not None and part.has_content() and known.get("path") != part.path:
            raise AfterwitError(
                f"predictions would grow in {quoted_path(part.path)}, which is there already; move it away"
            )
        if part is not None:
            part.check_alone()
        self.write(lesson, part)

    def remove(self) -> None:
        """At the end of a run that has written it, or gone on from it; another of the same may have ended first."""
        with suppress(FileNotFoundError):
            os.unlink(self.path)

    def _compare(self, extra: dict[str, Any]) -> None:
        """Says which option is another one; raises at what no run has written."""
        if "command" not in extra:
            raise AfterwitError("it does not say of which command it is")
        before, now = extra["command"], self._command
        for name in sorted(before.keys() | now.keys()):
            old, new = before.get(name), now.get(name)
            if (old or None) != (new or None) and not (name == "predictions" and _same_part(new, extra["predictions"])):
                option = "--" + name.replace("_", "-")
                raise AfterwitError(f"{option} is {shown(new)}, and was {shown(old)}")
        begun(extra["predictions"])


def _same_part(path: str | None, state: dict[str, Any] | None) -> bool:
    """Whether predictions are to grow where they did, by another name."""
    return path is not None and state is not None and part_of(path) == state["path"]


def shown(value: Any) -> str:
    """What an option is, for a sentence."""
    if value is None or value is False or value == []:
        return "not given"
    if value is True:
        return "given"
    return quoted(" ".join(value) if isinstance(value, list) else str(value), longest=4096)
