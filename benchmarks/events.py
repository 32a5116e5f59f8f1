"""Rows as objects of JSON, as a log of a shop has them: ten words and numbers of a user, an item and a moment."""

from __future__ import annotations

import random
from collections.abc import Iterator


def lines(rows: int) -> Iterator[bytes]:
    """`{"_label": 1, "user": {"age": 34, ...}, "item": {...}, "hour": "17", ...}`, the same for the same number."""
    rng = random.Random(22)
    for _ in range(rows):
        age, plan, city = rng.randrange(18, 90), rng.choice(("free", "basic", "pro")), rng.randrange(5_000)
        price, brand, category = rng.lognormvariate(3, 1), int(rng.paretovariate(0.5)) % 20_000, rng.randrange(300)
        margin = (plan == "pro") - price / 50 + (category % 7) / 7 + rng.gauss(0, 0.5)
        yield (
            f'{{"_label": {1 if margin > 0 else -1}, "user": {{"age": {age}, "plan": "{plan}", "city": "c{city}"}}, '
            f'"item": {{"price": {price:.2f}, "brand": "b{brand}", "category": "k{category}"}}, '
            f'"hour": "h{rng.randrange(24)}", "device": "{rng.choice(("phone", "tablet", "desktop"))}", '
            f'"seen": {rng.randrange(40)}, "score": {rng.random():.4f}}}\n'
        ).encode()
