"""Each check fails on a learner that is broken in just that way, with a sentence that says so."""

from __future__ import annotations

import copy
import math
import time
from typing import Any

import numpy as np
import pytest

from afterwit import checks
from afterwit.protocols import Labels
from afterwit.registry import fresh, register


@register("test.checks.sound")
class Sound:
    """A perceptron with every method that a check asks for."""

    labels = Labels("binary")

    def __init__(self, rate: float = 1.0) -> None:
        self.rate = rate
        self.weights: dict[str, float] = {}
        self.rounds = 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self.rate})"

    def predict_one(self, x: Any) -> float:
        if not all(map(math.isfinite, x.values())):
            raise ValueError("expected finite values")
        return sum(self.weights.get(name, 0.0) * value for name, value in x.items())

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
        self._check(x, y, weight)
        if weight > 0.0:
            self._learn(x, float(y), weight)

    def predict_many(self, X: Any) -> Any:
        return np.array([self.predict_one(x) for x in X])

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> Any:
        weight = [1.0] * len(X) if weight is None else weight
        for row in zip(X, y, weight, strict=True):
            self._check(*row)
        raw = []
        for x, label, w in zip(X, y, weight, strict=True):
            raw.append(self.predict_one(x))
            self.learn_one(x, label, w)
        return np.array(raw)

    def _check(self, x: Any, y: Any, weight: float) -> None:
        self.predict_one(x)
        if y not in (-1.0, 0.0, 1.0) or not 0.0 <= weight < math.inf:
            raise ValueError("expected a label and a weight")

    def _learn(self, x: Any, y: float, weight: float) -> None:
        self.rounds += 1
        if y * self.predict_one(x) <= 0:
            for name, value in x.items():
                if value:
                    self.weights[name] = self.weights.get(name, 0.0) + self.rate * weight * y * value


@register("test.checks.holder")
class Holder(Sound):
    """Has a learner among its settings."""

    def __init__(self, model: Any, copied: bool = True) -> None:
        super().__init__()
        self.model, self.copied = fresh(model) if copied else model, copied
        self.member = fresh(self.model) if copied else model

    def settings(self) -> dict[str, Any]:
        return {"model": self.model, "copied": self.copied}

    def _learn(self, x: Any, y: float, weight: float) -> None:
        super()._learn(x, y, weight)
        self.member.learn_one(x, y, weight)


class Counts(Sound):
    """Counts its predictions."""

    def predict_one(self, x: Any) -> float:
        self.rounds += 1
        return super().predict_one(x)


class Drifts(Sound):
    """Predicts more each time, from what is not in its state."""

    __slots__ = ("calls",)

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights}

    def set_state(self, state: dict[str, Any]) -> None:
        self.weights = state["weights"]

    def predict_one(self, x: Any) -> float:
        self.calls = getattr(self, "calls", 0) + 1
        return super().predict_one(x) + self.calls


class Backwards(Sound):
    """Learns many rows from the last to the first."""

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> Any:
        raw = self.predict_many(X)
        for x, label, w in list(zip(X, y, weight, strict=True))[::-1]:
            self.learn_one(x, label, w)
        return raw


class After(Sound):
    """Returns the predictions after learning."""

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> Any:
        super().learn_many(X, y, weight)
        return self.predict_many(X)


class Weightless(Sound):
    """Counts a row of weight 0."""

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
        self._check(x, y, weight)
        self._learn(x, float(y), weight)


class NeedsFeatures(Sound):
    """Divides by the number of features."""

    def predict_one(self, x: Any) -> float:
        return super().predict_one(x) / len(x)


class CountsZeros(Sound):
    """Predicts more for a zero."""

    def predict_one(self, x: Any) -> float:
        return super().predict_one(x) + 0.1 * len(x)


class TakesAnything(Sound):
    """Checks nothing."""

    def predict_one(self, x: Any) -> float:
        return sum(self.weights.get(name, 0.0) * value for name, value in x.items())

    def _check(self, x: Any, y: Any, weight: float) -> None:
        pass


class TooLate(Sound):
    """Checks row by row, when the rows before are learned."""

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> Any:
        raw = []
        for x, label, w in zip(X, y, [1.0] * len(X) if weight is None else weight, strict=True):
            raw.append(self.predict_one(x))
            self.learn_one(x, label, w)
        return np.array(raw)


