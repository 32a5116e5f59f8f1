"""A panel of AdaNormalHedge does nearly as well as its best member, as it says itself: Luo 2016, Theorem 6, twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.special import expit

from afterwit import _core, registry, regret
from afterwit.dense import Neighbours, OnlineNewton
from afterwit.experts import Hedge
from afterwit.linear import AdaGrad, GradientDescent
from afterwit.panel import Auto, Mixing, Panel, Stacking
from tests.experts.theorems import BoundBroken, hold
from tests.linear.formulas import Array
from tests.panel.formulas import AdaNormalHedge as Hedging
from tests.panel.specimens import rows

LOSSES = {"binary": "logistic", "numbers": "squared"}


@registry.register("tests.panel.always")
class Always:
    """Says the same of every row."""

    def __init__(self, value: float) -> None:
        self.value = value

    def predict_one(self, x: Any) -> float:
        return self.value

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> None:
        pass


@dataclass
class Played:
    """What was said before each row of a panel without the first number: predictions of members, combiners, itself."""

    members: Array
    combiners: Array
    panel: Array
    y: Array
    h: Array
    s: Array  # the range of the labels, or 1


def played(model: Panel, x: Array, label: Callable[[int, float], float], h: Array, numbers: bool) -> Played:
    """Plays against labels that may know the prediction."""
    said, labels = [], []
    for t, (row, weight) in enumerate(zip(x, h, strict=True)):
        raw = model.predict_one(row)
        view = _core.panel_view(model)
        said.append((view["said"], view["combined"], raw))
        labels.append(label(t, raw))
        model.learn_one(row, labels[-1], weight)
    first, y = int(numbers), np.array(labels)
    members, combiners, panel = (np.array(part[first:]) for part in zip(*said, strict=True))
    if not numbers:
        return Played(expit(members), combiners, expit(panel), (y > 0.0).astype(float), h, np.ones(len(y)))
    return Played(members, combiners, panel, y[1:], h[1:], (np.maximum.accumulate(y) - np.minimum.accumulate(y))[1:])


def expected(seen: Played, numbers: bool, sign: float = 1.0) -> tuple[float, float]:
    """The regret to the best member and its bound from what was said, with the players computed anew.

    With the sign -1 the first mixture, alone, goes away from those who do well.
    """
    learned = seen.s > 0.0
    losses, four = (
        ((part[learned] - seen.y[learned, None]) / seen.s[learned, None]) ** 2
        for part in (seen.members, seen.combiners)
    )
    own, h = ((seen.panel - seen.y)[learned] / seen.s[learned]) ** 2, seen.h[learned]
    first, last = Hedging(losses.shape[1]), Hedging(four.shape[1])
    mixed = np.zeros(len(losses))
    for t, (l, c) in enumerate(zip(losses, four, strict=True)):
        pi, shares = (each.weights(np.ones(len(each.R), bool)) for each in (first, last))
        p = float(pi @ seen.members[learned][t])
        mixed[t] = ((p - seen.y[learned][t]) / seen.s[learned][t]) ** 2
        first.learn(sign * ((mixed[t] if numbers else pi @ l) - l), h[t])
        last.learn(shares @ c - c, h[t])
    total = losses.T @ h
    best = int(np.argmin(total))
    if sign < 0.0:
        own = mixed
    bound = sum(
        each.H * np.sqrt(3.0 * each.C[i] * np.log(len(each.C) * (1.0 + 1.5 * np.mean(1.0 + np.log1p(each.C)))))
        for each, i in ((first, best), (last, 0))
    )
    return float(own @ h - total[best]), float(bound)


def members(numbers: bool) -> dict[str, Any]:
    loss = "squared" if numbers else "logistic"
    return {
        "line": AdaGrad(normalized=True, loss=loss),
        "alone": GradientDescent(loss=loss),
        "newton": OnlineNewton(width=8, loss=loss),
        "low": Always(-1.0),
        "high": Always(1.0),
    }


def streams(task: str) -> dict[str, tuple[Array, Callable[[int, float], float], Array]]:
    """Rows, labels that may look at the prediction, and importances."""
    X, y, h = rows(300, LOSSES[task])
    ones, coins = np.ones(300), np.random.default_rng(1).choice([-1.0, 1.0], 300)
    turns = np.where(np.arange(300) // 50 % 2, 1.0, -1.0)
    steep = 10.0 ** np.random.default_rng(2).integers(-3, 4, 300)
    found: dict[str, tuple[Array, Callable[[int, float], float], Array]] = {
        "rows": (X, lambda t, _: float(y[t]), ones),
        "importances": (X, lambda t, _: float(y[t]), h),
        "steep importances": (X, lambda t, _: float(y[t]), steep),
        "coins": (X, lambda t, _: coins[t], ones),
        "best in turn": (X, lambda t, _: turns[t], h),
        "against it": (X, lambda t, p: 1.0 if p < 0.0 else -1.0, ones),
        "against it, by importance": (X, lambda t, p: 1.0 if p < 0.0 else -1.0, steep),
    }
    if task == "numbers":
        found["growing"] = (X, lambda t, _: coins[t] * 1.1**t, h)
        found["growing, against it"] = (X, lambda t, p: -np.sign(p) * 1.1**t, ones)
        found["equal"] = (X, lambda t, _: 1.0 if t < 100 else y[t], h)
    return found


CASES = [(task, name) for task in LOSSES for name in streams(task)]


@pytest.mark.parametrize(("task", "name"), CASES)
def test_regret_is_within_its_bound(task: str, name: str) -> None:
    numbers, (X, label, h) = task == "numbers", streams(task)[name]
    model = Panel(members(numbers), loss=LOSSES[task])
    seen = played(model, X, label, h, numbers)
    standing = model.standing()
    assert standing.bound.value is not None
    assert standing.regret is not None
    measured, bound = expected(seen, numbers)
    hold(standing.regret, standing.bound.value, 300)
    assert standing.regret == pytest.approx(measured, rel=1e-6, abs=1e-9 * h.sum())
    assert standing.bound.value == pytest.approx(bound, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("task", LOSSES)
def test_a_mixture_with_a_wrong_sign_is_refused(task: str) -> None:
    """What the members said, mixed by weights that run away from the best."""
    numbers, (X, label, h) = task == "numbers", streams(task)["rows"]
    seen = played(
        Panel(members(numbers), loss=LOSSES[task]),
        np.tile(X, (4, 1)),
        lambda t, p: label(t % 300, p),
        np.tile(h, 4),
        numbers,
    )
    hold(*expected(seen, numbers), 1200)
    with pytest.raises(BoundBroken):
        hold(*expected(seen, numbers, sign=-1.0), 1200)


def test_a_panel_that_says_another_thing_than_its_players_is_refused() -> None:
    X, label, h = streams("binary")["rows"]
    seen = played(Panel(members(False)), np.tile(X, (4, 1)), lambda t, p: label(t % 300, p), np.tile(h, 4), False)
    seen.panel = 1.0 - seen.panel
    with pytest.raises(BoundBroken):
        hold(*expected(seen, False), 1200)


@pytest.mark.parametrize("task", LOSSES)
@pytest.mark.parametrize("against", [False, True])
def test_the_default_learner_is_within_its_bound(task: str, against: bool) -> None:
    X, y, h = rows(300, LOSSES[task])
    model = Auto(task)
    for x, label, weight in zip(X, y, h, strict=True):
        p = model.predict_one(x)
        model.learn_one(x, (1.0 if p < 0.0 else -1.0) if against else label, weight)
    standing = model.standing()
    assert standing.regret is not None
    assert standing.bound.value is not None
    hold(standing.regret, standing.bound.value, 300)
    if not against:
        assert standing.bound.value < 0.5 * h.sum()


def test_no_other_player_says_a_bound() -> None:
    X, y, _ = rows(50)
    for settings in (
        {"combiners": [Mixing(Hedge(rate=0.1))]},
        {"combiners": [Stacking()]},
        {"player": Hedge(rate=0.1)},
    ):
        model = Panel([AdaGrad(normalized=True), GradientDescent()], **settings)
        model.learn_many(X, y)
        bound = model.standing().bound
        assert bound.value is None
        assert "only AdaNormalHedge" in str(bound.reason)
    fresh = Panel([AdaGrad()]).standing()
    assert (fresh.best, fresh.regret, fresh.bound.value) == (None, None, None)


def test_who_slept_is_not_the_best() -> None:
    """A member that knows all, and falls asleep in the last row but one."""
    X, y, _ = rows(200)
    X = np.hstack([X, 10.0 * y[:, None], np.zeros((200, 9))])
    X[198, 6:] = 1.0
    model = Panel({"newton": OnlineNewton(width=8), "neighbours": Neighbours()})
    model.learn_many(X, y)
    standing = model.standing()
    newton = standing.members[0]
    assert newton.asleep
    assert newton.rows == 199.0
    assert standing.best == "neighbours"
    assert standing.regret is not None
    assert standing.bound.value is not None
    assert standing.regret <= standing.bound.value


def test_the_bound_is_that_of_regret() -> None:
    X, y, _ = rows(100)
    model = Panel([AdaGrad(normalized=True), GradientDescent()], [Stacking(), Mixing()])
    model.learn_many(X, y)
    view, standing = _core.panel_view(model), model.standing()
    best = model.names().index(standing.best or "")
    first = regret.ada_normal_hedge_expert(view["combiners"][1]["C"], best)
    assert standing.bound.value == pytest.approx(first + regret.ada_normal_hedge_expert(view["last"]["C"], 1))
