"""Interactions, kept and ignored groups, words and n-grams: against the same features spelled out by hand."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterwit.features import Features
from afterwit.learning import learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry import state
from afterwit.registry.plain import same
from afterwit.streams import read
from tests.linear.spelled_out import features_seen

ROWS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "a": st.sampled_from(["x", "y", "z"]),
            "b": st.sampled_from([0.5, -2.0, 0.0, 3]),
            "user": st.dictionaries(st.sampled_from("pqr"), st.sampled_from([1.0, 0.25])),
            "subject": st.sampled_from(["Cheap money NOW", "now", "", "a b a b", "naïve Été!"]),
        },
    ),
    min_size=1,
    max_size=8,
)
CHOICES = [
    {"interactions": ["a*b"]},
    {"interactions": ["user*user", "a*user*b", "user*user*user"]},
    {"text": ["subject"], "interactions": ["a*subject"]},
    {"text": ["subject:3"], "ignore": ["b"]},
    {"keep": ["a", "user"], "interactions": ["a*user"]},
    {"ignore": ["a"], "interactions": ["a*b"]},
    {"ignore": ["user"]},
    {"keep": ["user"]},
]


def added_up(features: list[tuple[str, float]]) -> dict[str, float]:
    """The features of one name are one."""
    total: dict[str, float] = {}
    for name, value in features:
        total[name] = total.get(name, 0.0) + value
    return total


@pytest.mark.parametrize("choice", CHOICES, ids=str)
@settings(max_examples=25, deadline=None)
@given(rows=ROWS)
def test_the_model_sees_the_features_spelled_out(choice: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    features = Features(names="exact", intercept=False, **choice)
    model = AdaGrad(loss="squared", features=features)
    model.learn_many(rows, np.ones(len(rows)))
    slow = AdaGrad(loss="squared", features=Features(names="exact", intercept=False))
    for x in rows:
        # A namespace of one keeps `^`, `*` and digits in a name from being read.
        slow.learn_one({"all": added_up(features_seen(x, features))}, 1.0)
    found = {name.removeprefix("all^"): weight for name, weight in slow.coef().items()}
    assert model.coef() == pytest.approx(found, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
@pytest.mark.parametrize("names", ["hashed", "exact"])
def test_one_row_many_rows_streams_and_classes_agree(choice: dict[str, Any], names: str) -> None:
    features = Features(names=names, **choice)
    x = {"a": "x", "b": 2.0, "user": {"p": 1.0, "q": 0.5}, "subject": "one two three"}
    rows = [x, {"a": "y"}, {"b": -1.0, "subject": "two"}, x]
    single, many, stream = (AdaGrad(normalized=True, features=features) for _ in range(3))
    for row in rows:
        single.learn_one(row, 1)
    many.learn_many(rows, [1] * 4)
    learn(stream, read([(row, 1) for row in rows]))
    assert same(state(single), state(many))
    assert same(state(single), state(stream))
    assert many.predict_many(rows).tolist() == [single.predict_one(row) for row in rows]
    classes = OneVsAll(AdaGrad(normalized=True, features=features), classes=["no", "yes"])
    classes.learn_many(rows, ["yes"] * 4)
    assert classes.predict_one(x)[1] == single.predict_one(x)


def test_pairs_of_columns_of_an_array() -> None:
    model = AdaGrad(features=Features(names="exact", interactions=["*"], intercept=False))
    model.learn_many(np.array([[2.0, 0.0, 3.0]]), [1])
    assert list(model.coef()) == ["0", "2", "0*0", "0*2", "2*2"]


def test_what_is_just_allowed() -> None:
    assert Features(text=["mail:subject:8", ":1"]).text_columns == {"mail:subject": 8, "": 1}
    assert Features(bits=30, seed=2**64 - 1).layout() is not None


def test_a_word_of_value_0_stands_between_no_others() -> None:
    model = AdaGrad(features=Features(names="exact", text=["t:2"], intercept=False))
    model.learn_one({"t": {"a": 1.0, "b": 0.0, "c": 2.0}}, 1)
    assert list(model.coef()) == ["t^a", "t^c", "t^a t^c"]


def test_the_order_of_a_product_matters_and_its_key_is_no_sum() -> None:
    hashed = Features(bits=22, interactions=["a*b"], intercept=False)
    weights = []
    for x in ({"a": "u", "b": "v"}, {"a": "v", "b": "u"}):
        model = AdaGrad(features=hashed)
        model.learn_one(x, 1)
        weights.append(set(model.native_state()["slots"].tolist()))
    assert not weights[0] & weights[1]


def test_too_many_products_change_nothing() -> None:
    model = AdaGrad(features=Features(interactions=["*"]))
    with pytest.raises(ValueError, match="row 2: interactions make more than 4194304 features of it"):
        model.learn_many(np.ones((2, 3000)) * [[0.0], [1.0]], [1, 1])
    assert same(state(model), state(AdaGrad(features=Features(interactions=["*"]))))
    huge = AdaGrad(features=Features(interactions=["a*b"]))
    with pytest.raises(ValueError, match="expected a finite number that fits a 32-bit float"):
        huge.learn_one({"a": 1e30, "b": 1e30}, 1)


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ({"interactions": ["a"]}, "interactions has `a`, expected two or three groups"),
        ({"interactions": ["a*b*c*d"]}, "interactions has `a*b*c*d`, expected two or three groups"),
        ({"interactions": "a*b"}, "interactions is `'a*b'`, expected a list of names"),
        ({"text": ["subject:x"]}, "text has `subject:x`, expected `column` or `column:n`"),
        ({"text": ["subject:9"]}, "text has `subject:9`, expected `column` or `column:n`"),
        ({"keep": [3]}, "keep is `[3]`, expected a list of names"),
        ({"ignore": 3}, "ignore is `3`, expected a list of names"),
        ({"text": ["subject:0"]}, "text has `subject:0`, expected `column` or `column:n`"),
        ({"bits": 0}, "bits is `0`, expected a whole number from 1 to 30"),
        ({"bits": 31}, "bits is `31`, expected a whole number from 1 to 30"),
        ({"seed": -1}, "seed is `-1`, expected a whole number from 0 to 2^64 - 1"),
        ({"seed": 2**64}, f"seed is `{2**64}`, expected a whole number from 0 to 2^64 - 1"),
    ],
)
def test_wrong_settings(choice: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        Features(**choice)


@pytest.mark.parametrize("choice", [{"keep": ["a"]}, {"ignore": ["b"]}])
def test_groups_are_looked_at_for_the_sake_of_one_choice(choice: dict[str, Any]) -> None:
    rows = [({"a": 1.0, "b": 2.0}, 1)] * 3
    models = [AdaGrad(features=Features(names="exact", **choice)) for _ in range(2)]
    models[0].learn_many([x for x, _ in rows], [y for _, y in rows])
    learn(models[1], read(rows))
    for model in models:
        assert set(model.coef()) == {"a", "(intercept)"}


@pytest.mark.parametrize("bits", [0, 31, -1, 18.0, "18"])
def test_bits_out_of_range_are_refused(bits: Any) -> None:
    with pytest.raises(ValueError, match=f"bits is `{bits}`, expected a whole number from 1 to 30"):
        Features(bits=bits)
    assert [Features(bits=least).bits for least in (1, 30)] == [1, 30]


def test_names_may_come_from_any_iterable() -> None:
    assert Features(keep=(name for name in "ab")) == Features(keep=("a", "b"))  # type: ignore[arg-type]
