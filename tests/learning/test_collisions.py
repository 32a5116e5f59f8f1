"""Features that share a slot: against a count in Python, over every kind of input."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import random_array

import afterwit as aw
from afterwit import Features
from afterwit.learning import Collisions
from afterwit.protocols import Stream
from tests.cli.commands import afterwit
from tests.linear.spelled_out import features_seen

MASK = (1 << 64) - 1


def fold(a: int, b: int) -> int:
    return (a * b & MASK) ^ (a * b >> 64)


def scramble(h: int) -> int:
    h = fold(h ^ 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
    return fold(h ^ 0xA0B428DB5A3C9E17, 0xCA5A826395121157)


def keys_by_name(features: Features, stream: Stream) -> dict[str, int]:
    """The key of every feature that a model with exact names has met."""
    model = aw.linear.AdaGrad(loss="squared", features=replace(features, names="exact"))
    aw.learn(model, stream)
    state = model.native_state()
    return dict(zip(state["names"], state["keys"].tolist(), strict=True))


def count_slowly(features: Features, names: list[list[str]], keys: dict[str, int]) -> dict[str, int]:
    """The same numbers from the names of each row's features."""
    occurrences = Counter(name for row in names for name in row)
    assert set(occurrences) == set(keys)
    slots: dict[int, list[str]] = {}
    for name in occurrences:
        mixed = keys[name] if features.seed == 0 else scramble(keys[name] ^ scramble(features.seed))
        slots.setdefault(mixed % 2**features.bits, []).append(name)
    shared = [name for inside in slots.values() if len(inside) > 1 for name in inside]
    return {
        "rows": len(names),
        "features": len(occurrences),
        "slots": len(slots),
        "shared": len(shared),
        "occurrences": sum(occurrences.values()),
        "shared_occurrences": sum(occurrences[name] for name in shared),
    }


def numbers(found: Collisions) -> dict[str, int]:
    return {name: value for name, value in vars(found).items() if name != "worst"}


