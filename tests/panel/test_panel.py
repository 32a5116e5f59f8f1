"""Panels: who sits on them, what is said of wrong ones, and that all of it is a learner like any other."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import afterwit as aw
from afterwit import _core, experts, registry
from afterwit.dense import Neighbours, Network, OnlineNewton, RollingTrees
from afterwit.experts.player import Player
from afterwit.features import Features
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll, Perceptron
from afterwit.panel import Auto, Mixing, Panel, Sharing, Stacking
from afterwit.protocols import Learner
from afterwit.registry.plain import same
from tests.linear.formulas import Array
from tests.memory import ON_LINUX, PEAK
from tests.panel.specimens import Guest, models, rows, small

both = pytest.mark.parametrize("loss", ["logistic", "squared"])
LINE_OF_NUMBERS = AdaGrad(normalized=True, loss="squared")
LINE, TREES = AdaGrad(normalized=True), RollingTrees(trees=5, window=16)


def players() -> list[Player]:
    """Of the players of the room those that the core has."""
    hedge = experts.Hedge()
    given = {"Randomized": (hedge,), "FollowTheLeadingHistory": (hedge,), "Delayed": (hedge, 1)}
    classes = {name: getattr(experts, name) for name in experts.__all__ if name != "Player"}
    made = [
        cls(*given.get(name, ())) for name, cls in classes.items() if isinstance(cls, type) and issubclass(cls, Player)
    ]
    return [player for player in made if player._rule is not None]


def dicts(X: Array) -> list[dict[str, float]]:
    return [{str(j): float(v) for j, v in enumerate(x) if v != 0.0} for x in X]


def test_names_are_those_given_or_those_of_the_classes() -> None:
    assert Panel([LINE, TREES]).names() == ["AdaGrad", "RollingTrees"]
    assert Panel([TREES, LINE, RollingTrees()]).names() == ["AdaGrad", "RollingTrees 1", "RollingTrees 2"]
    assert Panel({"b": TREES, "a": LINE, "c": Guest()}).names() == ["a", "b", "c"]


def test_names_of_open_panels_come_before_them() -> None:
    inner = Panel({"x": LINE, "y": TREES})
    middle = Panel({"deep": inner, "z": LINE}, open=["deep"])
    assert Panel({"m": middle, "w": LINE}).names() == ["w", "m"]
    names = ["w", "m/z", "m/deep/x", "m/deep/y", "m/deep", "m"]
    outer = Panel({"m": middle, "w": LINE}, open=["m"])
    assert outer.names() == names
    X, y, _ = rows(100)
    outer.learn_many(X, y)
    standing = outer.standing()
    assert [each.name for each in standing.members] == names
    assert all(each.rows == 100.0 for each in standing.members)
    view = _core.panel_view(outer)
    np.testing.assert_array_equal(view["scores"][1:5], view["inner"][0]["scores"][:4])
    np.testing.assert_array_equal(view["scores"][2:4], view["inner"][0]["inner"][0]["scores"][:2])


def test_a_member_upon_another_adds_to_its_prediction() -> None:
    """Trees that never grow: what they learn upon is all they say."""
    X, y, _ = rows(7)
    members = {"line": LINE, "other": LINE, "inner": Panel([AdaGrad()]), "trees": TREES}
    panel = Panel(members, offsets={"trees": "inner"})
    for x, label in zip(X, y, strict=True):
        panel.predict_one(x)
        *_, inner, trees = _core.panel_view(panel)["said"]
        assert trees == inner
        panel.learn_one(x, label)
    assert inner != 0.0


WRONG: list[tuple[Any, dict[str, Any], str]] = [
    ([], {}, "members is empty"),
    ({"a/b": LINE}, {}, "expected a word without `/`"),
    ({"": LINE}, {}, "expected a word without `/`"),
    ({"a": 3}, {}, "member `a` is a `int`, expected a learner"),
    ({"a": AdaGrad(loss="squared")}, {}, "member `a` learns labels of kind `real`, not `binary`"),
    ({"a": OneVsAll(AdaGrad())}, {}, "member `a` learns labels of kind `classes`, not `binary`"),
    ({"a": Auto()}, {}, "member `a` learns labels of kind `auto`, not `binary`"),
    ({"a": AdaGrad(features=Features(bits=6))}, {}, "member `a` has features of its own; give them to the panel"),
    ([LINE], {"loss": "hinge"}, "loss is `hinge`, expected logistic or squared"),
    ([LINE], {"open": ["AdaGrad"]}, "open has `AdaGrad`, which is no panel"),
    ([LINE], {"open": ["x"]}, "open has `x`, which is no panel"),
    ({"a": TREES, "b": TREES}, {"offsets": {"a": "b"}}, "offsets has `a` upon `b`, expected two members"),
    ({"a": TREES, "b": TREES}, {"offsets": {"b": "c"}}, "offsets has `b` upon `c`, expected two members"),
    ({"a": TREES}, {"offsets": {"a": "a"}}, "offsets has `a` upon `a`, expected two members"),
    ({"a": LINE, "b": TREES}, {"offsets": {"b": "a"}}, "a linear member learns upon none"),
    ({"b": TREES, "a": LINE}, {"offsets": {"a": "b"}}, "a linear member learns upon none"),
    ([LINE], {"combiners": [LINE]}, "a combiner is a `AdaGrad`, expected Mixing, Sharing or Stacking"),
    ([LINE], {"combiners": []}, "combiners is empty"),
    ([LINE], {"player": LINE}, "expected a player of afterwit.experts that is no wrapper"),
    ([LINE], {"player": experts.Randomized(experts.Hedge())}, "player of afterwit.experts that is no wrapper"),
    ([LINE], {"player": experts.Hedge(experts=3)}, "a panel tells its player who the experts are"),
    ([LINE], {"player": experts.AdaNormalHedge(experts=["a"], prior={"a": 1.0})}, "a panel tells its player"),
    ([LINE], {"player": experts.Hedge(loss_range=(0.0, 2.0))}, "a panel tells its player"),
]


@pytest.mark.parametrize(("members", "settings", "message"), WRONG, ids=[each[2] for each in WRONG])
def test_what_is_said_of_a_wrong_panel(members: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as error:
        Panel(members, **settings)
    assert message in str(error.value)


@pytest.mark.parametrize("settings", [{"penalty": 0.0}, {"penalty": math.nan}, {"walk": -1.0}, {"walk": math.inf}])
def test_what_is_said_of_a_wrong_stacker(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        Stacking(**settings)


@both
@pytest.mark.parametrize("player", players(), ids=lambda player: type(player).__name__)
def test_every_player_may_mix(player: Player, loss: str) -> None:
    """Members, of whom one falls asleep in the middle, and combiners."""
    X, y, h = rows(300, loss)
    X = np.hstack([X, np.zeros((300, 70))])
    X[200, 5:] = 1.0
    members: dict[str, Learner] = {
        "line": AdaGrad(normalized=True, loss=loss),
        "newton": OnlineNewton(loss=loss, width=64),
    }
    model = Panel(members, [Mixing(player), Sharing()], player, loss=loss)
    raw = model.learn_many(X, y, h)
    assert np.isfinite(raw).all()
    standing = model.standing()
    assert [each.asleep for each in standing.members] == [None, "too many features"]
    assert standing.panel.square is not None
    assert standing.usual.square is not None
    assert standing.panel.square < 1.05 * standing.usual.square
    assert sum(standing.combiners.values()) == pytest.approx(1.0)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.learn_many(X, y, h), again.learn_many(X, y, h))


@both
@pytest.mark.parametrize("combiner", [Mixing(), Sharing(), Stacking(), Stacking(walk=1e-3, deep=True)], ids=repr)
def test_one_combiner_is_the_panel(combiner: Any, loss: str) -> None:
    X, y, _ = rows(200, loss)
    model = Panel([AdaGrad(normalized=True, loss=loss), RollingTrees(5, 64, loss=loss)], [combiner], loss=loss)
    for x, label in zip(X, y, strict=True):
        raw, view = model.predict_one(x), _core.panel_view(model)
        if np.isfinite(view["said"]).all():
            said = view["combined"][0]
            assert raw == pytest.approx(said if loss == "squared" else math.log(said / (1.0 - said)), abs=1e-9)
        model.learn_one(x, label)
    assert model.standing().combiners == {type(combiner).__name__: 1.0}


@both
def test_one_member_is_the_mixture(loss: str) -> None:
    X, y, _ = rows(200, loss)
    model = Panel([GradientDescent(loss=loss)], [Mixing(), Sharing()], loss=loss)
    for x, label in zip(X, y, strict=True):
        model.predict_one(x)
        view = _core.panel_view(model)
        if np.isfinite(view["said"]).all():
            said = view["said"][0] if loss == "squared" else 1.0 / (1.0 + math.exp(-view["said"][0]))
            np.testing.assert_allclose(view["combined"], said, rtol=1e-12)
        model.learn_one(x, label)
    assert model.standing().best == "GradientDescent"


def test_a_member_that_shares_nothing_is_the_learner_alone() -> None:
    X, y, h = rows(200)
    model, alone = Panel([Perceptron(), GradientDescent()]), [Perceptron(), GradientDescent()]
    for x, label, weight in zip(X, y, h, strict=True):
        model.predict_one(x)
        expected = [np.clip(each.predict_one(x), -50.0, 50.0) for each in alone]
        np.testing.assert_array_equal(_core.panel_view(model)["said"], expected)
        for each in (model, *alone):
            each.learn_one(x, label, weight)


@both
@pytest.mark.parametrize("cls", [OnlineNewton, RollingTrees, Network, Neighbours])
def test_a_member_over_columns_is_the_learner_alone(cls: Any, loss: str) -> None:
    X, y, h = rows(150, loss)
    model, alone = Panel([cls(loss=loss)], loss=loss), cls(loss=loss)
    for i, (x, label, weight) in enumerate(zip(X, y, h, strict=True)):
        model.predict_one(x)
        if i > 0:
            assert _core.panel_view(model)["said"] == [alone.predict_one(x)]
        for each in (model, alone):
            each.learn_one(x, label, weight)


def test_members_are_copied_and_never_taught() -> None:
    X, y, _ = rows(60)
    members = {"line": AdaGrad(normalized=True), "trees": RollingTrees(), "guest": Guest(), "inner": small()}
    for each in members.values():
        registry.fresh(each).predict_one(dicts(X)[0])
        for x, label in zip(dicts(X), y.tolist(), strict=True):
            each.learn_one(x, label)
    before = {name: registry.state(each) for name, each in members.items()}
    player, combiner = experts.AdaNormalHedge(), Mixing(experts.AdaNormalHedge())
    model, other = (Panel(members, [combiner], player, open=["inner"]) for _ in range(2))
    new = Panel({name: registry.fresh(each) for name, each in members.items()}, [combiner], player, open=["inner"])
    raw = model.learn_many(X, y)
    np.testing.assert_array_equal(raw, new.learn_many(X, y))
    np.testing.assert_array_equal(raw, other.learn_many(X, y))
    assert all(same(registry.state(each), before[name]) for name, each in members.items())
    assert same(registry.state(player), registry.state(experts.AdaNormalHedge()))
    assert same(registry.state(combiner.player), registry.state(experts.AdaNormalHedge()))
    fresh = registry.fresh(model)
    assert same(registry.state(fresh), registry.state(Panel(members, [combiner], player, open=["inner"])))


@pytest.mark.parametrize("names", ["hashed", "exact"])
@both
def test_a_row_does_not_move_its_prediction_by_too_many_new_features(names: str, loss: str) -> None:
    """They put members to sleep; with exact names predict_one knows none of them."""
    X, y, _ = rows(40, loss)
    given = dicts(X)
    for k in (20, 30):
        given[k] |= {f"{k} {j}": 1.0 for j in range(300)}
    model, many = (small(loss, Features(names=names)) for _ in range(2))
    raw = []
    for x, label in zip(given, y.tolist(), strict=True):
        raw.append(model.predict_one(x))
        model.learn_one(x, label)
    np.testing.assert_array_equal(many.learn_many(given, y), raw)
    assert {each.name for each in model.standing().members if each.asleep} == {
        "newton", "inner/Neighbours", "trees", "network"
    }  # fmt: skip


PROGRAM = f"""
from afterwit.panel import Auto
{PEAK}
Auto("binary")
before = peak()
models = [Auto("binary") for _ in range(5)]
print(peak() - before)
"""


@ON_LINUX
def test_a_default_learner_that_has_learned_nothing_takes_hardly_any_memory() -> None:
    """Though each of its members is a prototype with a table of its own."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 5_000


