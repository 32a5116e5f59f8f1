"""Rows from Python: tuples of a mapping, a label and perhaps a weight."""

from __future__ import annotations

from collections import UserDict
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from afterwit.errors import DataError
from afterwit.features import Features
from afterwit.learning import learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.protocols import Labels, Position, Wants
from afterwit.streams import read

REAL, BINARY, CLASS = Labels("real"), Labels("binary"), Labels("classes")


def test_rows_labels_weights_and_names() -> None:
    rows = [({"a": 1.0}, 1), (MappingProxyType({"city": "Rome", 7: 2}), 0, 0.5), (UserDict(), True)]
    batch = next(iter(read(rows).batches(BINARY, wants=Wants(names=True))))
    assert batch.names == ["a", "city=Rome", "7"]
    assert batch.y.tolist() == [1, -1, 1]
    assert batch.weight is not None
    assert batch.weight.tolist() == [1.0, 0.5, 1.0]
    assert batch.position == Position(rows=3)
    plain = next(iter(read(rows[:1]).batches(BINARY)))
    assert (plain.names, plain.weight) == (None, None)
    assert list(read([]).batches(BINARY)) == []


def test_a_generator_is_read_once_and_as_it_comes() -> None:
    taken: list[int] = []

    def rows() -> Any:
        for i in range(3000):
            taken.append(i)
            yield {"x": float(i)}, i % 2

    stream = read(rows(), batch_rows=1024)
    assert not stream.rereadable
    batches = stream.batches(BINARY)
    assert len(next(batches)) == len(taken) == 1024
    assert [len(batch) for batch in batches] == [1024, 952]
    assert read([({}, 1)]).rereadable
    with pytest.raises(DataError, match="passes is 2, but rows from Python can be read only once"):
        learn(AdaGrad(), read(rows()), passes=2)


def test_from_a_position_on_with_the_same_codes() -> None:
    rows = [({"x": float(i)}, "bac"[i // 1000]) for i in range(3000)]
    whole = list(read(rows, batch_rows=1024).batches(CLASS))
    rest = list(read(iter(rows), batch_rows=1024).batches(CLASS, start=whole[0].position))
    assert [batch.y.tolist() for batch in rest] == [batch.y.tolist() for batch in whole[1:]]
    assert rest[-1].classes == ("b", "a", "c")
    assert list(read(rows).batches(CLASS, start=whole[-1].position)) == []
    with pytest.raises(DataError, match="the input changed: it has 1000 rows, and 1024 were read before"):
        next(read(rows[:1000]).batches(CLASS, start=whole[0].position))


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ([{"x": 1.0}, 1], "`[{'x': 1.0}, 1]` is not a row; expected (dict, label) or (dict, label, weight)"),
        (({"x": 1.0},), "is not a row"),
        (({"x": 1.0}, 1, 1.0, 1), "is not a row"),
        (([1.0], 1), "is not a row"),
        (({"x": {1.0}}, 1), "feature `x` is `{1.0}`; expected a number, a word, a date or a mapping"),
        (({1.5: 1.0}, 1), "a feature's name is `1.5`"),
        (({"x": {"y": {"z": 1.0}}}, 1), "a namespace inside a namespace"),
        (({"word": float("nan")}, 1), "feature `word` is `nan`, expected a finite number that fits a 32-bit float"),
        (({"user": {"17": 1e39}}, 1), "feature `user^17` is `1e+39`"),
        (({10**5000: 1.0}, 1), "limit"),
        (({"x": 1.0}, 2), "the label is `2`, expected -1 or +1"),
        (({"x": 1.0}, "a"), "the label is `'a'`, expected a number"),
        (({"x": 1.0}, 1, -1.0), "the weight is `-1`, expected a finite number, 0 or more"),
        (({"x": 1.0}, 1, float("inf")), "the weight is `inf`"),
        (({"x": 1.0}, 1, 1e39), "the weight is `1e+39`, expected a finite number, 0 or more, at most 3.4028234e38"),
    ],
)
def test_a_wrong_row_has_a_place(row: Any, sentence: str) -> None:
    rows = [*[({"x": 1.0}, 1)] * 1500, row, ({"x": 1.0}, 1)]
    for features in (Features(), Features(names="exact")):
        with pytest.raises(DataError) as caught:
            learn(AdaGrad(features=features), read(rows))
        assert str(caught.value).startswith("iterable, row 1501: ")
        assert sentence in str(caught.value)


def test_several_classes() -> None:
    model = OneVsAll(AdaGrad())
    learn(model, read([({"x": 1.0}, "a"), ({"y": 1.0}, 3), ({"y": 2.0}, np.int64(3)), ({"z": 1.0}, "3")]))
    assert model.classes == ["a", 3, "3"]
    with pytest.raises(DataError, match=r"iterable, row 2: the label is `0\.5`, expected an integer or a word"):
        learn(model, read([({"x": 1.0}, "a"), ({"x": 1.0}, 0.5)]))
