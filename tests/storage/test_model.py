"""Models of the user's own classes, saved and loaded."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit.errors import AfterwitError, ModelFileError
from afterwit.registry import classes, fresh, register
from afterwit.storage import load, save, write_container


@register("test.perceptron")
class Perceptron:
    """Offers nothing but learning."""

    def __init__(self, rate: float = 1.0) -> None:
        self.rate = rate
        self.weights: dict[str, float] = {}
        self.mistakes = 0

    def predict_one(self, x: dict[str, float]) -> float:
        return sum(self.weights.get(name, 0.0) * value for name, value in x.items())

    def learn_one(self, x: dict[str, float], y: float, weight: float = 1.0) -> None:
        if y * self.predict_one(x) <= 0:
            self.mistakes += 1
            for name, value in x.items():
                self.weights[name] = self.weights.get(name, 0.0) + self.rate * weight * y * value


@register("test.descent")
class Descent:
    """Offers settings and state."""

    def __init__(self, size: int, rate: float = 0.1) -> None:
        if size < 1:
            raise ValueError(f"size is {size}, expected at least 1")
        self._size, self._rate = size, rate
        self._w = np.zeros(size, np.float32)
        self._cache = {size}

    def predict_one(self, x: Any) -> float:
        return float(self._w @ x)

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        self._w += np.float32(self._rate * weight * (y - self.predict_one(x))) * x

    def settings(self) -> dict[str, Any]:
        return {"size": self._size, "rate": self._rate}

    def state(self) -> dict[str, Any]:
        return {"w": self._w}

    def set_state(self, state: dict[str, Any]) -> None:
        if state["w"].shape != (self._size,):
            raise ValueError(f"w has shape {state['w'].shape}, expected {(self._size,)}")
        self._w = state["w"]


@register("test.pair")
class Pair:
    """Learns with a copy of a prototype."""

    def __init__(self, prototype: Any) -> None:
        self.prototype = prototype
        self.member = fresh(prototype)


def rows(count: int) -> list[tuple[Any, float]]:
    random = np.random.default_rng(3)
    return [(random.normal(size=4).astype(np.float32), float(random.integers(2) * 2 - 1)) for _ in range(count)]


def named(x: Any) -> dict[str, float]:
    return {f"f{i}\udc80": float(v) for i, v in enumerate(x)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.afterwit"


@pytest.mark.parametrize(("model", "row"), [(Perceptron(0.5), named), (Descent(4, rate=0.05), lambda x: x)])
def test_a_loaded_model_goes_on_with_the_same_bits(model: Any, row: Any, path: Path) -> None:
    data = rows(60)
    for x, y in data[:30]:
        model.learn_one(row(x), y)
    save(model, path)
    other = load(path)
    assert type(other) is type(model)
    for x, y in data[30:]:
        assert other.predict_one(row(x)) == model.predict_one(row(x))
        model.learn_one(row(x), y)
        other.learn_one(row(x), y)
    assert hashed(other, path) == hashed(model, path)


def hashed(model: Any, path: Path) -> str:
    save(model, path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_model_inside_a_model(path: Path) -> None:
    pair = Pair(Descent(4))
    for x, y in rows(9):
        pair.member.learn_one(x, y)
    save(pair, path)
    other = load(path)
    assert other.prototype.settings() == pair.prototype.settings()
    np.testing.assert_array_equal(other.member._w, pair.member._w)
    assert not other.prototype._w.any()


def test_another_process_writes_the_same_bytes_and_needs_the_class(path: Path) -> None:
    save(Perceptron(0.5), path)
    code = """
import sys
from afterwit.errors import ModelFileError
from afterwit.registry import register
from afterwit.storage import load, save
try:
    load(sys.argv[1])
except ModelFileError as error:
    print(error)
@register("test.perceptron")
class Perceptron:
    def __init__(self, rate):
        self.rate = rate
save(load(sys.argv[1]), sys.argv[1] + ".again")
"""
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    expected = "no class is registered as `test.perceptron`; import the module that registers it"
    assert done.stdout == f"cannot load `{path}`: {expected}\n"
    assert Path(f"{path}.again").read_bytes() == path.read_bytes()


def test_who_can_load_knows_every_shipped_class() -> None:
    code = "from afterwit.storage import load; from afterwit.registry import classes; print(*classes())"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(shown.split()) == {name for name, cls in classes().items() if cls.__module__.startswith("afterwit.")}


def test_an_unregistered_class_is_not_saved(path: Path) -> None:
    class Mine(Perceptron):
        pass

    with pytest.raises(AfterwitError, match=r"`Mine` is not registered; put `@afterwit.register"):
        save(Mine(), path)
    assert not path.exists()


def test_a_class_that_could_not_be_built_again_is_not_saved(path: Path) -> None:
    @register("test.doubling")
    class Doubling:
        def __init__(self, rate: float) -> None:
            self.rate = rate * 2

    with pytest.raises(AfterwitError, match="`Doubling` does not keep its argument `rate`"):
        save(Doubling(1.0), path)
    assert not path.exists()


def test_what_cannot_be_saved_leaves_the_old_file(path: Path) -> None:
    save(Perceptron(), path)
    old = path.read_bytes()
    model = Perceptron()
    model.weights = {1: 2.0}  # type: ignore[dict-item]
    with pytest.raises(AfterwitError) as caught:
        save(model, path)
    assert 'state["weights"] has the key 1' in str(caught.value)
    assert path.read_bytes() == old


W = np.zeros(4, np.float32)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"class": "test.descent", "settings": {"size": 4}, "state": {}}, "KeyError: 'w'"),
        ({"class": "test.descent", "settings": {"size": 3}, "state": {"w": W}}, "ValueError: w has shape"),
        ({"class": "test.descent", "settings": {"size": 4}, "state": {"w": 1}}, "AttributeError"),
        ({"class": "test.descent", "settings": {"size": 0}, "state": {"w": W}}, "size is 0"),
        ({"class": "test.descent", "settings": {"size": 4, "bits": 3}, "state": {"w": W}}, "TypeError"),
        ({"class": "test.descent", "settings": {"size": 2**62}, "state": {"w": W}}, "refuses"),
        ({"class": "test.descent", "settings": None, "state": {}}, "settings is a `NoneType`, expected a dict"),
        ({"class": "test.descent", "settings": {"size": 4}, "state": None}, "has no class, settings and state"),
        ({"class": "test.perceptron", "settings": {}, "state": {"__class__": 1}}, "`__class__`"),
        ({"class": "os.system", "settings": {"command": "true"}, "state": {}}, "no class is registered as `os.system`"),
        ({"class": 3, "settings": {}, "state": {}}, "the name of a class is a `int`"),
        ({"class": "test.descent", "settings": {}}, "has no class, settings and state"),
        ([1], "has no class, settings and state"),
        (
            {
                "class": "test.pair",
                "settings": {"prototype": {"$object": "nobody", "settings": {}, "state": {}}},
                "state": {},
            },
            "no class is registered as `nobody`",
        ),
    ],
)
def test_a_state_that_the_class_refuses(content: Any, reason: str, path: Path) -> None:
    write_container(path, "model", content)
    with pytest.raises(ModelFileError) as caught:
        load(path)
    assert f"`{path}`" in str(caught.value)
    assert reason in str(caught.value)