# Guests.


@both
def test_a_guest_gets_its_rows_as_dicts(loss: str) -> None:
    X, y, h = rows(60, loss)
    model = small(loss, guests={"guest": Guest()})
    raw = model.learn_many(X, y, h)
    alone = Guest()
    for x, label, weight in zip(dicts(X), y.tolist(), h.tolist(), strict=True):
        alone.learn_one(x, label, weight)
    assert vars(model._guests["guest"]) == vars(alone)
    single = small(loss, guests={"guest": Guest()})
    for x, label, weight, expected in zip(dicts(X), y.tolist(), h.tolist(), raw, strict=True):
        assert single.predict_one(x) == expected
        single.learn_one(x, label, weight)
    assert same(single.state(), model.state())
    np.testing.assert_array_equal(model.predict_many(X), [model.predict_one(x) for x in dicts(X)])
    assert model._guests["guest"].rows == 60


def test_what_a_guest_says_counts() -> None:
    X, y, _ = rows(200)
    with_it, without = Panel({"guest": Guest(1.0), "line": LINE}), Panel({"line": LINE})
    assert np.abs(with_it.learn_many(X, y) - without.learn_many(X, y)).max() > 0.01
    for x in dicts(X[:20]):
        with_it.predict_one(x)
        said = dict(zip(with_it.names(), _core.panel_view(with_it)["said"], strict=True))
        assert said["guest"] == np.clip(with_it._guests["guest"].predict_one(x), -50.0, 50.0)


