"""The default: a panel that needs no knobs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit import registry
from afterwit._core import Lock, Model, panel_view
from afterwit.dense import Neighbours, Network, OnlineNewton, RollingTrees
from afterwit.errors import quoted
from afterwit.experts import AdaNormalHedge, AdaNormalHedgeTV
from afterwit.features import Features
from afterwit.linear import (
    AdaGrad,
    Arow,
    CoinBetting,
    DiagonalNewton,
    NormalizedGradientDescent,
    OneVsAll,
    PassiveAggressive,
)
from afterwit.numbers import boolean
from afterwit.panel.combiners import Combiner, Stacking, usual
from afterwit.panel.panel import Panel, gains_of, holds_of
from afterwit.panel.standing import Standing, standing
from afterwit.protocols import Batch, ClassName, Labels, Learner, Wants
from afterwit.registry import register
from afterwit.schema import Schema
from afterwit.shown import model_html
from afterwit.streams.arrays import labelled
from afterwit.threads import locked

TASKS = {"binary": "binary", "classes": "classes", "numbers": "real"}


@register("auto")
class Auto:
    """Nothing to choose: many learners, linear and not, as one.

    A panel on a panel. Below, fifteen linear learners, of numbers fourteen: AdaGrad at three rates, gradient descent
    that never slows down, coin betting, AROW and others, and Newton's steps with the whole matrix where there are at
    most 64 features. Above, these and what became of them, boosted trees over a window of 4,096 rows, others upon the
    linear prediction over up to 16,384, a network and a window of neighbours; with more than 320 features (trees:
    1,000, if rows are not sparse) these sleep. Both levels mix and stack what their members say (`Panel`); with
    `drift=True` the mixtures forget. `nonlinear=False` leaves the lower panel alone.

    `task` is "binary", "classes" or "numbers". Without it the first labels tell: words, booleans and two different
    values are classes, other numbers are numbers; that is decided once. `learn_one` decides by one label, which must be
    a word, a boolean, -1, 0 or 1. Of several classes there is one panel of thirteen learners for all of them, and more
    of them may come.

    Guarantee: in the Brier score (of numbers: squared errors in units of the range of the labels) it does nearly as
    well as the best of its members, as `standing()` says with the bound beside it; none for errors and log loss.
    Cost: O(non-zeros) per row for the linear ones, and about 6 microseconds per row of ten features for all; a row at
    which trees grow and look for new bins takes 1 ms, of 300 features 16.
    Memory: 128 bytes a feature that was met, 68 for each class of several, and 5 d + 24 bytes for each row of d columns
    in the windows of the trees: 1.5 MB for ten columns, 17 for 300.
    References: Luo 2016 (the players); docs/sources.md (the members).

    >>> model = Auto()
    >>> for k in range(400):
    ...     model.learn_one({"a": k % 7, "b": k % 5}, (k % 7 > 3) != (k % 5 > 2))
    >>> model.predict_one({"a": 5.0, "b": 1.0}) > 0 > model.predict_one({"a": 5.0, "b": 4.0})
    True
    """

    schema: Schema | None = None

    def __init__(
        self, task: str | None = None, drift: bool = False, nonlinear: bool = True, features: Features | None = None
    ) -> None:
        if task is not None and task not in TASKS:
            raise ValueError(f"task is {quoted(str(task))}, expected one of {', '.join(TASKS)}, or none")
        if features is not None and not isinstance(features, Features):
            raise TypeError(f"features is a `{type(features).__name__}`, expected Features")
        self.task, self.drift, self.nonlinear = task, boolean("drift", drift), boolean("nonlinear", nonlinear)
        self.features = features or Features()
        self._labels = Labels("auto")
        self.model: Panel | OneVsAll | None = None
        self._lock = Lock()
        if task is not None:
            self.decide(Labels(TASKS[task]))

    @property
    def labels(self) -> Labels:
        """Which labels it learns from; of kind "auto" as long as that is not decided."""
        return self._labels

    @property
    def loss(self) -> str:
        return "squared" if self._labels.kind == "real" else "logistic"

    @property
    def classes(self) -> list[ClassName]:
        """The names of the classes, where they have some."""
        return self.model.classes if isinstance(self.model, OneVsAll) else list(self._labels.classes or ())

    @property
    def wants(self) -> Wants:
        """What it must know of the features."""
        return self.features.wants

    @locked
    def decide(self, labels: Labels) -> None:
        """Takes the task that these labels are; once."""
        if self.model is not None:
            raise ValueError(f"the task is decided: labels of kind `{self._labels.kind}`")
        if labels.kind not in TASKS.values():
            raise ValueError(f"labels are of kind `{labels.kind}`, expected one of {', '.join(TASKS.values())}")
        self._labels = labels
        if labels.kind == "classes":
            self._plan = self._several_classes()
            self.model = OneVsAll(self._plan, labels.classes)
        else:
            self.model = self._panel("squared" if labels.kind == "real" else "logistic")
        self._bind()

    def predict_one(self, x: Any) -> Any:
        """The margin or number for one row; 0 before the first label."""
        return 0.0 if self.model is None else self.model.predict_one(x)

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> None:
        """Learns one row and its label."""
        with self._lock:
            if self.model is None:
                self._lock.refuse_nested()
                first = self._decided(_task_of(y))
                first.learn_one(x, y, weight)
                return self._take(first) if weight != 0.0 else None
        names = self._labels.classes
        if names is not None and self._labels.kind == "binary":
            if y not in names:
                raise ValueError(f"the label is `{y!r}`, expected one of {list(names)}")
            y = 1.0 if y == names[1] else -1.0
        self.model.learn_one(x, y, weight)

    def predict_many(self, X: Any) -> npt.NDArray[np.float64]:
        """The margins or numbers for all rows of X; for several classes, one row of them per row."""
        if self.model is None:
            return np.zeros(len(X) if isinstance(X, Batch) else np.shape(X)[0])
        return self.model.predict_many(X)

    def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> npt.NDArray[np.float64]:
        """Learns the rows in order; the predictions made before each row was learned."""
        with self._lock:
            if self.model is None:
                self._lock.refuse_nested()
            batch = labelled(X, y, weight, self._labels, wants=self.wants)
            if self.model is not None:
                return self.model.learn_many(batch)
            if batch.labels is None:
                raise ValueError("the batch does not say which labels it has; give the learner a `task`")
            first = self._decided(batch.labels)
            raw = first.learn_many(batch)
            if len(batch) > 0 and (batch.weight is None or np.any(batch.weight)):
                self._take(first)
            return raw

    def standing(self) -> Standing:
        """How its members have done so far, who sleeps, and what the theorem says."""
        panel, kernel = self._playing()
        return standing(panel, panel_view(kernel))

    def coef(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """The weights of its best linear member by feature name."""
        if not isinstance(self.model, Panel):
            raise ValueError(
                "of several classes there is no best linear member" if self.model else "nothing is learned"
            )
        return self.model.coef(names)

    def gains(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """What the splits of its best trees have gained, by feature: of all that were split on, or of `names`."""
        panel, kernel = self._playing()
        return gains_of(panel, kernel, self.standing(), names)

    def holds(self) -> dict[str, dict[str, int]]:
        """What its members keep beside weights: rows or trees, of how many at most."""
        return holds_of(*self._playing())

    def settings(self) -> dict[str, Any]:
        return {"task": self.task, "drift": self.drift, "nonlinear": self.nonlinear, "features": self.features}

    @locked
    def state(self) -> dict[str, Any]:
        classes = None if self._labels.classes is None else list(self._labels.classes)
        learned = None if self.model is None else registry.state(self.model, copy=False)
        return {"labels": self._labels.kind, "classes": classes, "model": learned}

    @locked
    def set_state(self, state: dict[str, Any]) -> None:
        kind, classes = state["labels"], state["classes"]
        if self.task is not None and kind != TASKS[self.task]:
            raise ValueError(f"the state's labels are of kind {quoted(str(kind))}, and the task is `{self.task}`")
        if kind == "auto":
            return self._take(Auto(None, self.drift, self.nonlinear, self.features))
        other = self._decided(Labels(kind, None if classes is None else tuple(classes)))
        assert other.model is not None
        other.model.set_state(state["model"])
        self._take(other)

    def _decided(self, labels: Labels) -> Auto:
        """A new one with these settings that has decided."""
        other = Auto(None, self.drift, self.nonlinear, self.features)
        other.decide(labels)
        return other

    def _playing(self) -> tuple[Panel, Model]:
        """The panel, and who plays it: itself, or for several classes a model beside it."""
        if self.model is None:
            raise ValueError("no label was met yet")
        if isinstance(self.model, Panel):
            return self.model, self.model
        assert isinstance(self.model._kernel, Model)
        return self._plan, self.model._kernel

    def _take(self, other: Auto) -> None:
        """Becomes the other one, all but the task that it was given."""
        self.__dict__.update(other.__dict__ | {"task": self.task, "_lock": self._lock})
        self._bind()

    def _bind(self) -> None:
        """Calls go to the core's own methods, which are quicker, where nothing stands between."""
        for name in ("predict_one", "learn_one"):
            self.__dict__.pop(name, None)
        if self.model is not None and not self._labels.classes and type(self) is Auto:
            self.predict_one, self.learn_one = self.model.predict_one, self.model.learn_one  # type: ignore[method-assign]

    __reduce__, __getstate__, __setstate__ = registry.reduce, registry.getstate, registry.setstate
    _repr_html_ = model_html

    def __repr__(self) -> str:
        given = {"task": self.task, "drift": self.drift or None, "nonlinear": None if self.nonlinear else False}
        words = [f"{name}={value!r}" for name, value in given.items() if value is not None]
        if self.features != Features():
            words.append(f"features={self.features!r}")
        return f"Auto({', '.join(words)})"

    def _panel(self, loss: str) -> Panel:
        player = AdaNormalHedgeTV if self.drift else AdaNormalHedge
        linear = Panel(linear_members(loss), player=player(), loss=loss, features=self.features)
        if not self.nonlinear:
            return linear
        members: dict[str, Learner] = {
            "linear": linear,
            "trees": RollingTrees(trees=50, rate=0.2, loss=loss),
            "trees on linear": RollingTrees(trees=200, window=16384, rate=0.2, loss=loss),
            "network": Network(loss=loss),
            "neighbours": Neighbours(3, 2000, loss=loss),
        }
        offsets = {"trees on linear": "linear"}
        return Panel(members, top_combiners(loss), player(), ["linear"], offsets, loss, self.features)

    def _several_classes(self) -> Panel:
        members: dict[str, Learner] = {
            "AdaGrad 0.5": AdaGrad(0.5, normalized=True),
            "AdaGrad 2": AdaGrad(2.0, normalized=True),
            "AdaGrad 25": AdaGrad(25.0, normalized=True),
            "coin betting 16": CoinBetting(16.0, normalized=True),
            "coin betting 64": CoinBetting(64.0, normalized=True),
            "plain AdaGrad": AdaGrad(0.2),
            "passive-aggressive": PassiveAggressive(0.1, normalized=True),
            "Newton 1": OnlineNewton(1.0, width=64),
            "Newton 0.1, walking": OnlineNewton(0.1, walk=1e-4, width=64),
        }
        if self.nonlinear:
            members |= {"network": Network(), "neighbours": Neighbours(3, 2000), "trees": RollingTrees(rate=0.15)}
            members |= {"slow trees": RollingTrees(window=16384, rate=0.15)}
        return Panel(members, player=(AdaNormalHedgeTV if self.drift else AdaNormalHedge)(), features=self.features)


