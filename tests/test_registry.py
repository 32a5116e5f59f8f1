"""Names, settings, states and fresh copies, with and without the methods that a class may offer."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from afterwit.errors import AfterwitError
from afterwit.experts import Hedge, Mixture
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.registry import build, fresh, name_of, register, settings, state
from afterwit.registry.plain import same


@register("test.mean")
class Mean:
    """Keeps its arguments in attributes and offers nothing."""

    def __init__(self, start: float = 0.0, decay: float = 1.0) -> None:
        self.start, self._decay = start, decay
        self.total, self.weights = start, np.zeros(3)


@register("test.offering")
class Offering:
    """Offers settings and state, and keeps what could not be saved."""

    def __init__(self, rate: float = 0.5) -> None:
        self.hidden = {rate}
        self.count = 0

    def settings(self) -> dict[str, Any]:
        return {"rate": next(iter(self.hidden))}

    def state(self) -> dict[str, Any]:
        return {"count": self.count}

    def set_state(self, state: dict[str, Any]) -> None:
        self.count = state["count"]


@register("test.wrapper")
class Wrapper:
    """Has another object among its settings, and more of them in its state."""

    def __init__(self, base: Any, copies: int = 2) -> None:
        self.base, self.copies = base, copies
        self.members = [fresh(base) for _ in range(copies)] if base is not None else []


@register("test.value")
@dataclass(frozen=True)
class Value:
    """A value without state."""

    bits: int = 18
    names: tuple[str, ...] = ()


class Holder:
    """Has any state, under no name."""

    def __init__(self, **content: Any) -> None:
        vars(self).update(content)

    def settings(self) -> dict[str, Any]:
        return {}


def again(obj: Any) -> Any:
    return build(name_of(obj), settings(obj), state(obj))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.zeros(2, np.int64), np.zeros(2, np.float64)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.zeros(2), -np.zeros(2)),
        (np.float64(1.0), 1.0),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([1], (1,)),
        ([1, 2], [1]),
        (True, 1),
    ],
)
def test_what_is_not_the_same(a: Any, b: Any) -> None:
    assert not same(a, b)
    assert same(a, a)


def test_a_second_class_under_a_name_is_refused() -> None:
    with pytest.raises(AfterwitError, match=r"the name `test.mean` belongs to `.*Mean`; register another"):

        @register("test.mean")
        class Other:
            pass


def test_a_class_defined_again_takes_the_old_ones_place() -> None:
    def define() -> type:
        @register("test.reloaded")
        class Reloaded:
            pass

        return Reloaded

    old, new = define(), define()
    assert type(build("test.reloaded", {})) is new
    assert name_of(old()) == "test.reloaded"


@pytest.mark.parametrize("name", ["", 3, None, Mean, "two\nlines"])
def test_a_wrong_name_is_refused(name: Any) -> None:
    with pytest.raises(AfterwitError, match="expected a name"):
        register(name)


def test_a_class_has_one_name_and_only_classes_have_names() -> None:
    with pytest.raises(AfterwitError, match=r"already registered as `test\.value`"):
        register("test.another")(Value)
    with pytest.raises(AfterwitError, match="given a `int`, expected a class"):
        register("test.three")(3)  # type: ignore[arg-type]


def test_a_subclass_does_not_inherit_the_name() -> None:
    class Child(Mean):
        pass

    with pytest.raises(AfterwitError, match="`Child` is not registered"):
        name_of(Child())


def test_attributes_are_the_fallback() -> None:
    mean = Mean(2.0, decay=0.9)
    mean.total, mean.weights = 7.0, np.arange(3.0)
    assert settings(mean) == {"start": 2.0, "decay": 0.9}
    assert same(state(mean), {"total": 7.0, "weights": np.arange(3.0)})
    other = again(mean)
    assert same(vars(other), vars(mean))
    assert vars(fresh(mean))["total"] == 2.0


def test_the_methods_are_used_where_they_are() -> None:
    model = Offering(0.25)
    model.count = 4
    other = again(model)
    assert (other.hidden, other.count) == ({0.25}, 4)
    assert (fresh(model).hidden, fresh(model).count) == ({0.25}, 0)


def test_a_state_is_a_copy_both_ways() -> None:
    mean = Mean()
    taken = state(mean)
    mean.weights[0] = 1.0
    assert taken["weights"][0] == 0.0
    one, two = build("test.mean", {}, taken), build("test.mean", {}, taken)
    one.weights[0] = 5.0
    assert two.weights[0] == taken["weights"][0] == 0.0


def test_objects_inside_settings_and_state() -> None:
    wrapper = Wrapper(Offering(0.1))
    wrapper.base.count, wrapper.members[1].count = 3, 8
    other = again(wrapper)
    assert other.base.hidden == {0.1}
    assert (other.base.count, [m.count for m in other.members]) == (3, [0, 8])
    new = fresh(wrapper)
    assert (new.base.hidden, new.base.count) == ({0.1}, 0)
    assert new.base is not wrapper.base
    assert again(Value(4, ("a", "b"))) == Value(4, ("a", "b"))
    assert settings(Wrapper(Value()))["base"] == {
        "$object": "test.value",
        "settings": {"bits": 18, "names": ()},
        "state": {},
    }


@pytest.mark.parametrize(
    "tricky",
    [
        {"$object": "test.mean", "settings": {}, "state": {}},
        {"$object": 1},
        {"$dict": {"$dict": 2}},
        {"$dict": 1, "$object": 2, "x": 3},
        {"$array": 0},
        {"a": [{"$dict": {"$object": ()}}]},
    ],
)
def test_keys_that_look_like_marks_come_back(tricky: Any) -> None:
    mean = Mean(tricky)
    mean.total = [tricky]  # type: ignore[assignment]
    other = again(mean)
    assert (other.start, other.total) == (tricky, [tricky])
    assert fresh(mean).start == tricky


def loop() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"cache": [0, 1, {2}]}, 'state["cache"][2] is a `set`; use None'),
        ({"a": {"b": object()}}, 'state["a"]["b"] is a `object`'),
        ({"a": Holder()}, 'state["a"] is a `Holder`'),
        ({"a": np.array([None])}, 'state["a"] is an array of `object`'),
        ({"a": np.array(["x"])}, 'state["a"] is an array of `<U1`'),
        ({"a": np.zeros(2, complex)}, 'state["a"] is an array of `complex128`'),
        ({"a": np.zeros(2, np.longdouble)}, 'state["a"] is an array of `'),
        ({"a": np.ma.zeros(2)}, 'state["a"] is a `MaskedArray`'),
        ({"a": b"x"}, 'state["a"] is a `bytes`'),
        ({"a": {1: 2}}, 'state["a"] has the key 1, expected keys of type str'),
        ({"a": loop()}, 'state["a"][0][0][0][0][0][0]... is nested more than 64 deep'),
        ({"a": (Wrapper(Wrapper({"x"}, 0), 0),)}, 'state["a"][0].settings["base"].settings["base"] is a `set`'),
        ({"__class__": 1}, "attribute `__class__` in its state"),
    ],
)
def test_what_is_not_plain_is_refused_with_its_place(content: Any, sentence: str) -> None:
    holder = Holder()
    vars(holder).update(content)
    with pytest.raises(AfterwitError) as caught:
        state(holder)
    assert sentence in str(caught.value)


def test_numpy_scalars_keep_their_type() -> None:
    taken = state(Holder(a=np.float32(0.1), b=np.int64(3), c=np.bool_(True), d=np.float64("nan")))
    assert [type(v) for v in taken.values()] == [np.float32, np.int64, np.bool_, np.float64]


class Forgets:
    def __init__(self, rate: float) -> None:
        self.half = rate / 2


class Changes:
    def __init__(self, rate: float) -> None:
        self.rate = rate * 2


class Stars:
    def __init__(self, *args: float) -> None:
        self.args = args


class Slots:
    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


class Items(dict):  # type: ignore[type-arg]
    def __init__(self) -> None:
        super().__init__()


class OneWay:
    def state(self) -> dict[str, Any]:
        return {}


class WrongType:
    def settings(self) -> list[int]:
        return [1]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: settings(Forgets(1.0)), "takes `rate` but has no attribute `rate` or `_rate`"),
        (lambda: fresh(Changes(1.0)), "does not keep its argument `rate` as it was given"),
        (lambda: settings(Stars(1.0)), "`Stars` takes `*args: 'float'`; name its arguments"),
        (lambda: state(Slots()), "`Slots` keeps state in the slot `count`"),
        (lambda: state(Items()), "`Items` keeps state in a base class that is not written in Python"),
        (lambda: state(OneWay()), "`OneWay` has `state()` but no `set_state(state)`"),
        (lambda: settings(WrongType()), "`WrongType.settings()` is a `list`, expected a dict"),
    ],
)
def test_a_class_that_cannot_be_read_is_told_what_to_do(act: Any, sentence: str) -> None:
    with pytest.raises(AfterwitError) as caught:
        act()
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("name", "given", "learned"),
    [
        ("test.nobody", {}, {}),
        (3, {}, {}),
        ("test.mean", [], {}),
        ("test.mean", {}, []),
        ("test.mean", {}, {"__class__": 1}),
        ("test.mean", {}, {"__dict__": {}}),
        ("test.mean", {}, {"a": {1}}),
        ("test.mean", {"$object": "test.value", "settings": {}, "state": {}}, {}),
        ("test.mean", {"start": {"$object": "test.nobody", "settings": {}, "state": {}}}, {}),
        ("test.mean", {"start": {"$object": "test.value"}}, {}),
        ("test.mean", {"start": {"$object": ["test.value"], "settings": {}, "state": {}}}, {}),
        ("test.mean", {"start": {"$dict": 3}}, {}),
        ("test.value", {}, {"__init__": 3}),
    ],
)
def test_build_refuses_what_it_does_not_know(name: Any, given: Any, learned: Any) -> None:
    with pytest.raises(AfterwitError):
        build(name, given, learned)


def test_setting_attributes_runs_nothing() -> None:
    @register("test.guarded")
    class Guarded:
        calls = 0

        def __setattr__(self, name: str, value: Any) -> None:
            Guarded.calls += 1

        @property
        def trap(self) -> int:
            return 0

        @trap.setter
        def trap(self, value: Any) -> None:
            Guarded.calls += 1

    obj = build("test.guarded", {}, {"trap": 1, "other": 2})
    assert Guarded.calls == 0
    assert vars(obj) == {"trap": 1, "other": 2}


def test_same_is_equal_in_type_and_value() -> None:
    nan = math.nan
    for a, b in (
        (nan, nan),
        (1.5, 1.5),
        ("a", "a"),
        (None, None),
        ([nan], [float("nan")]),
        ({"a": (nan,)}, {"a": (nan,)}),
    ):
        assert same(a, b)
    for a, b in (
        (nan, 1.0),
        (1.0, nan),
        (1.0, 2.0),
        (1, 1.0),
        (1, True),
        ("a", "b"),
        ([nan], [1.0]),
        ([1.0], [1.0, 1.0]),
    ):
        assert not same(a, b)


@pytest.mark.parametrize("made", [AdaGrad(), OneVsAll(AdaGrad(), ["a", "b"]), Mixture(Hedge(rate=0.1))], ids=repr)
def test_a_pickle_needs_no_import_in_a_new_process(made: Any) -> None:
    program = "import pickle, sys; print(repr(pickle.load(sys.stdin.buffer)))"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(made), capture_output=True, check=True)
    assert done.stdout.decode().strip() == repr(made)
