"""Checks of copies: fresh ones, stored ones, and prototypes."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from typing import Any

from afterwit import registry
from afterwit.checks.making import Make, ensure, examples, holds, made, name, teach, unchanged
from afterwit.errors import AfterwitError
from afterwit.registry.plain import same
from afterwit.storage import load, save


def check_fresh(make: Make) -> str | None:
    """`fresh` keeps the settings and none of the learning, and shares nothing with its model."""
    learner = made(make)
    try:
        new, settings = holds(registry.fresh(learner)), registry.settings(learner)
    except AfterwitError as error:
        return f"its settings cannot be read: {error}"
    ensure(same(new, holds(learner)), f"a new {name(learner)} differs from its fresh copy")
    rows = examples(learner)
    teach(learner, rows)
    taught = holds(learner)
    copy = registry.fresh(learner)
    ensure(type(copy) is type(learner), f"fresh({name(learner)}) is a {name(copy)}")
    ensure(same(registry.settings(copy), settings), f"fresh({name(learner)}) has other settings")
    ensure(unchanged(new, copy), f"fresh({name(learner)}) remembers something")
    ensure(not same(taught, new), f"{name(learner)} holds nothing after {len(rows)} rows, so that nothing is checked")
    teach(copy, rows)
    ensure(unchanged(taught, copy), f"fresh({name(learner)}) learned otherwise than its model did")
    ensure(unchanged(taught, learner), f"{name(learner)} changed when its fresh copy learned")
    return None


def check_round_trips(make: Make) -> str | None:
    """In the middle of a stream: state and back, a file and back, pickle and back; each goes on with the same bits."""
    learner = made(make)
    rows = examples(learner, rows=60)
    teach(learner, rows[:30])
    try:
        registry.name_of(learner)
        registry.state(learner)
    except AfterwitError as error:
        return f"it cannot be stored: {error}"
    copies = {
        "registry.build": _rebuilt(learner),
        "load": _loaded(learner),
        "pickle": pickle.loads(pickle.dumps(learner)),
    }
    before = holds(learner)
    for how, copy in copies.items():
        ensure(unchanged(before, copy), f"{name(learner)} has another state after {how}")
    raw = teach(learner, rows[30:])
    for how, copy in copies.items():
        ensure(same(teach(copy, rows[30:]), raw), f"{name(learner)} predicts otherwise after {how}")
        ensure(unchanged(holds(learner), copy), f"{name(learner)} learns otherwise after {how}")
    return None


def check_prototype_is_copied(make: Make) -> str | None:
    """A learner given to the constructor is copied, without what it has learned, and not touched again."""
    learner = made(make)
    settings = learner.settings() if hasattr(learner, "settings") else {}
    given = {key: registry.fresh(value) for key, value in settings.items() if hasattr(value, "learn_one")}
    if not given:
        return "its constructor takes no learner"
    for prototype in given.values():
        teach(prototype, examples(prototype, seed=1))
    before = {key: holds(prototype) for key, prototype in given.items()}
    copy = type(learner)(**{**settings, **given})
    rows = examples(learner)
    teach(copy, rows)
    for key, prototype in given.items():
        ensure(unchanged(before[key], prototype), f"{name(learner)} taught the learner it was given as `{key}`")
        teach(prototype, examples(prototype, seed=2))
    teach(learner, rows)
    ensure(unchanged(holds(learner), copy), f"{name(learner)} depends on what the learner it was given had learned")
    return None


def _rebuilt(learner: Any) -> Any:
    return registry.build(registry.name_of(learner), registry.settings(learner), registry.state(learner))


def _loaded(learner: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.afterwit")
        save(learner, path)
        return load(path)
