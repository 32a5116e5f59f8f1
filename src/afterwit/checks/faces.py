"""Checks of what a learner shows, and of learners side by side."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from afterwit.checks.making import Example, Make, ensure, examples, holds, made, name, teach
from afterwit.registry.plain import same


def check_face(make: Make) -> str | None:
    """The two methods, a docstring, and a repr that says the same for equal learners."""
    learner = made(make)
    for method in ("predict_one", "learn_one"):
        ensure(callable(getattr(learner, method, None)), f"{name(learner)} has no method {method}")
    ensure(bool((type(learner).__doc__ or "").strip()), f"{name(learner)} has no docstring")
    if getattr(type(learner), "__repr__", None) is object.__repr__:
        return "it has no repr of its own, so a report cannot say its settings"
    shown = repr(learner)
    ensure(type(learner).__name__ in shown, f"repr is `{shown}`, expected the name of the class in it")
    ensure(shown == repr(made(make)), f"repr is `{shown}`, but another for an equal learner")
    return None


def check_threads(make: Make) -> None:
    """Two learners in two threads learn what they learn one after the other."""
    rows = [examples(made(make), rows=200, seed=seed) for seed in (1, 2)]
    expected = [_learned(made(make), each) for each in rows]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(_learned, [made(make), made(make)], rows))
    ensure(same(found, expected), f"two of {made(make)!r} in two threads learned otherwise than one after the other")


def _learned(learner: Any, rows: list[Example]) -> Any:
    if hasattr(learner, "learn_many"):
        learner.learn_many([x for x, _, _ in rows], [y for _, y, _ in rows], [weight for _, _, weight in rows])
    else:
        teach(learner, rows)
    return holds(learner)