def test_guests_of_a_panel_on_a_panel() -> None:
    """Each is told its own prediction and learns every row."""
    X, y, _ = rows(60)
    inner = Panel({"one": Guest(0.1), "line": LINE})
    model = Panel({"inner": inner, "two": Guest(-0.2), "other": Panel([Guest(0.3)])}, open=["inner", "other"])
    model.learn_many(X, y)
    assert not any(each.asleep for each in model.standing().members)
    x = dicts(X)[0]
    model.predict_one(x)
    said = dict(zip(model.names(), _core.panel_view(model)["said"], strict=True))
    for name, place, factor in (
        ("inner/one", "inner/one", 0.1),
        ("two", "two", -0.2),
        ("other/Guest", "other/Guest", 0.3),
    ):
        guest = model._guests[place]
        assert guest.rows == 60
        assert (guest.factor, said[name]) == (factor, guest.predict_one(x))
    again = pickle.loads(pickle.dumps(model))
    assert again.predict_one(x) == model.predict_one(x)


@registry.register("tests.panel.moody")
class Moody(Guest):
    """Says nothing in its 20th row, and raises in its 40th."""

    def predict_one(self, x: dict[str, float]) -> float:
        if self.rows == 39:
            raise RuntimeError("no more")
        return math.nan if self.rows == 19 else 1.0


