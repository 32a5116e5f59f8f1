"""The forms of the dense learners for several classes: each is its formula, and more classes may come."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from afterwit._core import ClassLearner, neighbours_rule, network_rule, online_newton_rule, rolling_trees_rule
from tests.dense import class_formulas
from tests.linear.formulas import Array
from tests.versions import check_the_same, printed_by_versions

ROUNDS, SIZE, CLASSES = 2000, 12, 5


@dataclass(frozen=True)
class Form:
    """A rule by its settings, its formula, and the settings in which it is tried."""

    rule: Callable[..., Any]
    formula: Callable[..., list[Array]]
    settings: tuple[dict[str, Any], ...]
    #: How far probabilities may be from the formula's.
    accuracy: float = 1e-6
    #: Parts of a state with values that cannot be.
    forged: tuple[tuple[str, float], ...] = ()

    def make(self, classes: int = 0, **settings: Any) -> ClassLearner:
        """A fresh learner in these settings, else the first."""
        return ClassLearner(self.rule(**{**self.settings[0], **settings}), classes)


def newton_rule(penalty: float = 1.0, walk: float = 0.0, fading: bool = False) -> Any:
    return online_newton_rule(penalty, walk, fading, False, 1024)


def small_network_rule(hidden: int = 32, rate: float = 0.01, seed: int = 0) -> Any:
    return network_rule(hidden, rate, seed, False, 320)


def nearest_rule(neighbours: int = 7, window: int = 1000) -> Any:
    return neighbours_rule(neighbours, window, False, 320)


def trees_rule(trees: int = 100, window: int = 4096, rate: float = 0.1, seed: int = 0) -> Any:
    return rolling_trees_rule(trees, window, rate, seed, False, 320)


FORMS = {
    "newton": Form(
        newton_rule,
        class_formulas.newton,
        ({}, {"penalty": 3.0, "walk": 0.003}, {"penalty": 0.2, "fading": True}),
        forged=(("t", -1.0), ("t", 0.5), ("w", math.nan), ("w", math.inf), ("P", -1.0), ("P", 1e300), ("P", math.nan)),
    ),
    # The weights are floats, the formula's doubles; rounding grows along the stream.
    "network": Form(
        small_network_rule,
        class_formulas.network,
        ({}, {"hidden": 20, "seed": 2**63}, {"rate": 0.001}),
        accuracy=1e-3,
        forged=(
            ("born", 99.0),
            ("born", -1.0),
            ("mean_power", 1.5),
            ("square_power", math.nan),
            ("constants", 1e9),
            ("constants_square", -1.0),
            ("outputs", math.nan),
            ("outputs_mean", math.inf),
            ("hidden", math.nan),
            ("hidden_square", -1.0),
        ),
    ),
    "neighbours": Form(
        nearest_rule,
        class_formulas.neighbours,
        ({}, {"neighbours": 1, "window": 64}, {"neighbours": 40, "window": 500}),
        forged=(
            ("kept_rows", 1e15),
            ("kept_rows", math.nan),
            ("next_slot", -1.0),
            ("x", math.inf),
            ("labels", 3.0),
            ("labels", 0.5),
            ("labels", -1.0),
            ("importances", 0.0),
        ),
    ),
    "trees": Form(
        trees_rule,
        class_formulas.trees,
        (
            {},
            {"trees": 20, "window": 300, "seed": 5},
            {"trees": 7, "window": 50, "rate": 1.0},
            {"trees": 70, "window": 150},
        ),
        forged=(
            ("kept_trees", 1e9),
            ("kept_trees", 0.0),
            ("gains", -1.0),
            ("rows_learned", 1e15),
            ("rows_learned", -1.0),
            ("builds", 1e9),
            ("next_build", 1e9),
            ("next_build", 0.0),
            ("next_bins", math.inf),
            ("intercepts", math.nan),
            ("intercepts", 1e50),
            ("features", 99.0),
            ("features", 0.5),
            ("thresholds", math.nan),
            ("leaves", math.inf),
            ("edge_counts", 32.0),
            ("edges", 1e9),
            ("x", math.nan),
            ("labels", 3.0),
            ("labels", 0.5),
            ("margins", 1e50),
            ("importances", 0.0),
        ),
    ),
}
every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def rows(rounds: int = ROUNDS, classes: int = CLASSES, seed: int = 0) -> tuple[Array, Array, Array]:
    """Columns of different scales, sparse or late, and classes that depend on them, of which the last come late."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, SIZE)) * 4.0 ** rng.integers(-4, 5, SIZE) + rng.integers(0, 2, SIZE)
    X *= rng.random((rounds, SIZE)) < rng.choice([0.2, 1.0], SIZE)
    X[: rounds // 4, SIZE - 2 :] = 0.0
    X = X.astype(np.float32).astype(np.float64)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)  # or a column far from 0 would decide alone
    score = Z @ rng.normal(size=(SIZE, classes)) + 3.0 * rng.normal(size=classes) * (Z[:, :1] * Z[:, 1:2] > 0.0)
    there = np.arange(rounds)[:, None] >= rounds // 8 * np.maximum(0, np.arange(classes) - 1)
    y = np.argmax(np.where(there, score + rng.gumbel(size=score.shape), -np.inf), axis=1)
    assert np.bincount(y, minlength=classes).min() > rounds // 100  # with one class alone nothing would be tested
    return X, y, rng.choice([0.0, 0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 4.0], size=rounds)


