"""Dicts of ten names, seeded, round and round: NAMES LEARNER ROWS, where the names of all rows are the same or anew."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from typing import Any

NAMES = ["age", "balance", "clicks", "days", "distance", "height", "income", "price", "speed", "visits"]
DIFFERENT = 20_000


def rows(classes: int = 2) -> Iterator[tuple[dict[str, float], int]]:
    """As many rows as the command line says, with classes of equal share; all are made before the first is given."""
    rng = random.Random(20)
    anew = sys.argv[1] == "anew"
    made = []
    for _ in range(DIFFERENT):
        x = {name: rng.gauss(0.0, 1.0) for name in NAMES}
        y = int(x["age"] - x["price"] + rng.gauss(0.0, 1.0) > 0.0)
        if classes > 2:
            y = max(range(classes), key=[*x.values()].__getitem__)
        made.append((json.loads(json.dumps(x)) if anew else x, y))
    return islice(cycle(made), int(sys.argv[3]))


def learn(model: Any, stream: Iterable[tuple[dict[str, float], int]]) -> None:
    """The loop of every side, in a function: outside of one, Python looks its variables up by name."""
    for x, y in stream:
        model.learn_one(x, y)
