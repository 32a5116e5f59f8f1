"""`afterwit inspect`."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

import numpy as np

from afterwit import registry
from afterwit.cli.learners import stream_of
from afterwit.cli.screen import show_skipped
from afterwit.errors import UsageError, printable
from afterwit.learning import Collisions, collisions
from afterwit.learning.lesson import labels_of, panel_of, pruning_of
from afterwit.protocols import Stream
from afterwit.shown.models import by_name, largest, shown, weights_of
from afterwit.storage import load


def run(args: argparse.Namespace) -> int:
    """Prints what a model is."""
    model = load(args.model)
    stream = stream_of(args) if args.data else None
    found = None if stream is None else _collisions(model, stream)
    weights, reason = weights_of(model)
    heaviest = largest(weights, args.top)
    gains, no_gains = by_name(model, "gains")
    held = model.holds() if hasattr(model, "holds") and labels_of(model).kind != "auto" else {}
    if args.json:
        known = {
            "class": registry.name_of(model),
            "settings": _plain(registry.settings(model)),
            "nonzero": None if reason else len(weights),
            "weights": dict(heaviest),
            **({} if no_gains else {"gains": dict(largest(gains, args.top))}),
            **({"holds": held} if held else {}),
            **({} if (stands := panel_of(model)) is None else {"panel": stands}),
            **({} if (beside := pruning_of(model)) is None else {"pruning": beside}),
            **({} if found is None else {"collisions": asdict(found)}),
        }
        print(json.dumps(known, indent=2))
    else:
        print(printable(repr(model)))
        is_panel = panel_of(model) is not None
        if is_panel:
            print(f"{model.standing()}\n")
        if pruning_of(model) is not None:
            print(f"{model.pruning()}\n")
        if reason is None or not held:
            print("of the best linear member, " if is_panel else "", end="")
            _print_weights(weights, heaviest, reason)
        if gains:
            print("by the best trees, " if is_panel else "", end="")
            _print_table(f"{_count(gains, 'feature')} split on; gains of the largest", largest(gains, args.top))
        elif no_gains and hasattr(model, "gains"):
            print(f"gains: {printable(_hinted(no_gains))}")
        _print_held(held)
        if found is not None:
            _print_collisions(found)
    show_skipped(stream)
    return 0


def _collisions(model: Any, stream: Stream) -> Collisions:
    try:
        return collisions(model, stream)
    except TypeError as error:
        raise UsageError(f"--collisions: {error}") from error


def _print_weights(weights: dict[str, Any], heaviest: list[tuple[str, Any]], reason: str | None) -> None:
    if reason:
        print(f"weights: {printable(_hinted(reason))}")
        return
    _print_table(f"{_count(weights, 'weight')} not zero; the largest", heaviest)


def _hinted(reason: str) -> str:
    return f"{reason} (on the command line: learn with --names exact)" if "hashed" in reason else reason


def _count(found: dict[str, Any], what: str) -> str:
    return f"{len(found):,} {what}{'s are' if len(found) != 1 else ' is'}"


def _print_table(words: str, found: list[tuple[str, Any]]) -> None:
    print(f"{words} {len(found)}:")
    rows = shown(found)
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        print(f"  {name:<{width}}  {value}")


def _print_held(held: dict[str, Any]) -> None:
    """Of a learner, or by the names of members."""
    members = {"kept": held} if any(isinstance(number, int) for number in held.values()) else held
    width = max(map(len, members), default=0)
    for name, numbers in members.items():
        print(f"{printable(name):<{width}}  " + ", ".join(f"{what} {number:,}" for what, number in numbers.items()))


def _print_collisions(found: Collisions) -> None:
    print(
        f"collisions in {found.rows:,} rows:\n"
        f"  {found.features:>15,}  features\n"
        f"  {found.slots:>15,}  slots that they are in\n"
        f"  {found.shared:>15,}  features that share a slot ({found.shared_rate:.2%})\n"
        f"  {found.occurrences:>15,}  occurrences of features\n"
        f"  {found.shared_occurrences:>15,}  of features that share a slot ({found.shared_occurrence_rate:.2%})"
    )
    for names in found.worst:
        print("  in one slot: " + ", ".join(printable(name) for name in names))


def _plain(settings: Any) -> Any:
    """Settings for JSON: an object among them is its name and its own settings, an array is a list."""
    if isinstance(settings, dict) and "$object" in settings:
        return {"class": settings["$object"], "settings": _plain(settings["settings"])}
    if isinstance(settings, dict):
        return {name: _plain(value) for name, value in settings.items()}
    return settings.tolist() if isinstance(settings, np.ndarray) else settings
