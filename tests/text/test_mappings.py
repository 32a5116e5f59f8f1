"""Rows from mappings: names, words, namespaces, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from afterwit._core import CellRules, group_of_name, key_in_namespace, key_of_name, rows_of_mappings
from afterwit.features import Features
from afterwit.linear import AdaGrad
from afterwit.registry import state
from afterwit.registry.plain import same
from tests.learning.test_collisions import MASK, fold, scramble


def test_names_words_and_namespaces() -> None:
    row = {"price": 3.5, 17: 2, "city": "Rome", "user": {"17": True, "lang": "it", 4: 0.5}, "gone": None, "x": 0.0}
    keys, values, starts, names, _ = rows_of_mappings([row, {}], True, False)
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
    assert rows_of_mappings([row], True, False, CellRules(text=["t"]))[3] == [
        "t^two",
        "t^words",
        "n^t=Two words",
        "other=Two words",
    ]


def test_a_number_is_the_name_that_spells_it() -> None:
    assert [key_of_name(name) for name in ("0", "17", "4294967295")] == [0, 17, 2**32 - 1]
    assert all(key_of_name(name) >= 2**32 for name in ("", "00", "017", "+1", "-1", "1.0", "4294967296", "1" * 30))


SHORT = ["abcdefghijklmnop"[:length] for length in range(1, 17)]


def hash_bytes(text: bytes, start: int) -> int:
    h = scramble(start ^ len(text))
    whole = len(text) // 8 * 8
    for at in range(0, whole, 8):
        word = int.from_bytes(text[at : at + 8], "little")
        h = fold(h ^ word, 0xE7037ED1A0B428DB) + word & MASK
    return scramble(h ^ int.from_bytes(text[whole:], "little"))


@pytest.mark.parametrize(
    "name", ["", "a", "price", "city=Rome", "01", "é" * 4, "eighteen characters", "x" * 64, *SHORT]
)
def test_a_name_keeps_its_key_for_ever(name: str) -> None:
    """A file of a model has slots and not names: with other keys it would be another model, and nobody would know."""
    space = hash_bytes(name.encode(), 1) | 1
    assert group_of_name(name) == space
    assert key_of_name(name) == hash_bytes(name.encode(), 0) | 1 << 63
    assert key_in_namespace(name, "word") == hash_bytes(b"word", space) | 1 << 63
    assert key_in_namespace(name, "17") == space + 17 & MASK


def anew(row: dict[Any, Any]) -> dict[Any, Any]:
    """The same row with names that no row had before, as a parser makes them."""
    return {"".join([*name, ""]) if isinstance(name, str) else name: value for name, value in row.items()}


class Own(str):
    """A name of a class of its own, which says that it is any other."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


ROW: dict[Any, Any] = {"age": 1.0, "distance in km": 2.0, "días": 3.0, "18": 4.0}
LIKE_IT: list[dict[Any, Any]] = [
    {"agE": 1.0, "distance in km": 2.0, "días": 3.0, "18": 4.0},
    {"ag": 1.0, "distance in km": 2.0, "días": 3.0, "18": 4.0},
    {"ages": 1.0, "distance in km": 2.0, "días": 3.0, "18": 4.0},
    {"age": 1.0, "Distance in km": 2.0, "días": 3.0, "18": 4.0},
    {"age": 1.0, "distance on km": 2.0, "días": 3.0, "18": 4.0},
    {"age": 1.0, "distance in km": 2.0, "dìas": 3.0, "18": 4.0},
    {"age": 1.0, "distance in km": 2.0, "días": 3.0, "17": 4.0},
    {"age": 1.0, "distance in km": 2.0, "días": 3.0, 18: 4.0},
    {"age": 1.0, "distance in km": 2.0, "días": 3.0, Own("18"): 4.0},
    {"age": 1.0, "distance in km": 2.0, "días": 3.0, Own("19"): 4.0},
    {"distance in km": 2.0, "age": 1.0, "días": 3.0, "18": 4.0},
    {"age": 1.0, "distance in km": "two", "días": 3.0, "18": 4.0},
    {"age": 1.0, "distance in km": 2.0, "días": 3.0, "18": None},
    {"age": 1.0, "distance in km": 2.0, "días": 3.0},
]