def learned(learner: ClassLearner, X: Array, y: Array, h: Array | None = None) -> list[Array]:
    """The predictions before each row."""
    out = []
    for x, label, weight in zip(X, y, np.ones(len(X)) if h is None else h, strict=True):
        out.append(learner.predict(x))
        learner.learn(x, int(label), weight)
    return out


def same(a: ClassLearner, b: ClassLearner) -> bool:
    first, second = a.state(), b.state()
    return first.keys() == second.keys() and all(np.array_equal(first[key], second[key]) for key in first)


def copy(form: Form, learner: ClassLearner, **settings: Any) -> ClassLearner:
    """By way of its state."""
    out = form.make(**settings)
    out.set_state(learner.state())
    return out


def check_probabilities(all_p: list[Array]) -> None:
    for p in all_p:
        if p.size:
            assert np.isfinite(p).all()
            assert p.min() > 0.0
            assert p.sum() == pytest.approx(1.0, rel=1e-12)


@every_form
def test_it_is_its_formula(form: Form) -> None:
    X, y, h = rows()
    for settings in form.settings:
        expected = form.formula(X, y, h, **settings)
        for r, (p, q) in enumerate(zip(learned(form.make(**settings), X, y, h), expected, strict=True)):
            assert p.shape == q.shape
            assert np.abs(p - q).max(initial=0.0) <= form.accuracy, f"row {r} with {settings}"


@every_form
def test_it_is_its_formula_as_more_and_more_classes_come(form: Form) -> None:
    """Thirty: rows of one number per class move several times to where there is room for more."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(900, 4)).astype(np.float32).astype(np.float64)
    there = 2 + np.minimum(28, np.arange(900) // 20)
    y = np.floor(ndtr(X[:, 0]) * there).astype(int)
    assert len(np.unique(y)) == 30
    for settings in form.settings:
        for p, q in zip(
            learned(form.make(**settings), X, y), form.formula(X, y, np.ones(900), **settings), strict=True
        ):
            assert p.shape == q.shape
            assert np.abs(p - q).max(initial=0.0) <= form.accuracy


@every_form
def test_it_learns(form: Form) -> None:
    """What is left of an error of 2/3."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 4))
    y = np.digitize(X[:, 0] + 0.1 * rng.normal(size=3000), [-0.4, 0.4])
    wrong = [np.argmax(p) != label for p, label in zip(learned(form.make(3), X, y), y, strict=True)]
    assert np.mean(wrong[1500:]) < 0.25


