"""Rows from mappings: names, words, namespaces, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from afterwit._core import group_of_name, key_in_namespace, key_of_name, rows_of_mappings
from tests.learning.test_collisions import MASK, fold, scramble


def test_names_words_and_namespaces() -> None:
    row = {"price": 3.5, 17: 2, "city": "Rome", "user": {"17": True, "lang": "it", 4: 0.5}, "gone": None, "x": 0.0}
    keys, values, starts, names, _ = rows_of_mappings([row, {}], True, False, [])
    assert names == ["price", "17", "city=Rome", "user^17", "user^lang=it", "user^4", "x"]
    assert values.tolist() == [3.5, 2.0, 1.0, 1.0, 1.0, 0.5, 0.0]
    assert starts.tolist() == [0, 7, 7]
    assert keys.tolist() == [
        *(key_of_name("price"), 17, key_of_name("city=Rome")),
        *(key_in_namespace("user", name) for name in ("17", "lang=it", "4")),
        key_of_name("x"),
    ]


def test_a_column_of_text_is_not_looked_for_inside_a_namespace() -> None:
    row = {"t": "Two words", "n": {"t": "Two words"}, "other": "Two words"}
    assert rows_of_mappings([row], True, False, ["t"])[3] == ["t^two", "t^words", "n^t=Two words", "other=Two words"]


def test_a_number_is_the_name_that_spells_it() -> None:
    assert [key_of_name(name) for name in ("0", "17", "4294967295")] == [0, 17, 2**32 - 1]
    assert all(key_of_name(name) >= 2**32 for name in ("", "00", "017", "+1", "-1", "1.0", "4294967296", "1" * 30))


def hash_bytes(text: bytes, start: int) -> int:
    h = scramble(start ^ len(text))
    whole = len(text) // 8 * 8
    for at in range(0, whole, 8):
        word = int.from_bytes(text[at : at + 8], "little")
        h = fold(h ^ word, 0xE7037ED1A0B428DB) + word & MASK
    return scramble(h ^ int.from_bytes(text[whole:], "little"))


@pytest.mark.parametrize("name", ["", "a", "price", "city=Rome", "01", "é" * 4, "eighteen characters", "x" * 64])
def test_a_name_keeps_its_key_for_ever(name: str) -> None:
    """A file of a model has slots and not names: with other keys it would be another model, and nobody would know."""
    space = hash_bytes(name.encode(), 1) | 1
    assert group_of_name(name) == space
    assert key_of_name(name) == hash_bytes(name.encode(), 0) | 1 << 63
    assert key_in_namespace(name, "word") == hash_bytes(b"word", space) | 1 << 63
    assert key_in_namespace(name, "17") == space + 17 & MASK


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), Fraction(1, 2), Decimal("0.5"), np.array(0.5)])
def test_whatever_is_a_float_is_a_number(value: Any) -> None:
    assert rows_of_mappings([{"x": value}], False, False, [])[1].tolist() == [0.5]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"x": [1.0]}, "feature `x` is `[1.0]`; expected a number, a word or a mapping"),
        ({"x": b"y"}, "feature `x` is `b'y'`"),
        ({1.5: 1.0}, "a feature's name is `1.5`; expected a string or a whole number"),
        ({True: 1.0}, "a feature's name is `True`"),
        ({"a": {"b": {"c": 1.0}}}, "a namespace inside a namespace: `{'c': 1.0}`"),
        ({"x": ["a" + "é" * 60]}, "feature `x` is `['a" + "é" * 28 + "`"),
        ({"x": ["é" * 60]}, "feature `x` is `['" + "é" * 29 + "`"),
    ],
)
def test_what_is_not_a_feature_is_refused(row: Any, sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        rows_of_mappings([row], False, False, [])
    assert sentence in str(caught.value)


def test_a_number_too_long_to_be_spelled_is_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        rows_of_mappings([{10**5000: 1.0}], False, False, [])