def linear_members(loss: str) -> dict[str, Learner]:
    """The lower panel's: those in one pass over the row, and five with the whole matrix."""
    numbers = loss == "squared"
    # Of numbers plain AdaGrad's first steps overshoot their whole range: it is chaotic there, and brings nothing.
    plain = {} if numbers else {"plain AdaGrad": AdaGrad(0.2)}
    return {
        "AdaGrad 0.5": AdaGrad(0.5, normalized=True, loss=loss),
        "AdaGrad 2": AdaGrad(2.0, normalized=True, loss=loss),
        "AdaGrad 25": AdaGrad(25.0, normalized=True, loss=loss),
        "gradient descent": NormalizedGradientDescent(0.1, loss=loss),
        "coin betting 16": CoinBetting(16.0, normalized=True, loss=loss),
        "coin betting 64": CoinBetting(64.0, normalized=True, loss=loss),
        **plain,
        "passive-aggressive": PassiveAggressive(0.1, normalized=True, loss="absolute" if numbers else "hinge"),
        "AROW": Arow(1.0, normalized=True, loss="squared" if numbers else "hinge"),
        "diagonal Newton": DiagonalNewton(1.0, normalized=True, loss=loss),
        "Newton 0.1": OnlineNewton(0.1, width=64, loss=loss),
        "Newton 10": OnlineNewton(10.0, width=64, loss=loss),
        "Newton, walking slowly": OnlineNewton(1.0, walk=1e-4, width=64, loss=loss),
        "Newton, walking": OnlineNewton(1.0, walk=1e-3, width=64, loss=loss),
        "Newton, fading": OnlineNewton(1.0, fading=True, width=64, loss=loss),
    }


def top_combiners(loss: str) -> list[Combiner]:
    """The upper panel's: the usual ones, and stackers that hold to the mean of its few members more and less."""
    numbers = loss == "squared"
    loose, firm = (0.1, 10.0) if numbers else (1.0, 100.0)
    return [*usual(numbers), Stacking(loose), Stacking(walk=1e-3), Stacking(firm)]


def _task_of(y: Any) -> Labels:
    """What one label tells."""
    if isinstance(y, str):
        return Labels("classes")
    if isinstance(y, (bool, np.bool_)) or y in (-1, 0, 1):
        return Labels("binary")
    raise ValueError(
        f"the label is `{y!r}`, which may be a number or a class; say which with Auto(task='numbers'), "
        "task='binary' or task='classes'"
    )