@every_form
def test_a_look_changes_nothing(form: Form) -> None:
    """Rows that are only looked at, with columns that never come again; and rows of no importance."""
    X, y, h = rows(400)
    alone, beside = form.make(), form.make()
    for x, label, weight in zip(X, y, h, strict=True):
        beside.predict(np.append(1e30 * (x + 1.0), [5.0, -1.0]))
        beside.learn(np.append(x, [5.0, 0.0, 7.0]), int(label) + 9, 0.0)
        np.testing.assert_array_equal(beside.predict(x), alone.predict(x))
        alone.learn(x, int(label), weight)
        beside.learn(x, int(label), weight)
    assert same(alone, beside)


@every_form
def test_columns_that_are_new_move_no_prediction(form: Form) -> None:
    X, y, _ = rows(300)
    learner = form.make()
    for x, label in zip(X, y, strict=True):
        np.testing.assert_array_equal(learner.predict(np.append(x, [1e9, -3.0])), learner.predict(x))
        learner.learn(x, int(label))


@every_form
def test_saved_in_the_middle(form: Form) -> None:
    X, y, h = rows(900)
    for settings in form.settings:
        straight, first = form.make(**settings), form.make(**settings)
        for r, (x, label, weight) in enumerate(zip(X, y, h, strict=True)):
            if r in (0, 1, 2, 15, 16, 17, 111, 112, 113, 450, 888):
                first = copy(form, first, **settings)
            np.testing.assert_array_equal(straight.predict(x), first.predict(x))
            straight.learn(x, int(label), weight)
            first.learn(x, int(label), weight)
        assert same(straight, first)


@every_form
def test_one_class_only(form: Form) -> None:
    X, _, h = rows(200)
    learner = form.make()
    assert learner.predict(X[0]).size == 0
    all_p = learned(learner, X, np.zeros(200), h)
    assert all(p == [1.0] for p in all_p if p.size)
    learner.learn(X[0], 1)  # and then there is another
    check_probabilities(learned(learner, X, np.arange(200) % 2))
    assert same(learner, copy(form, learner))


@every_form
def test_a_class_that_is_known_before_is_as_likely_as_the_others(form: Form) -> None:
    p = form.make(7).predict(np.ones(3))
    assert p == pytest.approx(np.full(7, 1.0 / 7.0), rel=1e-12)


@every_form
def test_a_class_that_comes_once(form: Form) -> None:
    """It becomes less and less likely."""
    X, y, _ = rows(1200, classes=2)
    y[100] = 2
    all_p = learned(form.make(), X, y)
    check_probabilities(all_p)
    assert np.mean([p[2] for p in all_p[900:]]) < min(0.1, np.mean([p[2] for p in all_p[101:301]]))


@every_form
def test_a_class_that_comes_late_is_learned(form: Form) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(3000, 3))
    y = np.digitize(X[:, 0], [0.0]) + (np.arange(3000) > 1000) * (X[:, 1] > 0.5) * (2 - np.digitize(X[:, 0], [0.0]))
    all_p = learned(form.make(), X, y)
    check_probabilities(all_p)
    assert np.mean([np.argmax(p) != label for p, label in zip(all_p[2000:], y[2000:], strict=True)]) < 0.2


@every_form
def test_the_label_does_not_move_its_own_prediction(form: Form) -> None:
    X, y, _ = rows(200)
    a, b = form.make(), form.make()
    learned(a, X[:-1], y[:-1])
    learned(b, X[:-1], y[:-1])
    np.testing.assert_array_equal(a.predict(X[-1]), b.predict(X[-1]))
    for _ in range(20):  # trees are not built at every row
        a.learn(X[-1], 0)
        b.learn(X[-1], 1)
    assert a.predict(X[-1])[0] > b.predict(X[-1])[0]


