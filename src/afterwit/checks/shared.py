"""The checks that learners and players share: each is told by a Kind how one of them is taught."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from afterwit import registry
from afterwit.checks.making import Make, ensure, made, name
from afterwit.errors import AfterwitError
from afterwit.registry.plain import same
from afterwit.storage import load, save


class Kind(NamedTuple):
    """Learners, or players."""

    what: str
    verb: str
    methods: tuple[str, str]
    #: (one of them, how many, a seed) -> rows, or rounds.
    examples: Callable[[Any, int, int], Any]
    #: Learns examples one after the other; what it predicted or played meanwhile.
    teach: Callable[[Any, Any], Any]
    #: The same in one call, where it has one.
    teach_at_once: Callable[[Any, Any], object]
    #: What it predicts, or plays, now.
    says: Callable[[Any], Any]
    #: Whether there is none that may be as new after many examples, as a player of one expert may.
    always_learns: bool

    def holds(self, model: Any) -> Any:
        """All that it holds, to compare with `same`: its state, or what it says where that cannot be read."""
        try:
            return registry.state(model)
        except AfterwitError:
            return self.says(model)

    def unchanged(self, before: Any, model: Any) -> bool:
        """Whether it still holds what it held."""
        return same(before, self.holds(model))


def face(kind: Kind, make: Make) -> str | None:
    """The two methods, a docstring, and a repr that says the same for equal ones."""
    model = made(make)
    for method in kind.methods:
        ensure(callable(getattr(model, method, None)), f"{name(model)} has no method {method}")
    ensure(bool((type(model).__doc__ or "").strip()), f"{name(model)} has no docstring")
    if getattr(type(model), "__repr__", None) is object.__repr__:
        return "it has no repr of its own, so a report cannot say its settings"
    shown = repr(model)
    ensure(type(model).__name__ in shown, f"repr is `{shown}`, expected the name of the class in it")
    ensure(shown == repr(made(make)), f"repr is `{shown}`, but another for an equal {kind.what}")
    return None


def fresh(kind: Kind, make: Make) -> str | None:
    """`fresh` keeps the settings and none of the learning, and shares nothing with its model."""
    model = made(make)
    try:
        new, settings = kind.holds(registry.fresh(model)), registry.settings(model)
    except AfterwitError as error:
        return f"its settings cannot be read: {error}"
    ensure(kind.unchanged(new, model), f"a new {name(model)} differs from its fresh copy")
    rows = kind.examples(model, 40, 0)
    kind.teach(model, rows)
    taught = kind.holds(model)
    copy = registry.fresh(model)
    ensure(type(copy) is type(model), f"fresh({name(model)}) is a {name(copy)}")
    ensure(same(registry.settings(copy), settings), f"fresh({name(model)}) has other settings")
    ensure(kind.unchanged(new, copy), f"fresh({name(model)}) remembers something")
    if kind.always_learns:
        ensure(not same(taught, new), f"{name(model)} holds nothing after {len(rows)} rows, so that nothing is checked")
    kind.teach(copy, rows)
    ensure(kind.unchanged(taught, copy), f"fresh({name(model)}) learned otherwise than its model did")
    ensure(kind.unchanged(taught, model), f"{name(model)} changed when its fresh copy learned")
    return None


def round_trips(kind: Kind, make: Make) -> str | None:
    """In mid-stream: state and back, a file and back, pickle and back; each goes on with the same bits."""
    model = made(make)
    rows = kind.examples(model, 60, 0)
    kind.teach(model, rows[:30])
    try:
        registry.name_of(model)
        registry.state(model)
    except AfterwitError as error:
        return f"it cannot be stored: {error}"
    copies = {"registry.build": _rebuilt(model), "load": _loaded(model), "pickle": pickle.loads(pickle.dumps(model))}
    before = kind.holds(model)
    for how, copy in copies.items():
        ensure(kind.unchanged(before, copy), f"{name(model)} has another state after {how}")
    said = [kind.says(model), kind.teach(model, rows[30:])]
    for how, copy in copies.items():
        again = [kind.says(copy), kind.teach(copy, rows[30:])]
        ensure(same(again, said), f"{name(model)} {kind.verb} otherwise after {how}")
        ensure(kind.unchanged(kind.holds(model), copy), f"{name(model)} learns otherwise after {how}")
    return None


def threads(kind: Kind, make: Make) -> None:
    """Two in two threads learn what they learn one after the other."""

    def learned(model: Any, rows: Any) -> Any:
        kind.teach_at_once(model, rows)
        return kind.holds(model)

    rows = [kind.examples(made(make), 200, seed) for seed in (1, 2)]
    expected = [learned(made(make), each) for each in rows]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(learned, [made(make), made(make)], rows))
    ensure(same(found, expected), f"two of {made(make)!r} in two threads learned otherwise than one after the other")


def refuses(kind: Kind, model: Any, what: str, act: Callable[..., Any], *arguments: Any) -> None:
    """A call raises, and nothing has changed."""
    before = kind.holds(model)
    try:
        act(*arguments)
    except (TypeError, ValueError):
        ensure(kind.unchanged(before, model), f"{name(model)} refused {what}, but changed its state")
    else:
        raise AssertionError(f"{name(model)} took {what}, expected a ValueError or TypeError")


def _rebuilt(model: Any) -> Any:
    return registry.build(registry.name_of(model), registry.settings(model), registry.state(model))


def _loaded(model: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.afterwit")
        save(model, path)
        return load(path)
