"""The default learner: the task that the labels tell, once, and what is the same whichever way they came."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit import registry
from afterwit.errors import AfterwitError
from afterwit.features import Features
from afterwit.learning import Comparison
from afterwit.linear import AdaGrad
from afterwit.panel import Auto, Panel
from afterwit.protocols import Labels
from afterwit.registry.plain import same
from tests.linear.formulas import Array
from tests.panel.specimens import rows

X, SIGNS, _ = rows(200)
NUMBERS = rows(200, "squared")[1]
WORDS = np.where(SIGNS > 0.0, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.arange(200) % 3]
#: Labels, and the kind and the names that they tell.
TOLD: dict[str, tuple[Any, Labels]] = {
    "-1 and 1": (SIGNS, Labels("binary")),
    "0 and 1": ((SIGNS > 0.0).astype(float), Labels("binary")),
    "booleans": (SIGNS > 0.0, Labels("binary")),
    "words": (WORDS, Labels("binary", ("no", "yes"))),
    "numbers": (NUMBERS, Labels("real")),
    "three words": (THREE, Labels("classes")),
}
every_kind = pytest.mark.parametrize("kind", TOLD)


def dicts(X: Array) -> list[dict[str, float]]:
    return [{str(j): float(v) for j, v in enumerate(x) if v != 0.0} for x in X]


@every_kind
def test_many_labels_tell_the_task(kind: str) -> None:
    y, labels = TOLD[kind]
    model = Auto()
    assert (model.labels, model.classes, model.task) == (Labels("auto"), [], None)
    raw = model.learn_many(X, y)
    assert (model.labels.kind, model.labels.classes) == (labels.kind, labels.classes)
    assert model.loss == ("squared" if labels.kind == "real" else "logistic")
    assert sorted(map(str, model.classes)) == sorted({*map(str, y)} if "words" in kind else [])
    definite = Auto({"binary": "binary", "real": "numbers", "classes": "classes"}[labels.kind])
    again = definite.learn_many(X, SIGNS if labels.kind == "binary" else y)
    np.testing.assert_array_equal(raw, again)


@every_kind
def test_a_stream_tells_the_task(kind: str) -> None:
    y, labels = TOLD[kind]
    if kind == "booleans":
        y = SIGNS
    learner, many = Auto(), Auto()
    report = aw.learn(learner, aw.read(X, y, batch_rows=50))
    many.learn_many(X, y)
    assert (learner.labels.kind, learner.labels.classes) == (labels.kind, labels.classes)
    assert same(registry.state(learner), registry.state(many))
    words = {"binary": "two classes, -1 and +1", "real": "numbers", "classes": "3 classes"}[labels.kind]
    assert report.labels == ("two classes, no and yes" if kind == "words" else words)
    assert kind != "words" or aw.learn(Auto(), [({"x": 1.0}, "yes")]).labels == "1 class"
    assert report.panel == learner.standing().to_dict()
    assert report.panel is not None
    if labels.kind != "classes":
        assert report.panel["panel"]["mean_loss"] == pytest.approx(
            report.log_loss if labels.kind == "binary" else report.mean_loss, rel=0.05
        )


@pytest.mark.parametrize("y", [True, np.True_, 1, 0, -1, 1.0, np.float32(1.0)], ids=repr)
def test_one_label_of_two(y: Any) -> None:
    model = Auto()
    model.learn_one({"a": 1.0}, y)
    assert model.labels == Labels("binary")
    assert (model.predict_one({"a": 1.0}) > 0.0) == (y > 0)


def test_one_word_is_a_class() -> None:
    model = Auto()
    for _ in range(3):
        model.learn_one({"a": 1.0}, "cat")
        model.learn_one({"b": 1.0}, "dog")
    assert model.labels.kind == "classes"
    assert model.classes == ["cat", "dog"]
    assert aw.label(model, {"b": 1.0}) == "dog"


@pytest.mark.parametrize("y", [2, 0.5, 3.0, None, float("nan")], ids=repr)
def test_one_label_that_may_be_anything_is_refused(y: Any) -> None:
    model = Auto()
    with pytest.raises(ValueError, match="say which with Auto"):
        model.learn_one({"a": 1.0}, y)
    assert model.model is None


def test_nothing_is_told_by_a_row_that_is_not_learned() -> None:
    model = Auto()
    with pytest.raises(ValueError, match="nan"):
        model.learn_one({"a": float("nan")}, "cat")
    with pytest.raises(ValueError, match="inf"):
        model.learn_many([{"a": 1.0}, {"a": float("inf")}], ["cat", "dog"])
    model.learn_one({"a": 1.0}, "cat", 0.0)
    model.learn_many([{"a": 1.0}], [0.5], [0.0])
    model.learn_many([], [])
    assert model.labels.kind == "auto"
    model.learn_one({"a": 1.0}, 1)
    assert model.labels.kind == "binary"


def test_before_any_label() -> None:
    model = Auto()
    assert model.predict_one({"a": 1.0}) == 0.0
    np.testing.assert_array_equal(model.predict_many(X), np.zeros(200))
    for call in (lambda: aw.label(model, {"a": 1.0}), lambda: aw.probability(model, {"a": 1.0})):
        with pytest.raises(ValueError, match="has not met any label yet"):
            call()
    with pytest.raises(ValueError, match="no label was met yet"):
        model.standing()
    with pytest.raises(ValueError, match="nothing is learned"):
        model.coef()


def test_the_task_is_decided_once() -> None:
    model = Auto()
    with pytest.raises(ValueError, match="labels are of kind `auto`, expected one of"):
        model.decide(Labels("auto"))
    model.decide(Labels("real"))
    with pytest.raises(ValueError, match="the task is decided: labels of kind `real`"):
        model.decide(Labels("real"))
    with pytest.raises(ValueError, match="the task is decided"):
        Auto("binary").decide(Labels("binary"))
    with pytest.raises(AfterwitError, match="cat"):
        model.learn_many([{"a": 1.0}], ["cat"])
    with pytest.raises(ValueError, match="task is `odds`, expected one of binary, classes, numbers, or none"):
        Auto("odds")
    with pytest.raises(TypeError, match="features is a `dict`, expected Features"):
        Auto(features={})  # type: ignore[arg-type]


def test_labels_of_two_words_row_by_row() -> None:
    model, many = Auto(), Auto()
    many.learn_many(X, WORDS)
    model.learn_many(X[:50], WORDS[:50])
    for x, word in zip(X[50:], WORDS[50:], strict=True):
        model.learn_one(x, word)
    assert same(registry.state(model), registry.state(many))
    before = registry.state(model)
    for wrong in ("maybe", 1, True, None):
        with pytest.raises(ValueError, match="expected one of \\['no', 'yes'\\]"):
            model.learn_one(X[0], wrong)
    with pytest.raises(AfterwitError, match="maybe"):
        model.learn_many(X[:2], ["yes", "maybe"])
    assert same(registry.state(model), before)
    raw = model.predict_one(X[0])
    assert aw.label(model, X[0]) == ("yes" if raw >= 0.0 else "no")
    assert aw.probability(model, X[0]) == pytest.approx(1.0 / (1.0 + np.exp(-raw)))


def test_numbers_have_no_label() -> None:
    model = Auto("numbers")
    model.learn_many(X, NUMBERS)
    with pytest.raises(ValueError, match="predicts a number"):
        aw.label(model, X[0])


@pytest.mark.parametrize("kind", ["undecided", *TOLD])
@pytest.mark.parametrize(
    "settings", [{}, {"drift": True}, {"nonlinear": False}, {"features": Features(names="exact")}], ids=repr
)
def test_a_copy_goes_on_to_the_bit(kind: str, settings: dict[str, Any], tmp_path: Path) -> None:
    model = Auto(**settings)
    y = TOLD.get(kind, (SIGNS,))[0]
    if kind != "undecided":
        model.learn_many(dicts(X[:120]), y[:120])
    aw.save(model, tmp_path / "model")
    loaded = aw.load(tmp_path / "model")
    other = Auto(**settings)
    other.learn_many(X, NUMBERS)
    other.set_state(registry.state(model))
    copies = [loaded, pickle.loads(pickle.dumps(model)), other]
    for copy in copies:
        assert (copy.labels, copy.classes, repr(copy)) == (model.labels, model.classes, repr(model))
    raw = model.learn_many(dicts(X[120:]), y[120:])
    single = [model.predict_one(x) for x in dicts(X[:3])]
    for copy in copies:
        np.testing.assert_array_equal(copy.learn_many(dicts(X[120:]), y[120:]), raw)
        np.testing.assert_array_equal([copy.predict_one(x) for x in dicts(X[:3])], single)
        if kind != "three words":
            copy.learn_one({"0": 1.0}, y[0])
    assert len({str(copy.standing()) for copy in copies}) == 1


def test_a_state_of_another_task_is_refused() -> None:
    model = Auto("numbers")
    model.learn_many(X, NUMBERS)
    with pytest.raises(ValueError, match="labels are of kind `real`, and the task is `binary`"):
        Auto("binary").set_state(registry.state(model))
    with pytest.raises(ValueError, match="labels are of kind `auto`, and the task is `binary`"):
        Auto("binary").set_state(registry.state(Auto()))
    fresh = registry.fresh(model)
    assert (fresh.task, fresh.labels.kind) == ("numbers", "real")
    fresh.set_state(registry.state(model))
    assert (fresh.task, repr(fresh)) == ("numbers", "Auto(task='numbers')")
    model = Auto()
    model.learn_many(X, NUMBERS)
    assert registry.fresh(model).labels.kind == "auto"


@pytest.mark.parametrize("kind", ["-1 and 1", "numbers", "three words"])
def test_settings_make_another_learner(kind: str) -> None:
    y = TOLD[kind][0]
    found = {
        repr(model): model.learn_many(X, y)
        for model in (Auto(), Auto(drift=True), Auto(nonlinear=False), Auto(drift=True, nonlinear=False))
    }
    assert list(found) == ["Auto()", "Auto(drift=True)", "Auto(nonlinear=False)", "Auto(drift=True, nonlinear=False)"]
    raws = list(found.values())
    assert all((raws[i] != raws[j]).any() for i in range(4) for j in range(i))


def test_nonlinear_and_linear() -> None:
    """What is not linear is learned by some members alone; the lower panel by itself is the panel of the default."""
    rng = np.random.default_rng(3)
    Z = rng.normal(size=(1500, 3)).astype(np.float32)
    y = np.sign(Z[:, 0] * Z[:, 1])
    full, linear = Auto("binary"), Auto("binary", nonlinear=False)
    wrong = [np.mean((model.learn_many(Z, y) > 0.0)[500:] != (y > 0.0)[500:]) for model in (full, linear)]
    assert wrong[0] < 0.12 < 0.4 < wrong[1]
    inner = next(each for each in full.standing().members if each.name == "linear")
    assert inner.mean_loss == linear.standing().panel.mean_loss
    assert [each.name for each in linear.standing().members] == [
        each.name.removeprefix("linear/") for each in full.standing().members if "/" in each.name
    ]


def test_drift_forgets() -> None:
    rng = np.random.default_rng(4)
    Z = rng.normal(size=(6000, 4)).astype(np.float32)
    turns = np.where(np.arange(6000) // 500 % 2, 1.0, -1.0)
    y = np.where(Z[:, 0] * turns > 0.0, 1.0, -1.0)
    wrong = {
        drift: np.mean((Auto("binary", drift=drift).learn_many(Z, y) > 0.0) != (y > 0.0)) for drift in (False, True)
    }
    assert wrong[True] < 1.1 * wrong[False]
    assert Auto("binary", drift=True).model.standing().bound.value is None  # type: ignore[union-attr]


def test_names_of_features() -> None:
    y = X @ [1.0, -2.0, 0.0, 0.5, 3.0] + 1.0
    hashed, exact = Auto("numbers"), Auto("numbers", features=Features(names="exact"))
    np.testing.assert_array_equal(hashed.learn_many(dicts(X), y), exact.learn_many(dicts(X), y))
    found = exact.coef()
    assert set(found) == {"0", "1", "2", "3", "4", "(intercept)"}
    assert [found[name] for name in "01234"] == pytest.approx([1.0, -2.0, 0.0, 0.5, 3.0], abs=0.3)
    assert hashed.coef(["1", "4"]) == pytest.approx({"1": found["1"], "4": found["4"]})
    several = Auto("classes")
    several.learn_many(X, THREE)
    with pytest.raises(ValueError, match="of several classes there is no best linear member"):
        several.coef()


def test_it_is_compared_with_definite_learners() -> None:
    for stream, other in ((aw.read(X, SIGNS), AdaGrad()), (aw.read(X, NUMBERS), AdaGrad(loss="squared"))):
        found = aw.compare({"default": Auto(), "line": other}, stream)
        alone = aw.learn(Auto(), stream)
        assert found["default"].mean_loss == alone.mean_loss
        assert found["default"].panel is not None
        assert found["line"].panel is None
        assert found["line"].labels is None
    assert Comparison({"a": Auto(), "b": Auto(drift=True)}, aw.read(X, WORDS)).labels.kind == "auto"


def test_the_first_rows_of_many_threads_decide_once() -> None:
    for _ in range(20):
        model, barrier, errors = Auto(nonlinear=False), threading.Barrier(4), list[BaseException]()

        def work(i: int, model: Auto = model, barrier: threading.Barrier = barrier, errors: Any = errors) -> None:
            barrier.wait()
            try:
                model.learn_one({f"{i}": 1.0}, 1)
                model.learn_many([{f"{i} many": 1.0}] * 2, [1, -1])
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert isinstance(model.model, Panel)
        assert model.standing().panel.rows == 12.0


@pytest.mark.parametrize("settings", [{"drift": "false"}, {"nonlinear": "no"}, {"drift": 5}, {"nonlinear": None}])
def test_a_setting_that_is_neither_true_nor_false_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="expected True or False"):
        Auto(**settings)


@pytest.mark.parametrize("many", [False, True])
def test_a_row_that_calls_an_undecided_learner_changes_nothing(many: bool) -> None:
    model = Auto()

    class Calls(Mapping[str, float]):
        def __getitem__(self, name: str) -> float:
            return 1.0

        def __len__(self) -> int:
            return 1

        def __iter__(self) -> Iterator[str]:
            model.learn_one({"a": 2.0}, True)
            return iter("a")

    with pytest.raises(RuntimeError, match="from within another call on it"):
        model.learn_many([Calls()], [True]) if many else model.learn_one(Calls(), True)
    assert model.model is None


def test_what_a_subclass_says_and_what_a_user_keeps_stay() -> None:
    class Mine(Auto):
        def predict_one(self, x: Any) -> Any:
            return 42.0

    model = Mine()
    model.note = "mine"  # type: ignore[attr-defined]
    model.learn_one({"a": 1.0}, True)
    assert model.predict_one({"a": 1.0}) == 42.0
    assert model.note == "mine"  # type: ignore[attr-defined]
    assert model.standing().panel.rows == 1.0