class Remembers(Sound):
    """Keeps its weights for all its kind."""

    shared: dict[str, float] = {}  # noqa: RUF012

    def __init__(self, rate: float = 1.0) -> None:
        super().__init__(rate)
        self.weights = self.shared


@register("test.checks.forgets")
class Forgets(Sound):
    """Stores less than it knows."""

    def state(self) -> dict[str, Any]:
        return {"rounds": self.rounds}

    def set_state(self, state: dict[str, Any]) -> None:
        self.rounds = state["rounds"]


class Racing(Sound):
    """Learns through a place that all of its kind share."""

    place: list[Any] = [0.0]  # noqa: RUF012

    def _learn(self, x: Any, y: float, weight: float) -> None:
        self.place[0] = y
        time.sleep(1e-5)
        super()._learn(x, self.place[0], weight)


class Silent(Sound):
    pass


class Changing(Sound):
    """Is shown by its place in memory."""

    def __repr__(self) -> str:
        return f"Changing({id(self)})"


class Mute(Sound):
    """Cannot learn."""

    learn_one: Any = None


class Nameless(Sound):
    """Does not say what it is."""

    def __repr__(self) -> str:
        return "a learner"


class WeightlessLater(Sound):
    """Counts a row of weight 0 when it has learned another."""

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
        super().learn_one(x, y, weight)
        self.rounds += bool(self.weights) and weight == 0.0


class InfiniteForNothing(Sound):
    """Has an infinite prediction for a row without features."""

    def predict_one(self, x: Any) -> float:
        return super().predict_one(x) if any(x.values()) else math.inf


class LearnsOnceMore(Sound):
    """Learns the last of many rows twice."""

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> Any:
        raw = super().learn_many(X, y, weight)
        if len(X) == 60:
            self.learn_one(X[-1], y[-1])
        return raw


class PredictsManyRoughly(Sound):
    """Rounds the predictions of many rows."""

    def predict_many(self, X: Any) -> Any:
        return np.round(super().predict_many(X), 3)


class OtherSettings(Sound):
    """Says another rate when it has learned."""

    def settings(self) -> dict[str, Any]:
        return {"rate": 2.0 if self.rounds else self.rate}


class LearnsLess(Sound):
    """Learns less with every one of its kind."""

    made = 0

    def __init__(self, rate: float = 1.0) -> None:
        super().__init__(rate)
        LearnsLess.made += 1
        self._step = 1.0 / LearnsLess.made

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights}

    def set_state(self, state: dict[str, Any]) -> None:
        self.weights = state["weights"]

    def _learn(self, x: Any, y: float, weight: float) -> None:
        super()._learn(x, y, weight * self._step)


class Meddles(Sound):
    """Has all others of its kind that have learned count its rows."""

    learned: list[Any] = []  # noqa: RUF012

    def _learn(self, x: Any, y: float, weight: float) -> None:
        super()._learn(x, y, weight)
        for other in self.learned:
            other.rounds += other is not self
        if self not in self.learned:
            self.learned.append(self)


class Idle(Sound):
    """Learns nothing."""

    def _learn(self, x: Any, y: float, weight: float) -> None:
        pass


class KeepsTheLearned(Holder):
    """Begins with what the learner it was given had learned."""

    def __init__(self, model: Any, copied: bool = True) -> None:
        super().__init__(model, copied)
        self.member = copy.deepcopy(model)


@register("test.checks.forgets-its-rounds")
class ForgetsItsRounds(Sound):
    """Stores its weights, and not how many rounds it has learned."""

    def state(self) -> dict[str, Any]:
        return {"weights": dict(self.weights)}

    def set_state(self, state: dict[str, Any]) -> None:
        self.weights = dict(state["weights"])

    def _learn(self, x: Any, y: float, weight: float) -> None:
        self.rounds += 1
        if self.rounds == 60:
            self.weights["a word that no row has"] = 1.0
        elif y * self.predict_one(x) <= 0:
            self.weights |= {name: self.weights.get(name, 0.0) + y * value for name, value in x.items()}


class RefusesLate(Sound):
    """Counts a row whose value it refuses as too large."""

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
        self._check(x, y, weight)
        self.rounds += any(abs(value) > 1e38 for value in x.values())
        if any(abs(value) > 1e38 for value in x.values()):
            raise ValueError("expected smaller values")
        super().learn_one(x, y, weight)


