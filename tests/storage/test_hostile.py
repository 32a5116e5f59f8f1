"""What a model file may not do: ask for memory, hold numbers that no game leads to, write escapes on a terminal."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import afterwit as aw
from afterwit import registry
from afterwit._core import Ledger, alive
from afterwit.cli.main import main
from afterwit.errors import AfterwitError, ModelFileError
from afterwit.experts import (
    AdaNormalHedge,
    AdaNormalHedgeTV,
    Delayed,
    FollowTheLeadingHistory,
    Hedge,
    Mixture,
    MLPol,
    Randomized,
)
from afterwit.features import Features
from afterwit.learning import Lesson
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll, Pegasos, Perceptron
from afterwit.losses import Squared
from afterwit.storage import load, read_container, save, write_container
from afterwit.streams import read
from tests.memory import ON_LINUX, PEAK
from tests.test_every_learner import Tiny
from tests.test_every_player import PLAYERS

HOLDERS = (Delayed, FollowTheLeadingHistory, Randomized)
WRONG_COUNTS = [-5, math.nan, math.inf, 2.5, 2**63, 1e300]
ROUNDS = [[0.0, 1.0, 0.5]] * 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.afterwit"


def forged(path: Path, model: Any, settings: dict[str, Any] | None = None, **state: Any) -> str:
    """The sentence that refuses the model's file with other settings and another state."""
    save(model, path)
    content = read_container(path, "model")
    content["settings"].update(settings or {})
    content["state"].update(state)
    write_container(path, "model", content)
    with pytest.raises(ModelFileError) as caught:
        load(path)
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize("player", [each for each in PLAYERS if {"rounds", "draws"} & set(each.state())], ids=repr)
def test_a_count_that_is_none_is_refused(player: Any) -> None:
    key, state = "rounds" if "rounds" in player.state() else "draws", registry.state(player)
    for wrong in WRONG_COUNTS:
        with pytest.raises(ValueError, match=f"`{key}`|`p` sums to"):
            registry.build(registry.name_of(player), registry.settings(player), {**state, key: wrong})


@pytest.mark.parametrize("wrong", WRONG_COUNTS)
@pytest.mark.parametrize("learner", [Perceptron(), GradientDescent(), Pegasos(), AdaGrad()], ids=repr)
def test_a_count_of_a_learner_that_is_none_is_refused(learner: Any, wrong: float, path: Path) -> None:
    totals = learner.state()["totals"]
    name = next(iter(totals))
    assert "not such as learning leads to" in forged(path, learner, totals={**totals, name: np.array([float(wrong)])})


@pytest.mark.parametrize(
    ("learner", "wrong"),
    [
        (GradientDescent(radius=1.0), {"scale": 0.0}),
        (GradientDescent(radius=1.0), {"scale": -1.0}),
        (GradientDescent(radius=1.0), {"scale": 2.0}),
        (GradientDescent(radius=1.0), {"square": math.inf}),
        (AdaGrad(normalized=True), {"W": -1.0}),
        (AdaGrad(normalized=True), {"N": -1.0}),
        (AdaGrad(normalized=True), {"lowest": 1.0}),
        (AdaGrad(normalized=True), {"highest": math.nan}),
    ],
)
def test_totals_that_no_learning_leads_to(learner: Any, wrong: dict[str, float], path: Path) -> None:
    totals = {**learner.state()["totals"], **{name: np.array([value]) for name, value in wrong.items()}}
    assert "not such as learning leads to" in forged(path, learner, totals=totals)


@pytest.mark.parametrize("features", [Features(), Features(names="exact")], ids=repr)
@pytest.mark.parametrize("several", [False, True])
def test_a_slot_behind_the_table_is_refused(features: Features, several: bool) -> None:
    one = Perceptron(features=features)
    model: Any = OneVsAll(one) if several else one
    model.learn_one({"x": 1.0, "y": 2.0}, "a" if several else 1)
    state = model.state()
    inner = state["learners"] if several else state
    size = 3 if features.exact else 2**18 + 1
    for slot, right in ((size - 1, True), (size, False), (2**32 - 1, False)):
        inner["slots"] = np.array([*inner["slots"][:-1], slot], dtype=np.uint32)
        if right:
            model.set_state(state)
        else:
            with pytest.raises(ValueError, match="not ascending slots of the table"):
                model.set_state(state)