def test_a_guest_that_says_nothing_once_sleeps_for_good() -> None:
    X, y, _ = rows(39)
    model = Panel({"line": LINE, "guest": Moody()})
    model.learn_many(X[:19], y[:19])
    model.predict_one(X[19])
    assert not model.standing().members[1].asleep  # to predict changes nothing
    model.learn_many(X[19:30], y[19:30])
    line, guest = model.standing().members
    assert (line.asleep, guest.asleep) == (None, "its prediction was not finite")
    assert (line.rows, guest.rows) == (30.0, 19.0)
    model.predict_one(X[0])
    assert math.isnan(_core.panel_view(model)["said"][1])
    assert model.standing().best == "line"


def test_a_guest_that_raises_changes_nothing() -> None:
    X, y, _ = rows(40)
    model = Panel({"line": LINE, "guest": Moody()})
    model.learn_many(X[:39], y[:39])
    before = model.state()
    for call in (model.predict_one, lambda x: model.learn_one(x, 1), lambda x: model.learn_many([x], [1])):
        with pytest.raises(RuntimeError, match="no more"):
            call({"0": 1.0})
    assert same(before, model.state())


def test_wrong_rows_reach_no_guest() -> None:
    X, y, _ = rows(10)
    model = Panel({"line": LINE, "guest": Guest()})
    model.learn_many(X, y)
    before = model.state()
    calls = {
        "nan": lambda: model.learn_one({"0": math.nan}, 1),
        "7": lambda: model.learn_one({"0": 1.0}, 7),
        "-1": lambda: model.learn_one({"0": 1.0}, 1, -1.0),
        "inf": lambda: model.learn_many([{"0": 1.0}, {"0": math.inf}], [1, 1]),
        "`7": lambda: model.learn_many([{"0": 1.0}, {"0": 1.0}], [1, 7]),
    }
    for words, call in calls.items():
        with pytest.raises(ValueError, match=words):
            call()
    model.learn_one({"new": 1.0}, 1, 0.0)
    assert same(before, model.state())


