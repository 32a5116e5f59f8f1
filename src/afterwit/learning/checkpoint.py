"""A lesson in the middle, as one file: the model, where the stream stands, and the ledgers."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from afterwit import registry
from afterwit.errors import AfterwitError, ModelFileError, printable, quoted_path
from afterwit.learning.lesson import Lesson
from afterwit.registry.plain import same
from afterwit.storage import read_container, write_container


def write_checkpoint(path: str | os.PathLike[str], lesson: Lesson, extra: dict[str, Any]) -> None:
    """Writes where a lesson stands, with whatever else its owner needs to go on; whole or not at all."""
    content = {
        "class": registry.name_of(lesson.model),
        "settings": registry.settings(lesson.model, copy=False),
        "state": registry.state(lesson.model, copy=False),
        "lesson": lesson.state(),
        "extra": extra,
    }
    write_container(path, "checkpoint", content)


def resume(
    path: str | os.PathLike[str], lesson: Lesson, check: Callable[[dict[str, Any]], None] = lambda extra: None
) -> dict[str, Any]:
    """Takes a fresh lesson to where the checkpoint was written; returns the `extra` of then.

    The lesson's learner must have the settings of the one in the checkpoint; `check` raises if `extra` does not fit.
    """
    name = quoted_path(path)
    content = read_container(path, "checkpoint")
    try:
        check(content["extra"])
        if content["class"] != registry.name_of(lesson.model):
            raise AfterwitError(f"it was written by `{content['class']}`, not `{registry.name_of(lesson.model)}`")
        before = registry.build(content["class"], content["settings"], None)
        if not same(registry.settings(before), _unsaid(registry.settings(lesson.model), content["settings"])):
            raise AfterwitError(f"it was written by {before!r}, not {lesson.model!r}")
        model = registry.build(content["class"], content["settings"], content["state"], copy=False)
        extra: dict[str, Any] = dict(content["extra"])
        lesson.set_state(content["lesson"], model)
        return extra
    except Exception as error:
        kind = "" if isinstance(error, (AfterwitError, ValueError)) else f"{type(error).__name__}: "
        reason = printable(f"{kind}{error}", 300)
        raise ModelFileError(
            f"cannot resume from {name}: {reason}; use the same command as before, or start again without it"
        ) from error


def _unsaid(settings: Any, before: Any) -> Any:
    """Settings as those of then say them; of what had no setting then, what it was: a run ends as it began."""
    if not isinstance(settings, dict) or not isinstance(before, dict):
        return settings
    known = {name: _unsaid(value, before.get(name)) for name, value in settings.items()}
    if isinstance(name := settings.get("$object"), str) and isinstance(said := before.get("settings"), dict):
        unsaid = getattr(registry.classes()[name], "UNSAID", {})
        known["settings"] |= {key: value for key, value in unsaid.items() if key not in said}
    return known