@pytest.mark.parametrize(
    ("model", "label", "within"),
    [
        (aw.dense.OnlineNewton(features=Features(names="exact")), 1, []),
        (aw.Panel([AdaGrad(), aw.dense.Network()], features=Features(names="exact")), 1, []),
        (OneVsAll(aw.Panel([aw.dense.Neighbours()], features=Features(names="exact"))), "a", ["learners"]),
    ],
    ids=["learner", "panel", "classes"],
)
def test_a_column_whose_slot_is_behind_the_table_is_refused(model: Any, label: Any, within: list[str]) -> None:
    model.learn_one({"x": 1.0, "y": 2.0}, label)
    state = model.state()
    inner = state
    for name in within:
        inner = inner[name]
    totals = inner["totals"]
    (name,) = (key for key in totals if key.endswith("slots"))
    for slot, right in ((0, True), (3, False), (2**31, False)):
        inner["totals"] = {**totals, name: np.array([1.0, slot])}
        if right:
            model.set_state(state)
        else:
            with pytest.raises(ValueError, match="not such as learning leads to"):
                model.set_state(state)


def test_words_and_names_that_no_learning_leads_to() -> None:
    model = AdaGrad(features=Features(bits=4))
    model.learn_one({"x": 1.0}, 1)
    state = model.state()
    with pytest.raises(ValueError, match="a number that learning does not lead to"):
        model.set_state(state | {"runs": -np.abs(state["runs"])})
    with pytest.raises(ValueError, match="hashed features keep none"):
        model.set_state(state | {"names": ["x"], "keys": np.array([1], dtype=np.uint64)})


@pytest.mark.parametrize("player", [each for each in PLAYERS if not isinstance(each, HOLDERS)], ids=repr)
def test_experts_that_the_file_does_not_hold(player: Any, path: Path) -> None:
    """Beyond all memory: were they counted out before the arrays are looked at, it would say so."""
    many = 2**50
    known = {} if player.experts is None and getattr(player, "prior", None) is None else {"experts": many}
    for settings in ({}, {"experts": many}):
        said = forged(path, player, {**settings, **known}, experts=many)
        assert "has not one number per expert" in said or "prior" in said


def test_experts_of_copies_that_the_file_does_not_hold(path: Path) -> None:
    many = 2**50
    for player in (FollowTheLeadingHistory(Hedge(), exact=True), FollowTheLeadingHistory(MLPol(), rate=0.5)):
        player.run(ROUNDS)
        assert "has not one number per expert" in forged(path, player, experts=many)
        assert "are not those of its round" in forged(path, player, experts=many, copies=[], rounds=0)
        assert "are not those of its round" in forged(path, player, rounds=2**31)
    mixed = Mixture(Hedge())
    mixed.learn_one([1.0, 2.0], 1.0)
    assert "has not one number per expert" in forged(path, mixed, player={**nested(Hedge()), "state": {
        **Hedge().state(), "experts": many}})  # fmt: skip
    assert "without a state" in forged(path, mixed, player={**nested(Hedge(experts=many)), "state": None})
    assert "is not that of the mixture" in forged(path, mixed, player=nested(Hedge(loss_range=(0.0, 2.0))))


def nested(player: Any) -> dict[str, Any]:
    """A player inside another model, as a file holds it."""
    settings = registry.settings(player)
    state = None if player.experts is not None and player.experts > 100 else registry.state(player)
    return {"$object": registry.name_of(player), "settings": settings, "state": state}


def test_rounds_without_experts(path: Path) -> None:
    for player in (AdaNormalHedgeTV(exact=True), FollowTheLeadingHistory(Hedge(), exact=True)):
        assert "`rounds` is not 0, but it has no experts" in forged(path, player, rounds=2**31)
    with pytest.raises(ValueError, match=r"t is above 2\^53"):
        alive(2**63)
    assert len(alive(2**53)) < 200


def test_experts_that_are_not_those_of_the_settings(path: Path) -> None:
    three = Hedge(experts=3)
    three.run(ROUNDS)
    assert "are not the 4 that the player has" in forged(path, three, {"experts": 4})
    assert "are not the 3 that the player has" in forged(path, three, {"experts": ["a", "b", "c"]})
    grown = AdaNormalHedge(experts=["a"])
    grown.update({"a": 0.5, "b": 1.0})
    save(grown, path)
    assert load(path).play() == grown.play()


def test_a_fresh_player_of_many_experts_comes_back(path: Path) -> None:
    save(Hedge(experts=1_000_000), path)
    assert load(path).play().sum() == pytest.approx(1.0)