# The state.


@pytest.mark.parametrize("model", [*models(), small(guests={"guest": Guest()})], ids=repr)
@pytest.mark.parametrize("width", [5, 66, 330], ids=["awake", "beyond 64", "beyond 320"])
def test_it_goes_on_to_the_bit(model: Any, width: int, tmp_path: Path) -> None:
    """A file, pickle, settings and state, and a checkpoint, in mid-stream; with more columns some sleep by then."""
    model, loss = registry.fresh(model), model.loss
    X, y, h = rows(240, loss)
    X = np.hstack([X, np.zeros((240, width - 5))])
    X[60, 5:] = 1.0
    model.learn_many(X[:120], y[:120], h[:120])
    assert any(each.asleep for each in model.standing().members) == (width > 5)
    aw.save(model, tmp_path / "model")
    built = registry.build(registry.name_of(model), registry.settings(model), registry.state(model))
    copies = [aw.load(tmp_path / "model"), pickle.loads(pickle.dumps(model)), built]
    raw = model.learn_many(X[120:], y[120:], h[120:])
    for copy in copies:
        assert copy.standing().to_dict() != model.standing().to_dict()
        np.testing.assert_array_equal(copy.learn_many(X[120:], y[120:], h[120:]), raw)
        assert same(registry.state(copy), registry.state(model))
        assert copy.standing().to_dict() == model.standing().to_dict()


@pytest.mark.parametrize("columns", [900, 1001])
def test_trees_take_a_thousand_columns_where_rows_are_not_sparse(columns: int) -> None:
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(60, columns)) * (rng.random((60, columns)) < 0.3)).astype(np.float32)
    y = np.where(X[:, 0] + X[:, 1] > 0.0, 1.0, -1.0)
    model = Auto("binary")
    raw = model.learn_many(X[:40], y[:40])
    asleep = {each.name for each in model.standing().members if each.asleep}
    assert np.isfinite(raw).all()
    assert {"network", "neighbours", "linear/Newton 0.1"} <= asleep
    assert ({"trees", "trees on linear"} <= asleep) == (columns > 1000)
    assert not asleep & {"linear", "linear/AROW"}
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.learn_many(X[40:], y[40:]), again.learn_many(X[40:], y[40:]))
    assert same(model.state(), again.state())
    assert {each.name for each in again.standing().members if each.asleep} == asleep


def test_trees_sleep_where_rows_are_sparse() -> None:
    model = Auto("binary")
    X = scipy.sparse.eye(400, format="csr")
    model.learn_many(X, np.where(np.arange(400) % 2, 1.0, -1.0))
    assert {each.name for each in model.standing().members if each.asleep} >= {"trees", "trees on linear", "network"}


@pytest.mark.parametrize("model", models(), ids=repr)
def test_a_lesson_goes_on_to_the_bit(model: Any, tmp_path: Path) -> None:
    from afterwit.learning import Lesson
    from afterwit.learning.checkpoint import resume, write_checkpoint

    X, y, _ = rows(300, model.loss)

    def lesson() -> Lesson:
        return Lesson(registry.fresh(model), aw.read(X, y, batch_rows=100), 2)

    whole, first, second = lesson(), lesson(), lesson()
    steps = first.steps()
    for _ in range(3):
        next(steps)
    write_checkpoint(tmp_path / "point", first, {})
    resume(tmp_path / "point", second)
    for each in (whole, second):
        for _ in each.steps():
            pass
    assert same(registry.state(whole.model), registry.state(second.model))
    assert whole.report().panel == second.report().panel


