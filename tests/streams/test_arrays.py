"""Rows from arrays and sparse matrices: what they are, and where they are wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from afterwit.errors import DataError
from afterwit.learning import learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.protocols import Labels, Position
from afterwit.registry import state
from afterwit.registry.plain import same
from afterwit.streams import read
from afterwit.streams.arrays import ArrayStream, labelled, rows_of

DENSE = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [1.5, 0.0, -3.0]])
REAL, BINARY, CLASS = Labels("real"), Labels("binary"), Labels("classes")


@pytest.mark.parametrize(
    "X",
    [
        *(
            DENSE,
            DENSE.astype(np.float32),
            np.asfortranarray(DENSE),
            DENSE.tolist(),
            np.repeat(DENSE, 2, axis=1)[:, ::2],
        ),
        *(make(DENSE) for make in (sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.lil_array)),
        [{1: 2.0}, {}, {"0": 1.5, "2": -3.0}],
    ],
    ids=str,
)
def test_rows_of_any_kind(X: Any) -> None:
    rows = rows_of(X)
    assert rows.keys.tolist() == [1, 0, 2]
    assert rows.values.tolist() == [2.0, 1.5, -3.0]
    assert rows.starts.tolist() == [0, 1, 1, 3]
    report = learn(AdaGrad(), read(X, [1, -1, 1], [1.0, 2.0, 0.5]))
    assert (report.rows, report.weight) == (3, 3.5)


def test_whole_numbers_and_bools_are_numbers() -> None:
    assert rows_of(np.array([[True, False]])).values.tolist() == [1.0]
    assert rows_of(np.array([[3, 0]], dtype=np.int8)).values.tolist() == [3.0]
    assert len(rows_of(np.zeros((0, 4)))) == len(rows_of([])) == len(rows_of(sp.csr_array((0, 4)))) == 0
    assert len(rows_of(np.zeros((4, 0)))) == 4


def test_csr_with_longer_arrays_than_it_needs() -> None:
    X, expected = sp.csr_array(DENSE), rows_of(sp.csr_array(DENSE))
    X.indices, X.data = np.append(X.indices, [1, -1]).astype(X.indices.dtype), np.append(X.data, [7.0, 8.0])
    found = rows_of(X)
    for field in ("keys", "values", "starts"):
        assert same(getattr(found, field), getattr(expected, field))


def test_csr_keeps_order_duplicates_and_zeros() -> None:
    X = sp.csr_array(
        (np.array([1.0, 2.0, 0.0, 3.0, 9.0]), np.array([4, 1, 0, 4, 3]), np.array([0, 4, 4])), shape=(2, 5)
    )
    rows = rows_of(X)
    assert rows.keys.tolist() == [4, 1, 0, 4]
    assert rows.values.tolist() == [1.0, 2.0, 0.0, 3.0]
    batch = next(iter(ArrayStream(X, [1, -1]).batches(BINARY)))
    assert batch.keys.tolist() == [4, 1, 0, 4]


def test_batches_positions_and_classes() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(10_000, 2)), np.repeat(["b", "a", "c"], [5000, 4000, 1000])
    stream = read(X, y, np.arange(10_000.0))
    batches = list(stream.batches(CLASS))
    assert [len(batch) for batch in batches] == [4096, 4096, 1808]
    assert [batch.position.rows for batch in batches] == [4096, 8192, 10_000]
    assert [batch.classes for batch in batches] == [("b",), ("b", "a"), ("b", "a", "c")]
    assert [float(batch.weight[0]) for batch in batches] == [0.0, 4096.0, 8192.0]
    rest = list(stream.batches(CLASS, start=Position(rows=4096)))
    assert [batch.y.tolist() for batch in rest] == [batch.y.tolist() for batch in batches[1:]]
    assert rest[-1].classes == ("b", "a", "c")
    assert list(stream.batches(CLASS, start=Position(rows=10_000))) == []
    with pytest.raises(DataError, match="the input changed: it has 10000 rows, and 10001 were read before"):
        next(stream.batches(CLASS, start=Position(rows=10_001)))


def test_classes_before_the_start_keep_their_codes() -> None:
    stream = ArrayStream(DENSE, ["a", "b", "a"], batch_rows=1)
    whole, rest = list(stream.batches(CLASS)), list(stream.batches(CLASS, start=Position(rows=1)))
    assert [batch.y.tolist() for batch in rest] == [batch.y.tolist() for batch in whole[1:]] == [[1.0], [0.0]]
    assert [batch.classes for batch in rest] == [("a", "b")] * 2
    with pytest.raises(DataError, match=r"y, row 2: the label is `0.5`, expected an integer or a word"):
        next(ArrayStream(DENSE, ["a", 0.5, "b"]).batches(CLASS, start=Position(rows=2)))


@pytest.mark.parametrize(
    ("y", "labels", "expected"),
    [
        ([0, 1, 1], BINARY, [-1, 1, 1]),
        ([-1, 1, 1], BINARY, [-1, 1, 1]),
        ([False, True, True], BINARY, [-1, 1, 1]),
        (np.array([0, 1, 1], dtype=np.uint8), BINARY, [-1, 1, 1]),
        ([0.5, 0, -3e38], REAL, [0.5, 0, -3e38]),
        (["b", "a", "b"], CLASS, [0, 1, 0]),
        ([3, 3.0, "3"], CLASS, [0, 0, 1]),
        ([2**53, 2**53 + 1, 2**53], CLASS, [0, 1, 0]),
        (["no", "yes", "no"], Labels("binary", ("no", "yes")), [-1, 1, -1]),
        (["b", "a", "b"], Labels("classes", ("a", "b")), [1, 0, 1]),
    ],
)
def test_labels(y: Any, labels: Labels, expected: list[float]) -> None:
    assert labelled(DENSE, y, None, labels).y.tolist() == expected
    assert next(read(DENSE, y).batches(labels)).y.tolist() == expected


@pytest.mark.parametrize(
    ("y", "labels", "sentence"),
    [
        ([1, 1, 2], BINARY, "y, row 3: the label is `2`, expected -1 or +1, or 0 or 1"),
        ([1, np.nan, 1], BINARY, "y, row 2: the label is `nan`"),
        ([1, "x", 1], BINARY, "y, row 2: the label is `'x'`, expected a number"),
        ([1, None, 1], REAL, "y, row 2: the label is `nan`, expected a finite number that fits a 32-bit float"),
        ([1, 1, 1e39], REAL, "y, row 3: the label is `1e+39`"),
        ([1, 1, 10**400], REAL, "y, row 3: the label is `1000"),
        ([1, [2], 1], REAL, "y, row 2: the label is `[2]`, expected a number"),
        (["a", "b", 0.5], CLASS, "y, row 3: the label is `0.5`, expected an integer or a word"),
        (["a", "b", np.inf], CLASS, "y, row 3: the label is `inf`"),
        (["a", None, "b"], CLASS, "y, row 2: the label is `None`"),
        (["a", "c", "b"], Labels("classes", ("a", "b")), "y, row 2: the label is `c`, expected one of a, b"),
    ],
)
def test_wrong_labels_have_a_place(y: Any, labels: Labels, sentence: str) -> None:
    for act in (lambda: labelled(DENSE, y, None, labels), lambda: list(read(DENSE, y).batches(labels))):
        with pytest.raises(DataError) as caught:
            act()
        assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: read(DENSE, [1, 1]), "y has 2 entries, expected 3 (one per row)"),
        (lambda: labelled(DENSE, [1, 1], None, REAL), "y has 2 entries, expected 3 (one per row)"),
        (lambda: labelled(DENSE, None, None, REAL), "y is missing"),
        (lambda: labelled(DENSE, np.zeros((3, 1)), None, REAL), "y has 2 dimensions, expected one label per row"),
        (lambda: list(read(DENSE, np.zeros((3, 1))).batches(REAL)), "y has 2 dimensions"),
        (lambda: read(DENSE[0], [1, 1, 1]), "X has 1 dimensions, expected rows and columns"),
        (lambda: rows_of(DENSE[0]), "X has 1 dimensions, expected rows and columns (for one row use predict_one)"),
        (lambda: rows_of([["a", "b"]]), "X is not an array of numbers: could not convert string to float: 'a'"),
        (lambda: rows_of([[1.0], [1.0, 2.0]]), "X is not an array of numbers"),
        (lambda: rows_of([[10**400]]), "X is not an array of numbers"),
        (lambda: read(DENSE, [1, 1, 1], [1, 2]), "weight has the shape (2,), expected (3,): one per row"),
        (lambda: read(DENSE, [1, 1, 1], [1, -2, 1]), "weight, row 2: the weight is `-2`, expected a finite number"),
        (lambda: read(DENSE, [1, 1, 1], [1, 1, np.inf]), "weight, row 3: the weight is `inf`"),
        (lambda: read(DENSE, [1, 1, 1], [1, 1e39, 1]), "weight, row 2: the weight is `1e+39`"),
        (lambda: read(DENSE, [1, 1, 1], [np.nan, 1, 1]), "weight, row 1: the weight is `nan`"),
        (lambda: read(DENSE, [1, 1, 1], ["a", 1, 1]), "weight, row 1: the weight is `a`, expected a finite number"),
        (lambda: read("file.svm", [1]), "y and weight go with arrays; a file has its own labels"),
        (lambda: read(DENSE, [1, 1, 1], classes=["a", "b"]), "classes go with files"),
        (lambda: read(3), "cannot read a `int`"),
    ],
)
def test_what_does_not_fit_is_refused(act: Any, sentence: str) -> None:
    with pytest.raises(DataError) as caught:
        act()
    assert sentence in str(caught.value)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e39, -1e300])
def test_a_wrong_value_has_a_place_in_the_whole_stream(value: float) -> None:
    X = np.ones((5000, 3))
    X[4999, 2] = value
    for rows in (X, sp.csr_array(X), [{"a": 1.0}] * 4999 + [{"b": 1.0, 2: value}]):
        model = AdaGrad()
        with pytest.raises(DataError, match=r"X, row 5000: feature `2` is `.*`, expected a finite number"):
            learn(model, read(rows, np.ones(5000)))
        assert model.predict_one({"0": 1.0}) != 0 or model.predict_one({"a": 1.0}) != 0  # the batches before it count
        whole = AdaGrad()
        before = state(whole)
        with pytest.raises(ValueError, match=r"row 5000: feature"):
            whole.learn_many(rows, np.ones(5000))
        assert same(state(whole), before)


def test_names_of_dicts_reach_exact_features_and_several_classes() -> None:
    report = learn(OneVsAll(AdaGrad()), read([{"a": 1.0}, {"city": "Rome"}], ["x", "y"]))
    assert report.rows == 2