@pytest.mark.parametrize("features", [Features(), Features(names="exact"), Features(interactions=("a*b",))], ids=str)
def test_names_made_anew_are_the_names_they_spell(features: Features) -> None:
    """One row at a time, three times each, which is remembered by then, and then another that is much like it."""
    one_by_one, at_once = AdaGrad(features=features), AdaGrad(features=features)
    rows = [row for like_it in LIKE_IT for row in [ROW] * 3 + [like_it] * 3]
    for row in rows:
        one_by_one.learn_one(anew(row), 1)
    at_once.learn_many(rows, [1] * len(rows))
    assert same(state(one_by_one), state(at_once))
    assert [one_by_one.predict_one(anew(row)) for row in rows] == at_once.predict_many(rows).tolist()


@pytest.mark.parametrize("length", range(1, 26))
def test_a_name_with_one_other_letter_is_another(length: int) -> None:
    name = "abcdefghijklmnopqrstuvwxy"[:length]
    model = AdaGrad()
    for _ in range(3):
        model.learn_one(anew({name: 1.0}), 1)
    learned, alone = model.predict_one({name: 1.0}), model.predict_one({})
    for i in range(length):
        for row in [{name: 1.0}] * 3:
            assert model.predict_one(anew(row)) == learned
        assert model.predict_one({name[:i] + "A" + name[i + 1 :]: 1.0}) == alone


def test_a_name_that_is_no_text_is_refused_behind_a_row_like_it() -> None:
    model = AdaGrad()
    for _ in range(3):
        model.learn_one(anew({"a": 1.0, "b": 2.0}), 1)
    before = state(model)
    with pytest.raises(UnicodeEncodeError):
        model.learn_one({"a": 1.0, "\udc80": 2.0}, 1)
    assert same(state(model), before)
    model.learn_one(anew({"a": 1.0, "b": 2.0}), 1)


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), Fraction(1, 2), Decimal("0.5"), np.array(0.5)])
def test_whatever_is_a_float_is_a_number(value: Any) -> None:
    assert rows_of_mappings([{"x": value}], False, False)[1].tolist() == [0.5]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"x": {1.0}}, "feature `x` is `{1.0}`; expected a number, a word, a date or a mapping"),
        ({"x": [[1.0]]}, "the array `x` has `[1.0]` in it; expected numbers or words"),
        ({"x": ({"a": 1},)}, "the array `x` has `{'a': 1}` in it; expected numbers or words"),
        ({"x": [1.0, "a"]}, "the array `x` has words and numbers, such as `'a'`; expected the one or the other"),
        ({"x": [b"a"]}, "feature `x[0]` is `b'a'`"),
        ({"x": b"y"}, "feature `x` is `b'y'`"),
        ({1.5: 1.0}, "a feature's name is `1.5`; expected a string or a whole number"),
        ({True: 1.0}, "a feature's name is `True`"),
        ({"a": {"b": {"c": 1.0}}}, "a namespace inside a namespace: `{'c': 1.0}`"),
        ({"x": {"a" + "é" * 60}}, "feature `x` is `{'a" + "é" * 28 + "`"),
        ({"x": {"é" * 60}}, "feature `x` is `{'" + "é" * 29 + "`"),
    ],
)
def test_what_is_not_a_feature_is_refused(row: Any, sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        rows_of_mappings([row], False, False)
    assert sentence in str(caught.value)


def test_a_number_too_long_to_be_spelled_is_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        rows_of_mappings([{10**5000: 1.0}], False, False)


def test_a_name_that_no_text_spells_may_have_no_value() -> None:
    """JSON makes such names; a row that is remembered must not stumble over one that was passed over."""
    model = AdaGrad()
    model.learn_one({"a": 1.0, "b": 2.0}, 1)
    expected = model.predict_one({"a": 1.0, "b": 2.0})
    for _ in range(4):
        assert model.predict_one({"a": 1.0, "\ud800": None, "b": 2.0}) == expected
