"""A model as one file: its class's registered name, its settings and its state."""

from __future__ import annotations

import os
from typing import Any

# A file may name the classes of these rooms, which register themselves when they are imported.
import afterwit.bandits
import afterwit.convex
import afterwit.dense
import afterwit.experts
import afterwit.linear
import afterwit.panel
import afterwit.trees  # noqa: F401
from afterwit import registry
from afterwit.errors import AfterwitError, ModelFileError, printable, quoted, quoted_path
from afterwit.schema import schema_of
from afterwit.storage.container import read_container, write_container

_KEYS = {"class", "settings", "state"}
_MAY = {"schema"}


def save(model: object, path: str | os.PathLike[str]) -> None:
    """Writes a model of a registered class to a file, whole or not at all; into a pipe or device, or `-`, as it comes.

    >>> import pathlib, tempfile
    >>> from afterwit.registry import register
    >>> @register("docs.total")
    ... class Total:
    ...     def __init__(self, start=0.0):
    ...         self.start, self.total = start, start
    >>> model = Total(1.0)
    >>> model.total = 3.5
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, pathlib.Path(folder, "m.afterwit"))
    ...     vars(load(pathlib.Path(folder, "m.afterwit")))
    {'start': 1.0, 'total': 3.5}
    """
    name = registry.name_of(model)
    if not callable(getattr(type(model), "settings", None)):
        registry.fresh(model)  # better to learn now that it cannot be built from its attributes than when it is loaded
    content = {
        "class": name,
        "settings": registry.settings(model, copy=False),
        "state": registry.state(model, copy=False),
    }
    if (schema := getattr(model, "schema", None)) is not None:
        content["schema"] = schema.to_plain()
    write_container(path, "model", content)


def load(path: str | os.PathLike[str]) -> Any:
    """The model that `save` wrote; calls nothing but constructors and `set_state` of registered classes.

    >>> load("no-such-file")
    Traceback (most recent call last):
    ...
    afterwit.errors.ModelFileError: cannot read `no-such-file`: no such file or directory; check the path
    """
    name = quoted_path(path)
    content = read_container(path, "model")
    if type(content) is not dict or set(content) - _MAY != _KEYS or content["state"] is None:
        raise ModelFileError(f"{name} has no class, settings and state; save the model again")
    try:
        schema = schema_of(content["schema"]) if "schema" in content else None
        model = registry.build(content["class"], content["settings"], content["state"], copy=False)
        if schema is not None:
            model.schema = schema
        return model
    except AfterwitError as error:
        raise ModelFileError(f"cannot load {name}: {printable(str(error), 300)}") from error
    except Exception as error:
        reason = printable(f"{type(error).__name__}: {error}", 300)
        raise ModelFileError(
            f"cannot load {name}: {quoted(content['class'])} refuses what the file holds ({reason}); load it with "
            "the version that saved it, or learn again"
        ) from error
