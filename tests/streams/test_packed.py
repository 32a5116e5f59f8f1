"""Batches in half the memory: the same rows, rounded to 32-bit floats, and the same model to the bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.features import Features
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.protocols import Batch, Labels, Wants
from afterwit.registry import state
from afterwit.registry.plain import same
from afterwit.streams import read

SVMLIGHT = "1 3:0.1 7:-2e-5 4294967295:1\n-1\n1 3:1e-45 3:0.3 5:16777217\n"
VW_NUMBERS = "1 | 3:0.1 7\n-1 2 | 4294967295:0.7\n1 |a\n"
VW_WORDS = "1 | 3:0.1 7\n-1 2 |user anna age:0.7\n1 | 5 6:0.3\n"
CSV = "y,price,city\n1,0.1,Rome\n-1,,Oslo\n1,16777217,\n"


def last_batch(path: Path, wants: Wants, **options: Any) -> Batch:
    """The only batch of a second pass: where there is a cache, it is the cache's."""
    stream = read(path, **options)
    for _ in range(2):
        (batch,) = stream.batches(Labels("binary"), wants=wants)
    return batch


@pytest.mark.parametrize("cache", [False, True], ids=["text", "cache"])
@pytest.mark.parametrize(
    ("name", "text", "keys"),
    [
        ("a.svm", SVMLIGHT, np.uint32),
        ("a.vw", VW_NUMBERS, np.uint32),
        ("a.vw", VW_WORDS, np.uint64),
        ("a.csv", CSV, np.uint64),
    ],
    ids=["svmlight", "vw-numbers", "vw-words", "csv"],
)
def test_packed_rows_are_the_rows(tmp_path: Path, name: str, text: str, keys: type, cache: bool) -> None:
    path = tmp_path / name
    path.write_text(text)
    options: dict[str, Any] = {"target": "y"} if name == "a.csv" else {}
    wide, packed = (last_batch(path, Wants(packed=packed), cache=cache, **options) for packed in (False, True))
    assert (wide.keys.dtype, wide.values.dtype) == (np.uint64, np.float64)
    assert (packed.keys.dtype, packed.values.dtype) == (keys, np.float32)
    assert packed.keys.tolist() == wide.keys.tolist()
    assert packed.values.tolist() == wide.values.astype(np.float32).tolist()
    for field in ("starts", "y", "weight", "position", "classes"):
        assert same(getattr(packed, field), getattr(wide, field))


@pytest.mark.parametrize("exact", [False, True], ids=["hashed", "exact"])
@pytest.mark.parametrize("many", [False, True], ids=["two", "many"])
def test_a_model_learns_the_same_of_both(tmp_path: Path, many: bool, exact: bool) -> None:
    path = tmp_path / "a.vw"
    path.write_text(VW_WORDS * 3 + VW_NUMBERS * 3)

    def learned(packed: bool) -> list[Any]:
        model: Any = AdaGrad(normalized=True, features=Features(names="exact") if exact else Features(bits=2))
        model = OneVsAll(model, classes=[-1, 1]) if many else model
        (batch,) = read(path).batches(model.labels, wants=Wants(names=exact, packed=packed))
        return [model.learn_many(batch), state(model)]

    assert same(learned(True), learned(False))


def test_only_learners_that_round_want_them_packed() -> None:
    assert AdaGrad().features.wants.packed
    assert not Features(names="exact").wants.packed
    assert not Features(interactions=["a*b"]).wants.packed


def test_a_batch_that_is_kept_stays_what_it_was(tmp_path: Path) -> None:
    """The memory of a cache's batches is used again, but not while anybody looks at one of their arrays."""
    path = tmp_path / "a.svm"
    path.write_text("".join(f"{(-1) ** i} {i}:0.{i}\n" for i in range(1, 500)))
    stream = read(path, cache=True, batch_rows=10)

    def values(batches: Any) -> Any:
        return [batch.values for batch in batches]

    text = values(stream.batches(Labels("binary")))
    kept = values(stream.batches(Labels("binary")))
    assert stream.progress() == 1.0
    assert same(kept, text)
    some = [array.copy() if i % 3 else array for i, array in enumerate(values(stream.batches(Labels("binary"))))]
    assert same(some, text)