class Overflows(Sound):
    """Adds up all values as 32-bit floats."""

    def __init__(self, rate: float = 1.0) -> None:
        super().__init__(rate)
        self.total = 0.0

    def predict_one(self, x: Any) -> float:
        return super().predict_one(x) + self.total

    def _learn(self, x: Any, y: float, weight: float) -> None:
        super()._learn(x, y, weight)
        with np.errstate(over="ignore"):
            self.total += float(np.float32(sum(x.values())))


class TakesMoreLabels(Sound):
    """Takes as many labels as there are rows, and does not mind more."""

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> Any:
        return super().learn_many(X, list(y)[: len(X)], weight)


def test_a_sound_learner_passes() -> None:
    reasons = checks.check_learner(Sound())
    assert reasons == {check.__name__: None for check in checks.ALL} | {
        "check_prototype_is_copied": "its constructor takes no learner"
    }
    assert checks.check_learner(lambda: Holder(Sound()))["check_prototype_is_copied"] is None


@pytest.mark.parametrize(
    ("check", "make", "sentence"),
    [
        (checks.check_face, Silent, "has no docstring"),
        (checks.check_face, Changing, "but another for an equal learner"),
        (checks.check_face, Mute, "has no method learn_one"),
        (checks.check_face, Nameless, "repr is `a learner`, expected the name of the class in it"),
        (checks.check_predict_is_pure, Counts, "changed its state when it predicted"),
        (checks.check_predict_is_pure, Drifts, "where it had predicted"),
        (checks.check_many_equal_single, Backwards, "learn_many returned other predictions"),
        (checks.check_many_equal_single, After, "learn_many returned other predictions"),
        (checks.check_many_equal_single, LearnsOnceMore, "learn_many learned otherwise than learn_one"),
        (checks.check_many_equal_single, PredictsManyRoughly, "predict_many predicted otherwise"),
        (checks.check_weight_zero, Weightless, "changed its state by a row of weight 0"),
        (checks.check_weight_zero, WeightlessLater, "changed its state by a row of weight 0"),
        (checks.check_empty_row, InfiniteForNothing, "for a row without features, expected finite numbers"),
        (checks.check_empty_row, CountsZeros, "for a row of zeros, but"),
        (checks.check_wrong_rows, TakesAnything, "took the value nan, expected a ValueError or TypeError"),
        (checks.check_wrong_rows, TooLate, "refused the value nan, but changed its state"),
        (checks.check_wrong_rows, RefusesLate, "refused the value 1e39, but changed its state"),
        (checks.check_wrong_rows, Overflows, "is not finite after the value 1e39"),
        (checks.check_wrong_labels, TakesMoreLabels, "took 3 labels for 2 rows"),
        (checks.check_wrong_labels, TakesAnything, "took the label nan"),
        (checks.check_wrong_labels, TooLate, "but changed its state"),
        (checks.check_wrong_weights, TakesAnything, "took the weight -1.0"),
        (checks.check_wrong_weights, TooLate, "but changed its state"),
        (checks.check_fresh, Remembers, "remembers something"),
        (checks.check_fresh, OtherSettings, "has other settings"),
        (checks.check_fresh, LearnsLess, "learned otherwise than its model did"),
        (checks.check_fresh, Meddles, "changed when its fresh copy learned"),
        (checks.check_fresh, Idle, "holds nothing after 40 rows"),
        (checks.check_round_trips, Forgets, "predicts otherwise after"),
        (checks.check_round_trips, ForgetsItsRounds, "learns otherwise after"),
        (checks.check_prototype_is_copied, lambda: KeepsTheLearned(Sound()), "had learned"),
        (checks.check_prototype_is_copied, lambda: Holder(Sound(), copied=False), "taught the learner it was given"),
        (checks.check_threads, Racing, "in two threads learned otherwise"),
    ],
)
def test_a_check_bites(check: Any, make: Any, sentence: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check(make)
    assert sentence in str(caught.value)
    with pytest.raises(AssertionError):
        checks.check_learner(make)


def test_an_empty_row_must_work() -> None:
    with pytest.raises(ZeroDivisionError):
        checks.check_empty_row(NeedsFeatures)


def test_all_lists_every_check() -> None:
    public = {name for name in checks.__all__ if name.startswith("check_")}
    every = (*checks.ALL, *checks.PLAYER, *checks.POINT_PLAYER)
    assert public - {"check_learner", "check_player", "check_point_player"} == {check.__name__ for check in every}