@pytest.mark.parametrize("model", [*models(), *models(Features(names="exact"))], ids=repr)
def test_rows_of_any_kind_are_the_same_bits(model: Any, tmp_path: Path) -> None:
    X, y, _ = rows(80, model.loss)
    text = "".join(
        f"{label!r} " + " ".join(f"{j}:{float(v)!r}" for j, v in enumerate(x) if v != 0.0) + "\n"
        for x, label in zip(X, y.tolist(), strict=True)
    )
    (tmp_path / "rows.svm").write_text(text)
    found = []
    for given in (X, scipy.sparse.csr_matrix(X), dicts(X), X.astype(np.float32)):
        one = registry.fresh(model)
        raw = one.learn_many(given, y)
        found.append((raw, registry.state(one)))
    one = registry.fresh(model)
    single = []
    for x, label in zip(X, y, strict=True):
        single.append(one.predict_one(x))
        one.learn_one(x, label)
    found.append((np.array(single), registry.state(one)))
    one = registry.fresh(model)
    report = aw.learn(one, aw.read(tmp_path / "rows.svm"))
    assert report.rows == 80
    for raw, state in found[1:]:
        np.testing.assert_array_equal(raw, found[0][0])
        if not model.features.exact:  # or the names come in another order, or are others
            assert same(state, found[0][1])
    if not model.features.exact:
        assert same(registry.state(one), found[0][1])


@pytest.mark.parametrize("model", [*models(), small(guests={"guest": Guest()})], ids=repr)
def test_to_predict_or_to_learn_with_no_weight_changes_nothing(model: Any) -> None:
    X, y, h = rows(100, model.loss)
    model = registry.fresh(model)
    other = registry.fresh(model)
    for x, label, weight in zip(dicts(X), y.tolist(), h.tolist(), strict=True):
        other.learn_one(x, label, weight)
        model.predict_one({"new": 3.0, **x})
        model.learn_one({"new": 3.0, **x}, label, 0.0)
        model.learn_one(x, label, weight)
        model.predict_many(X[:3])
    assert same(model.state(), other.state())
    assert model.standing().to_dict() == other.standing().to_dict()


@pytest.mark.parametrize("guest", [False, True])
def test_calls_from_many_threads_are_whole(guest: bool) -> None:
    """Each row has its own feature: what is learned of it is the same whoever comes first."""
    model = Panel({"line": LINE, **({"guest": Guest()} if guest else {})}, [Mixing()])
    X = rows(20)[0]
    errors: list[BaseException] = []
    barrier = threading.Barrier(4)

    def work(i: int) -> None:
        barrier.wait()
        try:
            for k in range(50):
                model.learn_one({f"{i} {k}": 1.0}, 1)
                model.predict_one({f"{i}": 1.0})
                if k % 10 == 0:
                    pickle.loads(pickle.dumps(model)).predict_many(X)
        except BaseException as error:
            errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not errors
    standing = model.standing()
    assert (standing.panel.rows, standing.members[0].rows) == (200.0, 200.0)
    if guest:
        assert model._guests["guest"].rows == 200
        assert len(model._guests["guest"].sums) == 200


def test_coef_is_that_of_the_best_linear_member() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 2)).astype(np.float32)
    y = X @ [3.0, -2.0] + 7.0
    model = small("squared", Features(names="exact"))
    model.learn_many(dicts(X), y)
    found = model.coef()
    assert set(found) == {"0", "1", "(intercept)"}
    assert (found["0"], found["1"]) == (pytest.approx(3.0, abs=0.1), pytest.approx(-2.0, abs=0.1))
    assert model.coef(["1", "nobody"]) == {"1": found["1"], "nobody": 0.0}
    assert isinstance(model._flat()[model.best_linear() or 0], (AdaGrad, GradientDescent))
    with pytest.raises(ValueError, match="no linear member"):
        Panel([TREES]).coef()


