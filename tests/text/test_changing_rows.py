"""Rows that a value's own `__float__` changes while they are read: what is being read lives, or all is refused."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from afterwit._core import rows_of_mappings
from afterwit.features import Features
from afterwit.linear import AdaGrad
from afterwit.registry import state
from afterwit.registry.plain import same


class Name(str):
    """A name that says when it is gone."""

    gone: list[str] = []  # noqa: RUF012

    def __del__(self) -> None:
        self.gone.append(str(self))


class Row(dict[Any, Any]):
    """A row that says so, too."""

    gone: list[str]

    def __del__(self) -> None:
        self.gone.append("row")


class Number:
    """A number that does something when it is read."""

    def __init__(self, act: Callable[[], Any], value: Any = 2.0) -> None:
        self.act, self.value = act, value

    def __float__(self) -> float:
        self.act()
        return self.value  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return "a number"


class Whole(int):
    """An int that does."""

    act: Callable[[], Any]

    def __float__(self) -> float:
        self.act()
        return 2.0


def whole(act: Callable[[], Any]) -> Whole:
    number = Whole(2)
    number.act = act
    return number


def name(text: str, gone: list[str]) -> Name:
    found = Name(text)
    found.gone = gone
    return found


@pytest.mark.parametrize("number", [Number, whole])
@pytest.mark.parametrize("keep", [True, False])
def test_a_name_that_leaves_the_row_lives_until_it_is_read(number: Any, keep: bool) -> None:
    gone: list[str] = []
    row: dict[Any, Any] = {}

    def act() -> None:
        row.pop(next(iter(row)))
        row["other"] = 3.0
        assert not gone

    row[name("first", gone)] = number(act)
    keys, values, _, names, _ = rows_of_mappings([row], keep, False)
    assert values.tolist() == [2.0, 3.0]
    assert names == (["first", "other"] if keep else None)
    assert keys.tolist() == rows_of_mappings([{"first": 2.0, "other": 3.0}], False, False)[0].tolist()


@pytest.mark.parametrize("nested", [False, True])
def test_a_value_that_is_no_number_lives_until_it_is_shown(nested: bool) -> None:
    row: dict[Any, Any] = {}
    row["x"] = Number(row.clear, "no number")
    with pytest.raises(TypeError, match="feature `x` is `a number`; expected a number, a word, a date or a mapping"):
        rows_of_mappings([{"space": row} if nested else row], False, False)


def test_a_namespace_and_a_row_live_until_they_are_read() -> None:
    gone: list[str] = []
    space, row = Row(), Row()
    rows: list[Any] = [row, {"y": 1.0}]

    def act() -> None:
        rows[0].clear()
        rows[0] = {"z": 5.0}
        assert not gone

    space.update({"a": Number(act), "b": 4.0})
    row["space"] = space
    space.gone = row.gone = gone
    del space, row
    with pytest.raises(RuntimeError, match="a row changed while it was read; give a copy of it"):
        rows_of_mappings(rows, True, True)
    assert gone == ["row", "row"]


def test_a_name_of_a_class_of_its_own_is_not_remembered() -> None:
    """The reader remembers names; one that it forgets must not empty the row that is being read."""
    row: dict[Any, Any] = {}
    names: list[Any] = []
    alive: list[int] = []

    class Last(str):
        def __del__(self) -> None:
            if not many:
                row.clear()
                alive.append(sum(each() is not None for each in names))

    many: dict[Any, Any] = {Last(f"last{i}"): 1.0 for i in range(1000)}  # more than it remembers

    def forget() -> None:
        many.clear()
        assert len(alive) == 1000
        row.update({Name(f"name{i}"): 1.0 for i in range(300)})
        row.update({f"plain{i}": 1.0 for i in range(3000)})
        names[:] = [weakref.ref(each) for each in row if isinstance(each, Name)]
        del alive[:]

    starts = rows_of_mappings([many, {"x": Number(forget)}, row], False, False)[2]
    assert alive == []
    assert starts[3] - starts[2] == 3300


CHANGES: dict[str, Callable[[dict[Any, Any]], Any]] = {
    "cleared": lambda row: row.clear(),
    "popped": lambda row: row.popitem(),
    "grown": lambda row: row.update({f"new{len(row)}": 1.0}),
    "grown by one of its kind": lambda row: row.update({f"new{len(row)}": row["b"]}),
}


@pytest.mark.parametrize("number", [Number, whole])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("features", [Features(), Features(names="exact"), Features(interactions=("a*b",))], ids=str)
@pytest.mark.parametrize("nested", [False, True])
def test_a_row_of_another_size_is_refused_and_nothing_is_learned(
    number: Any, change: str, features: Features, nested: bool
) -> None:
    model = AdaGrad(features=features)
    model.learn_one({"a": 1.0, "b": 2.0}, 1)
    before = state(model)

    def rows() -> list[dict[Any, Any]]:
        row: dict[Any, Any] = {"a": 1.0}
        row.update({"b": number(lambda: CHANGES[change](row)), "c": 3.0, 4: 1.0})
        return [{"a": 1.0, "space": row} if nested else row]

    for act in (
        lambda: model.predict_one(rows()[0]),
        lambda: model.learn_one(rows()[0], 1),
        lambda: model.predict_many(rows()),
        lambda: model.learn_many(rows(), [1]),
    ):
        with pytest.raises(RuntimeError, match="a row changed while it was read; give a copy of it"):
            act()
    assert same(state(model), before)


def test_a_value_that_is_replaced_is_read_as_it_is_when_its_turn_comes() -> None:
    row: dict[Any, Any] = {}
    row.update({"a": Number(lambda: row.update(a=7.0, b=8.0)), "b": 1.0})
    assert rows_of_mappings([row], False, False)[1].tolist() == [2.0, 8.0]


@pytest.mark.parametrize("change", [list.clear, list.pop, lambda rows: rows.append(rows[0])])
def test_a_list_of_rows_of_another_length_is_refused(change: Any) -> None:
    rows: list[Any] = []
    rows += [{"a": Number(lambda: change(rows))}, {"a": 1.0}]
    with pytest.raises(RuntimeError, match="the rows changed while they were read; give a copy of them"):
        rows_of_mappings(rows, False, False)


def test_a_value_may_use_the_model_that_reads_it() -> None:
    model = AdaGrad()
    model.learn_one({"a": 1.0, "b": 2.0}, 1)
    row: dict[str, Any] = {"a": 1.0, "b": Number(lambda: model.learn_one({"a": 1.0, "b": 2.0}, 1))}
    model.learn_one(row, 1)
    plain = AdaGrad()
    for _ in range(3):
        plain.learn_one({"a": 1.0, "b": 2.0}, 1)
    assert same(state(model), state(plain))


def test_another_thread_changes_the_row() -> None:
    """It comes in while a value's `__float__` waits for it; and again while rows are read as quickly as can be."""
    row: dict[Any, Any] = {"a": 1.0}
    asked, done, stop = threading.Event(), threading.Event(), threading.Event()

    def other() -> None:
        asked.wait()
        row.clear()
        done.set()
        while not stop.is_set():
            row.update({f"n{i}": 1.0 for i in range(50)})
            row.update({f"n{i}": number for i in range(5)})
            row.clear()

    number = Number(lambda: None)
    row["b"] = Number(lambda: (asked.set(), done.wait()))
    thread = threading.Thread(target=other)
    thread.start()
    model, read = AdaGrad(), 0
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with pytest.raises(RuntimeError, match="a row changed while it was read"):
            model.predict_one(row)
        for _ in range(2000):
            try:
                model.predict_one(row)
                read += 1
            except RuntimeError as error:
                assert "a row changed while it was read" in str(error)  # noqa: PT017
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
    assert read > 0


class Fails:
    """No number, for a reason of its own."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __float__(self) -> float:
        raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), RuntimeError("its reason")], ids=repr)
def test_an_error_that_is_not_about_numbers_is_not_hidden(error: BaseException) -> None:
    model, value = AdaGrad(), Fails(error)
    for act in (
        lambda: model.predict_one({"a": value}),
        lambda: model.predict_many([{"a": 1.0}, {"b": {"a": value}}]),
        lambda: model.learn_one({"a": 1.0}, value),
        lambda: model.learn_one({"a": 1.0}, 1, value),
        lambda: model.predict_many(pd.DataFrame({"a": [value, "word"]})),
    ):
        with pytest.raises(type(error)) as found:
            act()
        assert found.value is error