@every_form
def test_importance(form: Form) -> None:
    """A class that counts for more is believed more."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(600, 3)), rng.integers(0, 3, 600)
    plain, heavy = (learned(form.make(), X, y, h) for h in (None, np.where(y == 2, 2.0, 1.0)))
    assert np.mean([p[2] for p in heavy[300:]]) > np.mean([p[2] for p in plain[300:]]) + 0.03


@every_form
@pytest.mark.parametrize("classes", [3, 30])
def test_extremes_stay_finite(form: Form, classes: int) -> None:
    rng = np.random.default_rng(4)
    X = rng.choice([0.0, 1.0, -1.0, 3e38, -3e38, 1e30, 1e-30, 1e-38], (700, 6))
    y, h = rng.integers(0, classes, 700), rng.choice([1e-30, 1.0, 1e30], 700)
    learner = form.make()
    check_probabilities(learned(learner, X, y, h))
    assert all(np.isfinite(part).all() for part in learner.state().values())
    assert same(learner, copy(form, learner))


@every_form
def test_many_classes(form: Form) -> None:
    """A thousand that come one after another, or as many as it takes."""
    rng = np.random.default_rng(5)
    learner = form.make()
    for y in range(1000):
        x = rng.normal(size=3)
        try:
            learner.learn(x, y)
        except ValueError:
            assert y == 256
            break
        p = learner.predict(x)
        assert p.size == y + 1
    check_probabilities([p])
    assert same(learner, copy(form, learner))


@every_form
def test_classes_beyond_the_limit_are_refused(form: Form) -> None:
    learner = form.make()
    with pytest.raises(ValueError, match="more classes"):
        learner.learn(np.ones(2), 10**9)
    with pytest.raises(ValueError, match="more classes"):
        form.make(10**9)


def forge(state: dict[str, Any], part: str, value: float) -> None:
    if isinstance(state[part], float):
        state[part] = value
    else:
        state[part] = state[part].copy()
        state[part][0] = value


@pytest.mark.parametrize(
    ("name", "part", "value"),
    [
        (name, *each)
        for name, form in FORMS.items()
        for each in (*form.forged, ("classes", 1e9), ("classes", -1.0), ("classes", math.nan), ("columns", 9.0))
    ],
)
def test_forged_states_are_refused(name: str, part: str, value: float) -> None:
    form = FORMS[name]
    X, y, h = rows(300, classes=3)
    learner = form.make()
    learned(learner, X, y, h)
    state = learner.state()
    learner.set_state(state)
    forge(state, part, value)
    with pytest.raises(ValueError, match="state"):
        learner.set_state(state)


@every_form
def test_states_of_the_wrong_size_are_refused(form: Form) -> None:
    X, y, h = rows(300, classes=3)
    learner = form.make()
    learned(learner, X, y, h)
    whole = learner.state()
    for part, value in whole.items():
        if not isinstance(value, float):
            for other in (value[:-1], np.append(value, value[:1]), value[:0]):
                if other.size != value.size:
                    with pytest.raises(ValueError, match="has not one number per"):
                        learner.set_state({**whole, part: other})
        with pytest.raises(ValueError, match="is missing"):
            learner.set_state({key: each for key, each in whole.items() if key != part})
    assert same(learner, copy(form, learner))


def test_numbers_have_no_classes() -> None:
    with pytest.raises(ValueError, match="no form for several classes"):
        ClassLearner(online_newton_rule(1.0, 0.0, False, True, 1024))


def test_rows_and_weights_that_cannot_be_are_refused() -> None:
    learner = FORMS["newton"].make()
    for x, h in (([math.nan], 1.0), ([math.inf], 1.0), ([1.0], -1.0), ([1.0], math.nan), ([1.0], 1e39)):
        with pytest.raises(ValueError, match=r"the row has|the weight is"):
            learner.learn(np.array(x), 0, h)


def test_the_first_steps_of_newton_by_hand() -> None:
    """Without columns z = 1: of two classes s = 1/4 and den = 5/4; of four s = 3/8, den = 11/8."""
    for classes, den in ((2, 1.25), (4, 1.375)):
        learner = FORMS["newton"].make(classes)
        learner.learn(np.zeros(0), 1)
        w = np.full(classes, -1.0 / classes) / den
        w[1] += 1.0 / den
        assert learner.predict(np.zeros(0)) == pytest.approx(np.exp(w) / np.exp(w).sum(), rel=1e-12)


def test_the_first_step_of_the_network_by_hand() -> None:
    """Outputs of 0 teach the hidden unit nothing; Adam's first step is `rate` against the sign of each slope."""
    w = 0.5 * (sum(class_formulas.uniform(7, 1024 * 12 + i) for i in range(12)) - 6.0)
    learner = FORMS["network"].make(3, hidden=1, seed=7)
    assert learner.predict(np.zeros(0)) == pytest.approx(np.full(3, 1.0 / 3.0), rel=1e-12)
    learner.learn(np.zeros(0), 1)
    m = 0.01 * (1.0 + abs(max(w, 0.01 * w))) * np.array([-1.0, 1.0, -1.0])
    assert learner.predict(np.zeros(0)) == pytest.approx(np.exp(m) / np.exp(m).sum(), rel=1e-6)


