"""Every public learner, in many settings, satisfies every check."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import afterwit.dense
import afterwit.linear
import afterwit.trees
from afterwit import checks, registry
from afterwit.features import Features
from afterwit.linear import OneVsAll
from afterwit.panel import Auto, Panel
from afterwit.protocols import Learner
from tests.dense import specimen as dense
from tests.linear.rules import every_learner
from tests.panel import specimens as panel
from tests.trees import specimen as trees

# Six bits for sixty names: features meet in one slot.
LAYOUTS = [
    *(Features(bits=bits, names=names, intercept=intercept) for bits in (6,) for names in ("hashed", "exact")
      for intercept in (True, False)),
    Features(bits=10, seed=7),
]  # fmt: skip


def public_learners() -> list[type]:
    rooms = afterwit.linear, afterwit.dense, afterwit.trees
    named = [getattr(room, name) for room in rooms for name in room.__all__]
    return [each for each in named if isinstance(each, type)] + [Panel, Auto]


def prototypes() -> list[Any]:
    """All settings over all layouts of features."""
    columns = [model for features in LAYOUTS[::2] for each in dense.every().values() for model in each.models(features)]
    panels = [model for features in LAYOUTS[::2] for model in panel.models(features)]
    grown = [model for features in LAYOUTS[::2] for model in trees.models(features)]
    return [*(model for features in LAYOUTS for model in every_learner(features)), *columns, *panels, *grown]


def is_panel(model: Any) -> bool:
    return isinstance(model, (Panel, Auto))


@registry.register("test.tiny")
class Tiny:
    """Two methods and nothing else: a perceptron on dicts."""

    def __init__(self, rate: float = 1.0) -> None:
        self.rate = rate
        self.weights: dict[str, float] = {}

    def predict_one(self, x: dict[str, float]) -> float:
        if not all(map(math.isfinite, x.values())):
            raise ValueError("expected finite values")
        return sum(self.weights.get(name, 0.0) * value for name, value in x.items())

    def learn_one(self, x: dict[str, float], y: float, weight: float = 1.0) -> None:
        if not 0.0 <= weight < math.inf:
            raise ValueError("expected a weight of 0 or more")
        if y * self.predict_one(x) <= 0 and weight > 0:
            for name, value in x.items():
                self.weights[name] = self.weights.get(name, 0.0) + self.rate * weight * y * value


@registry.register("test.tidy")
class Tidy(Tiny):
    """Tiny, and says what it is."""

    def __repr__(self) -> str:
        return f"Tidy(rate={self.rate})"


PLAIN = prototypes()
SEVERAL = [
    *(OneVsAll(model) for model in PLAIN if model.features in (LAYOUTS[0], LAYOUTS[3]) and not is_panel(model)),
    OneVsAll(PLAIN[0], classes=["a", 3, "b"]),
    OneVsAll(Tidy()),
]
PANELS = [panel.small(guests={"guest": Tidy()}, features=LAYOUTS[3]), Auto("binary", drift=True, features=LAYOUTS[4])]
PANELS += [Auto("numbers", nonlinear=False, features=LAYOUTS[1])]


@pytest.mark.parametrize("check", checks.ALL, ids=lambda check: check.__name__)
@pytest.mark.parametrize("model", [*PLAIN, *SEVERAL, *PANELS], ids=repr)
def test_every_learner(model: Learner, check: Callable[[Any], str | None]) -> None:
    reason = check(model)
    copies = check is checks.check_prototype_is_copied and not isinstance(model, OneVsAll)
    assert reason == ("its constructor takes no learner" if copies else None)


def test_every_public_class_is_checked() -> None:
    classes = public_learners()
    assert all(isinstance(cls, type) and callable(cls.learn_one) for cls in classes)
    assert {type(model) for model in [*PLAIN, *SEVERAL]} == set(classes)
    assert all(registry.name_of(model) for model in [*PLAIN, *SEVERAL])


def test_a_learner_with_two_methods_is_checked_as_far_as_it_goes() -> None:
    skipped = {name for name, reason in checks.check_learner(Tiny).items() if reason is not None}
    assert skipped == {"check_face", "check_many_equal_single", "check_wrong_labels", "check_prototype_is_copied"}
    assert checks.check_learner(Tiny(0.5)) == checks.check_learner(lambda: Tiny(0.5))
