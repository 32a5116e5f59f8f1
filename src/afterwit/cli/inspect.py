"""`afterwit inspect`."""

from __future__ import annotations

import argparse
import json
from typing import Any

import afterwit.linear  # noqa: F401  its classes must be registered before a model is loaded
from afterwit import registry
from afterwit.errors import printable
from afterwit.storage import load


def run(args: argparse.Namespace) -> int:
    """Prints what a model is."""
    model = load(args.model)
    weights, reason = _weights(model)
    largest = sorted(weights.items(), key=lambda item: -_size(item[1]))[: max(args.top, 0)]
    if args.json:
        found = {
            "class": registry.name_of(model),
            "settings": registry.settings(model),
            "nonzero": None if reason else len(weights),
            "weights": dict(largest),
        }
        print(json.dumps(found, indent=2))
        return 0
    print(repr(model))
    if reason:
        print(f"weights: {reason}")
        return 0
    print(f"{len(weights):,} weights are not zero; the largest {len(largest)}:")
    names = [printable(name) for name, _ in largest]
    width = max(map(len, names), default=0)
    for name, (_, weight) in zip(names, largest, strict=True):
        print(f"  {name:<{width}}  {_shown(weight)}")
    return 0


def _weights(model: Any) -> tuple[dict[str, Any], str | None]:
    """The weights by name, or none and the reason."""
    if not hasattr(model, "coef"):
        return {}, f"`{type(model).__name__}` has none"
    try:
        return model.coef(), None
    except (TypeError, ValueError) as error:
        return {}, f"{error} (on the command line: learn with --names exact)"


def _size(weight: Any) -> float:
    return float(max(map(abs, weight.values())) if isinstance(weight, dict) else abs(weight))


def _shown(weight: Any) -> str:
    if not isinstance(weight, dict):
        return f"{weight:+.6g}"
    name = max(weight, key=lambda name: abs(weight[name]))
    return f"{weight[name]:+.6g} ({name})"