def test_gains_are_those_of_the_best_trees_and_what_is_held_is_said() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(600, 3)).astype(np.float32)
    y = np.where(X[:, 0] * X[:, 1] > 0.0, 1.0, -1.0)
    trees = {"few": RollingTrees(trees=3, window=100), "many": RollingTrees(trees=20), "near": Neighbours(window=90)}
    model = Panel({"line": LINE, **trees}, features=Features(names="exact"))
    alone = RollingTrees(trees=20, features=Features(names="exact"))
    for each in (model, alone):
        each.learn_many(dicts(X), y)
    found = model.gains()
    assert found == alone.gains()  # members over columns share these, and have the bits of the learner alone
    assert found["0"] + found["1"] > 3.0 * found.get("2", 0.0) > 0.0
    assert model.gains(["1", "nobody"]) == {"1": found["1"], "nobody": 0.0}
    held = model.holds()
    assert held["few"] == {"rows": 100, "most rows": 100, "trees": 3, "trees grown": held["few"]["trees grown"]}
    assert {"columns": 3, **held["many"]} == alone.holds()
    assert (held["many"]["rows"], held["near"]) == (600, {"rows": 90, "most rows": 90})
    with pytest.raises(ValueError, match="no member of this panel has trees"):
        Panel([LINE]).gains()
    wide = Panel({"line": LINE, "trees": RollingTrees()}, features=Features(names="exact"))
    wide.learn_many([{str(j): 1.0 for j in range(k, k + 2)} for k in range(0, 2200, 2)], np.ones(1100))
    with pytest.raises(ValueError, match="the trees sleep"):
        wide.gains()
    assert wide.standing().members[1].asleep == "too many features"
    assert wide.holds() == {}


def test_coef_of_numbers_has_the_mean_of_the_labels() -> None:
    model = Panel({"line": LINE_OF_NUMBERS}, loss="squared", features=Features(names="exact"))
    for k in range(50):
        model.learn_one({"a": k % 7}, 100.0 + k % 7)
    coef = model.coef()
    model.predict_one({"a": 3.0})
    said = _core.panel_view(model)["said"][0]
    assert coef["(intercept)"] + 3.0 * coef["a"] == pytest.approx(said, rel=1e-6)


def test_weights_are_noted_for_every_member_of_an_open_panel() -> None:
    inner = Panel({f"m{k}": AdaGrad(0.1 * (k + 1), normalized=True) for k in range(40)})
    model = Panel({"in": inner, "b": LINE}, [Stacking()], open=["in"])
    for k in range(40):
        model.learn_one({"a": k % 7, "b": k % 5}, (k % 7 > 3) != (k % 5 > 2))
    weights = model.standing().weights
    assert weights.shape[1] == 42
    assert not weights[:, 1:41].any()  # it looks at `b`, which shares its scales and comes first, and at the panel
    assert weights[-1, [0, 41]].all()


def test_standing_says_what_was_lost() -> None:
    X, y, h = rows(300)
    model = Panel({"line": LINE, "newton": OnlineNewton()})
    m, p = [], []
    for x, label, weight in zip(X, y, h, strict=True):
        m.append(model.predict_one(x))
        p.append(_core.panel_view(model)["said"])
        model.learn_one(x, label, weight)
    standing = model.standing()
    for raw, each in ((np.array(m), standing.panel), *zip(np.array(p).T, standing.members, strict=True)):
        assert each.rows == pytest.approx(h.sum())
        assert each.mean_loss == pytest.approx(np.average(np.logaddexp(0.0, -y * raw), weights=h))
        assert each.error_rate == pytest.approx(np.average((raw >= 0.0) != (y > 0.0), weights=h))
        assert each.square == pytest.approx(np.average((1.0 / (1.0 + np.exp(-raw)) - (y > 0.0)) ** 2, weights=h))
    assert standing.best in model.names()
    assert standing.times.tolist() == [
        1.0,
        2.0,
        3.0,
        4.0,
        6.0,
        8.0,
        12.0,
        16.0,
        24.0,
        32.0,
        48.0,
        64.0,
        96.0,
        128.0,
        192.0,
        256.0,
    ]
    assert (standing.player_weights.shape, standing.weights.shape) == ((16, 4), (16, 2))
    np.testing.assert_allclose(standing.player_weights.sum(axis=1), 1.0)
    np.testing.assert_allclose(standing.weights.sum(axis=1), 1.0)
    assert "what is usual" in str(standing)
    assert {line[:6].strip() for line in standing.lines()} >= {"panel", "line", "newton"}
