"""What a model makes of a dict, spelled out by hand: kept and ignored groups, words, n-grams, interactions."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np

from afterwit.features import Features

Feature = tuple[str, float, str]  # name, value, group


def features_of(x: dict[str, Any], text: dict[str, int]) -> list[Feature]:
    """The features of a dict, as the documentation has them."""
    found: list[Feature] = []
    for name, value in x.items():
        if isinstance(value, dict):
            found += [(f"{name}^{inner}", number, name) for inner, number in value.items()]
        elif isinstance(value, str) and name in text:
            words = re.findall(r"[a-z0-9_\x80-\U0010ffff]+", re.sub("[A-Z]", lambda m: m[0].lower(), value))
            found += [(f"{name}^{word}", 1.0, name) for word in words]
        elif isinstance(value, str):
            found += [(f"{name}={value}", 1.0, name)] if value else []
        else:
            found.append((name, float(value), name))
    return [feature for feature in found if feature[1] != 0.0]


def features_seen(x: dict[str, Any], features: Features) -> list[tuple[str, float]]:
    """All features that a model sees, name and value; a name may come twice."""
    plain = features_of(x, features.text_columns)
    plain = [f for f in plain if f[2] not in features.ignore and (not features.keep or f[2] in features.keep)]
    seen = [(name, value) for name, value, _ in plain]
    for i, (name, value, group) in enumerate(plain):
        for j in range(i + 1, min(len(plain), i + features.text_columns.get(group, 1))):
            if plain[j][2] != group:
                break
            name, value = f"{name} {plain[j][0]}", value * plain[j][1]
            seen.append((name, value))
    for words in features.interactions:
        groups = words.split("*")
        places = [[i for i, f in enumerate(plain) if f[2] == group] for group in groups]
        for chosen in itertools.product(*places):
            pairs = zip(groups, groups[1:], chosen, chosen[1:], strict=False)
            if all(a != b or i <= j for a, b, i, j in pairs):
                seen.append(("*".join(plain[i][0] for i in chosen), float(np.prod([plain[i][1] for i in chosen]))))
    return seen
