"""Arrays wherever they enter: complex numbers, dates and masked entries are refused; any plain memory is taken."""

from __future__ import annotations

import pickle
from collections import UserDict
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from afterwit import regret
from afterwit.errors import AfterwitError
from afterwit.experts import AdaNormalHedge, FixedShare, FollowTheLeadingHistory, Hedge, Mixture, Randomized
from afterwit.features import Features
from afterwit.learning import learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.numbers import real_array
from afterwit.registry import state
from afterwit.registry.plain import same
from afterwit.streams import read
from afterwit.streams.arrays import csr_arrays, rows_of
from tests.linear.rules import rules

RNG = np.random.default_rng(0)
X = np.array([[0.25, 0.5], [0.75, 1.0]])
Y = [1.0, -1.0]
FRAME = pd.DataFrame(X, columns=["a", "b"])

WRONG: dict[str, Any] = {
    "complex": X + 2j,
    "small complex": (X + 2j).astype(np.complex64),
    "days": np.array([["2020-01-01", "2020-01-02"]] * 2, "M8[D]"),
    "nanoseconds": np.array([["2020-01-01", "2020-01-02"]] * 2, "M8[ns]"),
    "durations": np.array([[1, 1]] * 2, "m8[s]"),
    "records": (X + 2j).astype([("z", complex)]),
    "masked": np.ma.array(X, mask=[[True, False], [True, False]]),
    "objects": np.array([[np.complex64(1), 1.0], [np.complex64(1), 1.0]], dtype=object),
    "lists of numbers": [[np.complex128(1), 1.0], [np.complex128(1), 1.0]],
    "lists of dates": [[np.datetime64(1, "ns"), np.datetime64(1, "ns")]] * 2,
}
# Each gets a matrix, its first row and its first column.
DOORS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "predict_many": lambda A, row, column: AdaGrad().predict_many(A),
    "learn_many": lambda A, row, column: AdaGrad().learn_many(A, Y),
    "one vs all": lambda A, row, column: OneVsAll(AdaGrad()).learn_many(A, Y),
    "stream": lambda A, row, column: learn(AdaGrad(), read(A, Y)),
    "predict_one": lambda A, row, column: AdaGrad().predict_one(row),
    "learn_one": lambda A, row, column: AdaGrad().learn_one(row, 1),
    "y": lambda A, row, column: AdaGrad(loss="squared").learn_many(X, column),
    "y of a CSR matrix": lambda A, row, column: AdaGrad(loss="squared").learn_many(sp.csr_array(X), column),
    "y of two classes": lambda A, row, column: AdaGrad().learn_many(X, column),
    "y of classes": lambda A, row, column: OneVsAll(AdaGrad()).learn_many(X, column),
    "y of a stream": lambda A, row, column: learn(AdaGrad(loss="squared"), read(X, column)),
    "y of a stream of classes": lambda A, row, column: learn(OneVsAll(AdaGrad()), read(X, column)),
    "y of a table": lambda A, row, column: learn(AdaGrad(loss="squared"), read(FRAME, column)),
    "weight": lambda A, row, column: AdaGrad().learn_many(X, Y, column),
    "weight of a stream": lambda A, row, column: read(X, Y, column),
    "losses": lambda A, row, column: AdaNormalHedge().update(row),
    "losses of a run": lambda A, row, column: AdaNormalHedge().run(A),
    "confidence": lambda A, row, column: AdaNormalHedge().update([0.1, 0.2], row),
    "confidence of a play": lambda A, row, column: AdaNormalHedge(experts=2).play(row),
    "prior": lambda A, row, column: AdaNormalHedge(prior=row),
    "forecasts": lambda A, row, column: Mixture().learn_many(A, Y),
    "forecasts of a row": lambda A, row, column: Mixture().predict_one(row),
    "y of a mixture": lambda A, row, column: Mixture().learn_many(X, column),
    "weight of a mixture": lambda A, row, column: Mixture().learn_many(X, Y, column),
    "losses of a regret": lambda A, row, column: regret.expert_regret(A, [0.5, 0.5]),
    "player of a regret": lambda A, row, column: regret.shifting_regret(X, column, 2),
    "competitor": lambda A, row, column: regret.competitor_regret(X, [0.5, 0.5], row),
    "y of a combination": lambda A, row, column: regret.best_mixture(X, column),
    "weight of a combination": lambda A, row, column: regret.best_mixture(X, Y, weight=column),
    "numbers of a bound": lambda A, row, column: regret.adagrad(1.0, 0.5, row),
}