def some_rows(count: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(1)
    words = ["cheap", "money", "now", "and", "then"]
    return [
        {
            "a": f"w{rng.integers(20)}",
            "b": float(rng.integers(-1, 2)),
            "user": {f"u{i}": 1.0 for i in rng.choice(30, 2, replace=False)},
            "subject": " ".join(rng.choice(words, rng.integers(0, 4))),
        }
        for _ in range(count)
    ]


CHOICES: list[dict[str, Any]] = [
    {},
    {"seed": 7},
    {"interactions": ["a*user", "user*user"]},
    {"interactions": ["a*b"], "seed": 3},
    {"text": ["subject:2"], "ignore": ["b"]},
    {"keep": ["a", "subject"], "text": ["subject"], "interactions": ["a*subject"]},
]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
@pytest.mark.parametrize("bits", [3, 8, 24])
def test_dicts(choice: dict[str, Any], bits: int) -> None:
    features, rows = Features(bits=bits, **choice), some_rows(200)
    stream = aw.read([(x, 1.0) for x in rows], batch_rows=64)
    names = [[name for name, _ in features_seen(x, features)] for x in rows]
    found = aw.collisions(features, stream)
    assert numbers(found) == count_slowly(features, names, keys_by_name(features, stream))
    assert (found.shared > 0) == (bits < 24)
    model = aw.linear.AdaGrad(normalized=True, features=features)
    aw.learn(model, stream)
    assert found.slots == len(model.native_state()["slots"]) - 1  # the intercept's
    assert aw.collisions(model, stream) == aw.collisions(aw.OneVsAll(model), stream) == found
    exact = aw.collisions(replace(features, names="exact"), stream)
    assert (exact.features, exact.slots, exact.shared, exact.shared_occurrences) == (
        found.features,
        found.features,
        0,
        0,
    )


def test_text_and_csr(tmp_path: Path) -> None:
    matrix = random_array((300, 5000), density=0.01, rng=np.random.default_rng(0), format="csr")
    matrix.data += 1.0
    rows = [[str(k) for k in row.indices] for row in (matrix[[r]] for r in range(300))]
    svmlight, vw = tmp_path / "rows.svm", tmp_path / "rows.vw"
    svmlight.write_text("".join(f"1 {' '.join(f'{name}:1' for name in row)}\n" for row in rows))
    vw.write_text("".join(f"1 |n {' '.join(f'w{name}' for name in row)}\n" for row in rows))
    features = Features(bits=10)
    keys = {name: int(name) for row in rows for name in row}
    expected = count_slowly(features, rows, keys)
    assert expected["shared"] > 1000
    assert numbers(aw.collisions(features, aw.read(matrix, np.ones(300)))) == expected
    assert numbers(aw.collisions(features, aw.read(svmlight))) == expected
    named = [[f"n^w{name}" for name in row] for row in rows]
    expected = count_slowly(features, named, keys_by_name(features, aw.read(vw)))
    found = aw.collisions(features, aw.read(vw))
    assert numbers(found) == expected
    assert len(found.worst) == 5
    for names in found.worst:
        assert aw.collisions(features, _only(*names)).slots == 1


def _only(*names: str) -> Stream:
    return aw.read([({"n": {name.removeprefix("n^"): 1.0 for name in names}}, 1.0)])


def test_the_worst_slot_is_where_the_most_occurrences_are_disturbed() -> None:
    rows = [{"0": 1.0}] * 9 + [{"4": 1.0}] + [{"1": 1.0}] * 4 + [{"5": 1.0}] * 3 + [{"9": 1.0}] * 5 + [{"2": 1.0}]
    found = aw.collisions(Features(bits=2), aw.read([(x, 1.0) for x in rows]))
    assert found.worst == (("9", "1", "5"), ("0", "4"))
    assert (found.shared_rate, found.shared_occurrence_rate) == (5 / 6, 22 / 23)


def test_of_many_in_one_slot_and_many_such_slots_some_are_named() -> None:
    rows = [{str(slot + 8 * i): 1.0} for slot in range(7) for i in range(7) for _ in range(2 if i == 6 else 1)]
    found = aw.collisions(Features(bits=3), aw.read([(x, 1.0) for x in rows]))
    assert found.worst == tuple(tuple(str(slot + 8 * i) for i in (6, 0, 1, 2, 3)) for slot in range(5))
    assert (found.slots, found.shared, found.shared_occurrences) == (7, 49, 56)


def test_as_many_as_birthdays_make_one_expect() -> None:
    rng = np.random.default_rng(2)
    count, slots = 3000, 2**12
    rates = []
    for seed in range(20):
        row = {f"{word:x}": 1.0 for word in rng.integers(2**62, size=count)}
        rates.append(aw.collisions(Features(bits=12, seed=seed), aw.read([(row, 1.0)])).shared_rate)
    # The variance of a count of 3000 dependent features is below twice that of independent ones.
    expected = 1.0 - (1.0 - 1.0 / slots) ** (count - 1)
    assert np.mean(rates) == pytest.approx(expected, abs=5 * np.sqrt(2 * expected * (1 - expected) / (20 * count)))


def test_an_empty_stream_and_what_has_no_features() -> None:
    found = aw.collisions(Features(), aw.read([]))
    assert found == Collisions(0, 0, 0, 0, 0, 0, ())
    assert (found.shared_rate, found.shared_occurrence_rate) == (0.0, 0.0)
    with pytest.raises(TypeError, match="`object` has no features; give a linear learner, or a `Features`"):
        aw.collisions(object(), aw.read([]))
    with pytest.raises(TypeError, match="`OneVsAll` has no features"):
        aw.collisions(aw.OneVsAll(aw.Mixture()), aw.read([]))


def test_too_many_products_are_an_error_with_their_rows() -> None:
    stream = aw.read(np.ones((2, 3000)), np.ones(2), batch_rows=1)
    with pytest.raises(aw.DataError, match="rows 1 to 1: row 1: interactions make more than 4194304 features"):
        aw.collisions(Features(interactions=["*"]), stream)


def test_the_command(tmp_path: Path) -> None:
    data, model = tmp_path / "data.csv", tmp_path / "m.afterwit"
    data.write_text("y,city\n" + "".join(f"{i % 2},c{i % 50}\n" for i in range(200)))
    afterwit("learn", data, "--target", "y", "--bits", 4, "--save", model)
    expected = aw.collisions(aw.load(model), aw.read(data, target="y"))
    assert aw.collisions(aw.load(model), data) == aw.collisions(aw.Features(bits=4), data, target="y") == expected
    shown = json.loads(afterwit("inspect", model, "--collisions", data, "--target", "y", "--json").stdout)
    assert shown["collisions"]["features"] == 50
    assert shown["collisions"] == json.loads(json.dumps(vars(expected)))
    text = afterwit("inspect", model, "--collisions", data, "--target", "y").stdout.decode()
    assert f"{expected.shared}  features that share a slot" in text
    assert f"in one slot: {', '.join(expected.worst[0])}" in text