def test_a_table_of_all_slots_is_loaded(path: Path) -> None:
    model = Perceptron(features=Features(bits=4, intercept=False))
    model.learn_one({"3": 1.0}, 1)
    save(model, path)
    content = read_container(path, "model")
    content["settings"]["features"]["settings"]["bits"] = 30
    write_container(path, "model", content)
    assert load(path).predict_one({"3": 1.0}) == model.predict_one({"3": 1.0}) == 1.0


@ON_LINUX
def test_what_is_not_used_costs_no_memory() -> None:
    """Experts before they play, and slots of a table that is rescaled or made wider."""
    code = f"""{PEAK}
import numpy as np
from afterwit import Features
from afterwit.experts import Hedge, Randomized
from afterwit.linear import GradientDescent, OneVsAll, Perceptron
from afterwit.registry import fresh
Perceptron().learn_one({{"x": 1.0}}, 1)
before = peak()
players = fresh(Randomized(Hedge(rate=0.5, experts=5_000_000)))
print(peak() - before)
before = peak()
descent = GradientDescent(rate=1.0, radius=1e-3, features=Features(bits=24))
state = descent.state()
descent.set_state(state | {{"totals": state["totals"] | {{"scale": np.array([1e-20])}}}})
descent.learn_one({{"x": 1.0}}, 1)
assert descent.state()["totals"]["scale"][0] == 1.0
print(peak() - before)
before = peak()
several = OneVsAll(Perceptron(features=Features(bits=22)))
several.learn_many([{{"x": 1.0}}] * 9, list("abcdefghi"))
print(peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for grown in map(float, done.stdout.split()):
        assert grown < 20_000


@pytest.mark.parametrize(
    ("player", "gone"),
    [(MLPol(), -1.0), (MLPol(), math.nan), (MLPol(), math.inf), (AdaNormalHedge(), [1.0, 2.0, 2.0]),
     (AdaNormalHedge(), [1.0, 1.0, 1e300]), (AdaNormalHedge(), [1.0, 1.0, 0.5]),
     (AdaNormalHedge(), [math.inf, 1.0, 1.0])],
)  # fmt: skip
def test_who_is_gone_left_what_a_game_leads_to(player: Any, gone: Any, path: Path) -> None:
    assert "`gone`" in forged(path, player, gone=gone)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, 1e300, -1.0])
def test_sums_that_no_game_leads_to(wrong: float, path: Path) -> None:
    for player, field in ((AdaNormalHedge(), "C"), (MLPol(), "V")):
        player.run(ROUNDS)
        assert f"`{field}` has a number that no game leads to" in forged(
            path, player, **{field: np.array([1.0, 1.0, wrong])}
        )


def test_a_setting_in_a_state_is_refused(path: Path) -> None:
    model = AdaGrad(features=Features(bits=4))
    features = registry.settings(model)["features"]
    assert "has the setting `bits`" in forged(path, model, {"features": {**features, "state": {"bits": 60}}})


def test_learners_in_learners_do_not_multiply(path: Path) -> None:
    """Each would be built twice by the one around it."""
    inner = registry.settings(OneVsAll(Tiny()))["model"]
    for _ in range(10):
        settings, state = {"model": inner, "classes": None}, {"classes": [], "learners": {"learners": []}}
        inner = {"$object": "one-vs-all", "settings": settings, "state": state}
    assert "expected a learner of two classes" in forged(path, OneVsAll(AdaGrad()), {"model": inner})
    assert "expected a learner of two classes" in forged(path, OneVsAll(AdaGrad()), {"model": nested(Hedge())})


def test_a_class_costs_a_copy_when_it_is_learned() -> None:
    model = OneVsAll(Mixture(), classes=range(1000))
    assert len({id(each) for each in model._kernel._learners}) == 1  # type: ignore[union-attr]
    model = OneVsAll(Mixture(), classes=["a", "b"])
    model.learn_one({"x": 1.0, "y": 2.0}, "b")
    assert len({id(each) for each in [model.model, *model._kernel._learners]}) == 3  # type: ignore[union-attr]


def lesson() -> Lesson:
    rows = [({"x": float(i)}, (-1.0) ** i) for i in range(60)]
    return Lesson(AdaGrad(features=Features(bits=4)), read(rows, batch_rows=20), 2, holdout=5, window=7)


@pytest.mark.parametrize(
    "change",
    [
        *({key: wrong} for key in ("done", "rows", "skipped") for wrong in WRONG_COUNTS),
        *({"position": {"rows": wrong}} for wrong in WRONG_COUNTS),
        {"done": 3},
        {"position": {"nobody": 1}},
        {"later": [None]},
        {"first": None},
        {"first": {"learned": {}, "held": None}},
        *({"first": {"learned": {**Ledger(Squared(), False).state(), "totals": np.full((1, 8), wrong)}, "held": None}}
          for wrong in (math.nan, -1.0, 0.5, 1e300)),
        *({"first": {"learned": {**Ledger(Squared(), False, 7).state(), "curve": np.full((1, 8), wrong),
                                 "window_curve": np.zeros((1, 3))}, "held": None}} for wrong in (math.nan, -1.0)),
        {"current": {"learned": {**Ledger(Squared(), False, 7).state(), "window": np.zeros((8, 3))}, "held": None}},
        *({"first": {"learned": {**Ledger(Squared(), False, 7).state(), **wrong}, "held": None}} for wrong in (
            {"mean": np.zeros(3)}, {"cells": np.zeros(3)}, {"tallies": np.zeros((1, 3))}, {"tallies": np.zeros((1, 2))},
            {"usual": 0.0}, {"usual": math.nan}, {"classes": ["a", "a"]}, {"classes": [None]},
            {"totals": np.zeros((1, 9))},
        )),
    ],
)  # fmt: skip
def test_a_forged_checkpoint_changes_nothing(change: dict[str, Any], tmp_path: Path) -> None:
    path, some = tmp_path / "c", lesson()
    next(some.steps())
    write_checkpoint(path, some, {})
    content = read_container(path, "checkpoint")
    content["lesson"].update(change)
    write_container(path, "checkpoint", content)
    fresh = lesson()
    with pytest.raises(ModelFileError, match="cannot resume"):
        resume(path, fresh)
    assert fresh.rows == fresh.done == 0
    assert not fresh.model.state()["slots"].size


ESCAPES = "\x1b[31mred\x9b\n\x7f"


def test_sentences_about_files_carry_no_escapes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"m{ESCAPES}"
    for act in (
        lambda: load(path),
        lambda: resume(path, lesson()),
        lambda: save(AdaGrad(), path / "x"),
        lambda: load(tmp_path / f"{ESCAPES}\udcff"),
    ):
        with pytest.raises(AfterwitError) as caught:
            act()
        assert str(caught.value).isprintable()
    contents: list[Any] = [
        {"class": ESCAPES, "settings": {}, "state": {}},
        {"class": "adagrad", "settings": {"loss": ESCAPES}, "state": {}},
        {"class": "adagrad", "settings": {ESCAPES: 1}, "state": {}},
        {"class": "hedge", "settings": {"experts": {"a": ESCAPES * 100_000}}, "state": {}},
        {
            "class": "hedge",
            "settings": {ESCAPES * 999: {"$object": "hedge", "settings": {}, "state": None}},
            "state": {},
        },
        {
            "class": "hedge",
            "settings": {},
            "state": {"experts": [ESCAPES, ESCAPES], "losses": np.zeros(2), "rounds": 0.0},
        },
    ]
    for content in contents:
        write_container(path, "model", content)
        with pytest.raises(ModelFileError) as caught:
            load(path)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 1000
        write_container(path, "checkpoint", {**content, "lesson": {}, "extra": {}})
        with pytest.raises(ModelFileError) as caught:
            resume(path, lesson())
        assert str(caught.value).isprintable()


def test_what_is_shown_of_a_model_carries_no_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m"
    classes = OneVsAll(AdaGrad(features=Features(names="exact")))
    classes.learn_many([{ESCAPES: 1.0}, {"b": 1.0}], [ESCAPES, "b"])
    player = AdaNormalHedge()
    player.update({ESCAPES: 0.0, "b": 1.0})
    for model in (classes, player, Hedge(experts=[ESCAPES, "b"])):
        aw.save(model, path)
        assert main(["inspect", str(path)]) == 0
        said = capsys.readouterr().out
        assert "red" in said
        assert all(line.isprintable() for line in said.splitlines())
    data = tmp_path / "rows.svm"
    data.write_text("1 1:1\n")
    assert main(["predict", str(path), str(data)]) == 2
    assert all(line.isprintable() for line in capsys.readouterr().err.splitlines())
