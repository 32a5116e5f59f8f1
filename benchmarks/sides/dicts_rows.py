"""Dicts of ten names, seeded, round and round."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import cycle, islice

NAMES = ["age", "balance", "clicks", "days", "distance", "height", "income", "price", "speed", "visits"]
DIFFERENT = 20_000


def rows() -> Iterator[tuple[dict[str, float], int]]:
    """As many rows as the command line says."""
    rng = random.Random(20)
    made = []
    for _ in range(DIFFERENT):
        x = {name: rng.gauss(0.0, 1.0) for name in NAMES}
        made.append((x, int(x["age"] - x["price"] + rng.gauss(0.0, 1.0) > 0.0)))
    return islice(cycle(made), int(sys.argv[1]))