def first_column(A: Any) -> Any:
    return A[:, 0] if hasattr(A, "shape") else [row[0] for row in A]


@pytest.mark.filterwarnings("ignore:Casting complex values", "ignore:Warning. converting a masked")
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("door", DOORS)
def test_what_is_not_real_is_refused(door: str, wrong: str) -> None:
    A = WRONG[wrong]
    with pytest.raises((TypeError, ValueError)):
        DOORS[door](A, A[0], first_column(A))


@pytest.mark.parametrize("door", DOORS)
def test_what_is_real_is_taken(door: str) -> None:
    ones = np.ones((2, 2))
    for A in (ones, np.ma.array(ones), ones.astype(object), ones.astype(">f4"), ones.tolist()):
        if not (door in ("predict_one", "learn_one") and (isinstance(A, list) or A.dtype == object)):
            DOORS[door](A, A[0], first_column(A))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (X + 2j, "X is not an array of numbers: its dtype is `complex128`, expected real numbers"),
        (WRONG["days"], r"X is not an array of numbers: its dtype is `datetime64\[D\]`, expected real numbers"),
        (WRONG["masked"], r"X has masked entries; fill them in, as `.filled\(0\)` does"),
        ([*WRONG["masked"]], "X has masked entries"),
        (WRONG["objects"], r"X is not an array of numbers: `np.complex64\(1\+0j\)` is not a real number"),
        (sp.csr_array(X + 2j), "X is not an array of numbers: its dtype is `complex128`"),
    ],
)
def test_the_sentences(values: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        rows_of(values)


NO_CELLS = [np.complex128(1 + 2j), np.complex64(1), np.timedelta64(1, "ns"), 1j]
NO_NUMBERS = [*NO_CELLS, np.datetime64(1, "ns"), np.array(1, "M8[ns]")]


@pytest.mark.filterwarnings("ignore:Casting complex values", "ignore:Warning. converting a masked")
@pytest.mark.parametrize("value", NO_CELLS, ids=repr)
def test_a_cell_that_is_neither_a_real_number_nor_a_date_is_refused(value: Any) -> None:
    for act in (
        lambda: AdaGrad().predict_one({"a": 1.0, "b": value}),
        lambda: AdaGrad().predict_one({"a": {"b": value}}),
        lambda: AdaGrad().predict_many([{"a": np.float32(1.0)}, {"a": value}]),
        lambda: AdaGrad().predict_many([{"a": np.array(1.0)}, {"a": np.array(value)}]),
        lambda: AdaGrad().predict_many(pd.DataFrame({"a": np.array([value, "word"], dtype=object)})),
    ):
        with pytest.raises((TypeError, ValueError)):
            act()


@pytest.mark.filterwarnings("ignore:Casting complex values", "ignore:Warning. converting a masked")
@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_a_number_alone_that_is_not_real_is_refused(value: Any) -> None:
    for act in (
        lambda: AdaGrad(loss="squared").learn_one({"a": 1.0}, value),
        lambda: AdaGrad().learn_one({"a": 1.0}, 1, value),
        lambda: OneVsAll(AdaGrad()).learn_one({"a": 1.0}, value),
        lambda: learn(AdaGrad(loss="squared"), read([({"a": 1.0}, value)])),
        lambda: learn(AdaGrad(loss="squared"), read([({"a": 1.0}, np.array(value))])),
        lambda: AdaNormalHedge().update({"a": value, "b": 0.5}),
        lambda: AdaNormalHedge().update({"a": np.array(value), "b": 0.5}),
        lambda: Mixture().learn_one({"a": value, "b": 0.5}, 1.0),
        lambda: Mixture().learn_one({"a": 0.5, "b": 0.5}, value),
    ):
        with pytest.raises((TypeError, ValueError)):
            act()


def test_a_masked_state_is_refused() -> None:
    for model in (_learned(AdaGrad()), _played(FixedShare())):
        before = model.state()
        key = "runs" if "runs" in before else "p"
        for wrong in (np.ma.array(before[key], mask=True), before[key] * np.complex64(1 + 1j)):
            with pytest.raises(ValueError, match=f"the state's `{key}`"):
                model.set_state({**before, key: wrong})
            assert same(model.state(), before)


def _learned(model: Any) -> Any:
    model.learn_many(RNG.normal(size=(20, 3)), np.sign(RNG.normal(size=20)).astype(int))
    return model


def _played(player: Any) -> Any:
    player.run(RNG.random((20, 3)))
    return player


def _mixed() -> Mixture:
    model = Mixture()
    model.learn_many(RNG.normal(size=(20, 3)), RNG.normal(size=20))
    return model


MODELS = [
    *(_learned(model) for model in rules(Features()).values()),
    _learned(AdaGrad(features=Features(names="exact", interactions=("*",)))),
    _learned(OneVsAll(AdaGrad())),
    *(_played(player) for player in (AdaNormalHedge(), FixedShare(), Hedge(horizon=50), Randomized(Hedge(rate=0.3)))),
    _played(FollowTheLeadingHistory(Hedge(rate=0.3), rate=0.5)),
    _mixed(),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_models_and_mapped_memory(model: Any, tmp_path: Path) -> None:
    joblib.dump(model, tmp_path / "model")
    for mode in (None, "r", "c"):
        assert same(state(joblib.load(tmp_path / "model", mmap_mode=mode)), state(model))


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_models_and_skops(model: Any) -> None:
    skops = pytest.importorskip("skops.io", reason="needs skops")
    kept = skops.dumps(model)
    trusted = skops.get_untrusted_types(data=kept)
    assert trusted == [f"{type(model).__module__}.{type(model).__name__}"]
    again = skops.loads(kept, trusted=trusted)
    assert type(again) is type(model)
    assert repr(again) == repr(model)
    assert same(state(again), state(model))
    assert same(state(pickle.loads(pickle.dumps(again))), state(model))


def mapped(array: Any, path: Path) -> Any:
    np.save(path, array)
    return np.load(path, mmap_mode="r")


@pytest.mark.parametrize("door", DOORS)
def test_mapped_memory_is_taken_as_an_array_is(door: str, tmp_path: Path) -> None:
    ones = mapped(np.ones((2, 2)), tmp_path / "ones.npy")
    assert type(ones) is np.memmap
    assert not ones.flags.writeable
    DOORS[door](ones, ones[0], ones[:, 0])


class Keeps:
    def __init__(self, start: Any) -> None:
        self.start = start


class Other(np.ndarray[Any, Any]):
    """An array with a meaning of its own."""


def test_a_mapped_array_in_a_state_becomes_one_in_memory(tmp_path: Path) -> None:
    array = mapped(np.arange(6.0).reshape(2, 3).T, tmp_path / "a.npy")
    for copy in (True, False):
        keeps = Keeps(1)
        keeps.array = array  # type: ignore[attr-defined]
        found = state(keeps, copy=copy)["array"]
        assert type(found) is np.ndarray
        assert found.flags.f_contiguous
        assert found.flags.writeable == copy
        assert same(found, np.arange(6.0).reshape(2, 3).T)
    for other in (np.arange(3.0).view(Other), np.ma.array([1.0]), np.arange(3).view(np.matrix)):
        keeps.array = other  # type: ignore[attr-defined]
        with pytest.raises(AfterwitError, match=r'state\["array"\] is a'):
            state(keeps)


def strided(array: Any) -> Any:
    return np.repeat(array, 2)[::2]


def read_only(array: Any) -> Any:
    array = array.copy()
    array.setflags(write=False)
    return array


def swapped(array: Any) -> Any:
    return array.astype(array.dtype.newbyteorder(">"))


def backwards(array: Any) -> Any:
    return array[::-1].copy()[::-1]


def between(array: Any) -> Any:
    moved = np.frombuffer(b"-" + array.tobytes(), np.uint8)[1:].view(array.dtype)
    assert not moved.flags.aligned
    return moved


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8"])
@pytest.mark.parametrize("odd", [strided, read_only, swapped, backwards, between])
@pytest.mark.parametrize("which", [["data"], ["indices"], ["indptr"], ["data", "indices", "indptr"]], ids="-".join)
def test_csr_in_any_memory(odd: Any, which: list[str], dtype: str) -> None:
    plain = sp.csr_array((RNG.integers(-3, 4, size=(40, 6))).astype(dtype))
    y = np.sign(RNG.normal(size=40))
    X = plain.copy()
    for name in which:
        setattr(X, name, odd(getattr(plain, name)))
        assert not getattr(X, name).flags.c_contiguous or odd in (read_only, swapped, between)
    one, other = AdaGrad(), AdaGrad()
    assert same(one.learn_many(plain, y), other.learn_many(X, y))
    assert same(one.predict_many(plain), other.predict_many(X))
    assert same(state(one), state(other))


def test_what_the_core_reads_lies_where_numbers_of_its_kind_do() -> None:
    assert real_array("y", between(np.arange(3.0))).flags.aligned
    X = sp.csr_array(RNG.normal(size=(4, 3)))
    for name in ("indices", "data", "indptr"):
        setattr(X, name, between(getattr(X, name)))
    assert all(array.flags.aligned for array in csr_arrays(X))
    model = _learned(AdaGrad())
    assert model.predict_one(between(np.arange(3.0))) == model.predict_one(np.arange(3.0))


@pytest.mark.parametrize(
    ("name", "wrong", "sentence"),
    [
        ("indices", lambda a: a + 0.5, "indices has the dtype `float64`, expected whole numbers"),
        ("indptr", lambda a: a.astype(float), "indptr has the dtype `float64`, expected whole numbers"),
        ("indptr", lambda a: a[:0], "indptr is empty"),
        ("indices", lambda a: a > 0, "indices has the dtype `bool`"),
        ("data", lambda a: np.ma.array(a, mask=a > 0), "data has masked entries"),
    ],
)
def test_csr_arrays_that_are_no_such(name: str, wrong: Any, sentence: str) -> None:
    X = sp.csr_array(np.abs(RNG.normal(size=(2, 3))))
    setattr(X, name, wrong(getattr(X, name)))
    for act in (lambda: AdaGrad().predict_many(X), lambda: AdaGrad().learn_many(X, Y), lambda: read(X, Y)):
        with pytest.raises(ValueError, match=sentence):
            act()


def test_short_indices_are_taken() -> None:
    plain = sp.csr_array(RNG.normal(size=(2, 3)))
    X = plain.copy()
    X.indices = X.indices.astype(np.int8)
    assert same(AdaGrad().learn_many(X, Y), AdaGrad().learn_many(plain, Y))


def test_mappings_are_rows_by_name_and_nothing_else() -> None:
    """NumPy takes the keys of one that is no dict, and the digits in them for numbers."""
    rows = [{"1": 2.0}, {"2": 3.0, "1": 1.0}]
    others: list[Any] = [UserDict(rows[0]), MappingProxyType(rows[1])]
    for mixed in (others, [rows[0], others[1]], [others[0], rows[1]]):
        assert same(AdaGrad().learn_many(mixed, Y), AdaGrad().learn_many(rows, Y))
        assert same(learn(AdaGrad(), read(mixed, Y)).mean_loss, learn(AdaGrad(), read(rows, Y)).mean_loss)
    with pytest.raises(ValueError, match="X is not an array of numbers: a `UserDict` is a mapping"):
        AdaGrad().predict_many([[1.0], UserDict({"1": 2.0})])
    for model in (AdaGrad(), OneVsAll(AdaGrad())):
        for y in ({1: "a", -1: "b"}, UserDict({1: "a", -1: "b"}), {1, -1}, "01", 1.0):
            for A in (X, sp.csr_array(X)):
                with pytest.raises(ValueError, match="expected one label per row, in their order"):
                    model.learn_many(A, y)  # type: ignore[attr-defined]
            for source in (X, FRAME):
                with pytest.raises(ValueError, match="expected one label per row, in their order"):
                    read(source, y)


def test_nothing_is_no_row_label_or_weight() -> None:
    model = AdaGrad()
    for row in (None, 3.0, "word"):
        for act in (lambda row=row: model.predict_one(row), lambda row=row: model.learn_one(row, 1)):
            with pytest.raises(TypeError, match="a row must be a mapping of names to numbers or words, or a"):
                act()
    with pytest.raises(TypeError, match="the label is `None`, expected a number"):
        model.learn_one({"a": 1.0}, None)
    with pytest.raises(TypeError, match="the weight is `None`, expected a number"):
        model.learn_one({"a": 1.0}, 1, None)  # type: ignore[arg-type]