def test_neighbours_by_hand() -> None:
    """With one column the distances are as the squared gaps, whatever its deviation: from 3 they are 0, 4, 4 and 36."""
    learner = FORMS["neighbours"].make()
    for x, y, h in ((9.0, 1, 1.0), (3.0, 1, 2.0), (5.0, 2, 4.0), (1.0, 1, 1.0)):
        learner.learn(np.array([x]), y, h)
    near, last = math.exp(-2.0 * 4.0 / 36.0), math.exp(-2.0)
    votes = np.array([0.0, 2.0 + near + last, 4.0 * near])
    assert learner.predict(np.array([3.0])) == pytest.approx((votes + 0.1 / 3.0) / (votes.sum() + 0.1), rel=1e-6)


def test_the_first_tree_by_hand() -> None:
    """Sixteen rows, class 1 where x > 2: G = 0 and b = 0; the leaves have G = -+4, H = 2, and the penalty is 20/4."""
    learner = FORMS["trees"].make(2)
    for k in range(16):
        assert learner.predict(np.array([1.0 + k % 4])) == pytest.approx([0.5, 0.5], rel=1e-15)
        learner.learn(np.array([1.0 + k % 4]), int(k % 4 >= 2))
    share = 1.0 / (1.0 + math.exp(-2.0 * 0.1 * 4.0 / 7.0))
    for x, p in ((-9.0, share), (2.0, share), (2.1, 1.0 - share), (99.0, 1.0 - share)):
        assert learner.predict(np.array([x])) == pytest.approx([p, 1.0 - p], rel=1e-7)


def test_more_than_32_columns_are_drawn() -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(300, 45)).astype(np.float32).astype(np.float64)
    y, h = np.argmax(X[:, [3, 40, 44]], axis=1), np.ones(300)
    for p, q in zip(learned(FORMS["trees"].make(seed=7), X, y), class_formulas.trees(X, y, h, seed=7), strict=True):
        np.testing.assert_allclose(p, q, atol=1e-9)


def test_trees_take_classes_as_memory_allows() -> None:
    """256 of them, or fewer where window and trees are large."""
    for settings, most in (({}, 256), ({"window": 32768, "trees": 4096}, 42)):
        FORMS["trees"].make(most, **settings)
        with pytest.raises(ValueError, match="more classes"):
            FORMS["trees"].make(most + 1, **settings)


def test_trees_learn_what_no_weight_can_say() -> None:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(6000, 5))
    y = 2 * (X[:, 0] > 0.0) + (X[:, 1] > 0.0)
    y = np.array([0, 1, 2, 0])[y]
    all_p = learned(FORMS["trees"].make(), X, y)
    assert np.mean([np.argmax(p) != label for p, label in zip(all_p[3000:], y[3000:], strict=True)]) < 0.05


@pytest.mark.slow
def test_every_kind_of_cpu_has_the_same_bits(tmp_path: Path) -> None:
    check_the_same(printed_by_versions(Path(__file__).parent / "class_versions.cpp", tmp_path), 100)
