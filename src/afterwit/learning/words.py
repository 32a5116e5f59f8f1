"""Learners in words, as on the command line: `adagrad:normalized=true`."""

from __future__ import annotations

import inspect
from typing import Any

from afterwit import linear, panel, registry, trees  # noqa: F401
from afterwit.errors import UsageError


def kinds() -> dict[str, type[Any]]:
    """The learners that can be named: registered name -> class. Nothing else of them must be given."""
    known = {name: inspect.signature(cls).parameters for name, cls in registry.classes().items()}
    return {
        name: cls
        for name, cls in registry.classes().items()
        if "features" in known[name] and all(p.default is not p.empty for p in known[name].values())
    }


def described(words: str) -> tuple[type[Any], dict[str, Any]]:
    """The class and the settings of `name:key=value,...`, of which each is one that it has.

    >>> described("adagrad:normalized=true,rate=2")
    (<class 'afterwit.linear.adagrad.AdaGrad'>, {'normalized': True, 'rate': 2.0})
    """
    name, settings = parts_of(words)
    known = kinds()
    if name not in known:
        raise UsageError(f"`{name}` is not a learner; expected one of {', '.join(known)}")
    allowed = [key for key in inspect.signature(known[name]).parameters if key != "features"]
    unknown = [key for key in settings if key not in allowed]
    if unknown:
        raise UsageError(f"`{name}` has no setting `{unknown[0]}`; it has {', '.join(allowed) or 'none'}")
    return known[name], whole_where_wanted(settings, known[name])


def has_loss(cls: type[Any]) -> bool:
    """Whether its constructor takes a loss."""
    return "loss" in inspect.signature(cls).parameters


def parts_of(words: str) -> tuple[str, dict[str, Any]]:
    """The name and the settings of `name:key=value,...`."""
    name, _, rest = words.partition(":")
    return name, dict(setting_of(word, words) for word in rest.split(",")) if rest else {}


def setting_of(word: str, words: str) -> tuple[str, Any]:
    """A `key=value` among the words that describe a learner."""
    key, equals, value = word.partition("=")
    if not equals:
        raise UsageError(f"`{word}` in `{words}` has no value; expected key=value")
    if value in ("true", "false"):
        return key, value == "true"
    try:
        return key, float(value)
    except ValueError:
        return key, value


def whole_where_wanted(settings: dict[str, Any], cls: type[Any]) -> dict[str, Any]:
    """The settings with numbers as the class's constructor says: 5.0 is 5 where it wants an int."""
    wanted = inspect.signature(cls).parameters
    wholes = {key for key in settings if key in wanted and str(wanted[key].annotation).startswith("int")}
    return {
        key: int(value) if key in wholes and isinstance(value, float) and value.is_integer() else value
        for key, value in settings.items()
    }
