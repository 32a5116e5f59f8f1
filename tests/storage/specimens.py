"""Valid files of every class that a file can hold, and what can be done with the model of one."""

from __future__ import annotations

import contextlib
import io
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from afterwit import registry
from afterwit.bandits import Exp3
from afterwit.checks.learners import examples, teach
from afterwit.checks.players import rounds
from afterwit.cli import inspect
from afterwit.convex import Ball, Box, Reals, Simplex
from afterwit.convex.player import Player as PointPlayer
from afterwit.experts import FollowTheLeadingHistory, Hedge, Mixture, Randomized
from afterwit.experts.player import Player
from afterwit.features import Features
from afterwit.learning import Lesson
from afterwit.learning.checkpoint import resume, write_checkpoint
from afterwit.linear import AdaGrad, OneVsAll, Pegasos
from afterwit.panel import Auto, Mixing, Sharing, Stacking
from afterwit.registry.names import _classes
from afterwit.storage import load, read_container, save
from afterwit.streams import read
from afterwit.trees import TreeExperts
from tests.convex.test_every_point_player import PLAYERS as POINT_PLAYERS
from tests.dense import specimen as dense
from tests.linear.rules import rules
from tests.linear.specimen import every
from tests.panel.specimens import small
from tests.test_every_player import PLAYERS
from tests.trees import specimen as trees

SMALL, EXACT = Features(bits=6), Features(names="exact", interactions=["*"])
LEARNERS = [
    *(each.make(features=EXACT) for each in every().values()),
    *rules(SMALL).values(),
    *(each.make(loss="logistic", features=SMALL) for each in dense.every().values()),
    *(each.make(loss="squared", features=EXACT) for each in dense.every().values()),
    *trees.models(SMALL),
    *trees.models(EXACT)[1:6:2],
    OneVsAll(TreeExperts(depth=3, features=SMALL)),
    OneVsAll(AdaGrad(normalized=True, features=SMALL)),
    OneVsAll(Pegasos(features=EXACT), classes=["a", 3, "b"]),
    OneVsAll(Mixture(), classes=["a", "b"]),
    small(features=SMALL),
    small("squared", EXACT, guests={"guest": Mixture()}),
    Auto(features=EXACT),
    Auto("numbers", drift=True, nonlinear=False, features=SMALL),
    Mixing(Hedge(rate=0.3)),
    Sharing(),
    Stacking(penalty=2.0, walk=0.1, deep=True),
    Features(keep=["a"], text=["subject:2"]),
]
MIXTURES = [
    Mixture(),
    Mixture(Hedge(rate=0.3, experts=["x", "y"]), loss="absolute", forecast_range=(0.0, 2.0)),
    Mixture(Randomized(FollowTheLeadingHistory(Hedge()))),
]
BANDITS = [Exp3(3, seed=2), Exp3(["a", "b"], horizon=9, loss_range=(-1.0, 2.0))]
DOMAINS = [Reals(2), Ball(2.0, 3), Box([-1.0, 0.0], [2.0, 1.0]), Simplex(4)]
EVERYTHING = [*LEARNERS, *MIXTURES, *PLAYERS, *POINT_PLAYERS, *BANDITS, *DOMAINS]
#: What the command line asks of `inspect`.
INSPECT = {"top": 20, "data": None}


def shipped() -> set[type]:
    """The classes that any file may name."""
    return {cls for cls in _classes.values() if cls.__module__.startswith("afterwit.")}


def contents(folder: Path) -> list[tuple[str, str, Any]]:
    """(label, kind, content) of valid files: each model fresh and after some rows, and checkpoints in the middle."""
    found = []
    for model in EVERYTHING:
        for taught in (False, True):
            some = registry.fresh(model)
            if taught:
                for _, act in acts(some):
                    with contextlib.suppress(ValueError, TypeError):
                        act()
            save(some, folder / "model")
            found.append((f"{model!r}{', taught' * taught}", "model", read_container(folder / "model", "model")))
    for name in LESSONS:
        lesson = LESSONS[name]()
        next(lesson.steps())
        write_checkpoint(folder / "checkpoint", lesson, {"predictions": {"size": 3, "crc": 5}})
        found.append((name, "checkpoint", read_container(folder / "checkpoint", "checkpoint")))
    return found


def _lesson(model: Any, classes: bool) -> Lesson:
    rows = [(x, y) for x, y, _ in examples(model, rows=60, seed=5)]
    return Lesson(registry.fresh(model), read(rows, batch_rows=20), 2, holdout=5, window=7)


LESSONS: dict[str, Callable[[], Lesson]] = {
    "lesson of AdaGrad": lambda: _lesson(AdaGrad(features=SMALL), False),
    "lesson of OneVsAll": lambda: _lesson(OneVsAll(Pegasos(features=EXACT)), True),
}


def use(label: str, kind: str, path: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Loads a file, then the steps of using what it holds; the first step is the loading."""
    if kind == "checkpoint":
        lesson = LESSONS[label]()
        yield "resume", lambda: resume(path, lesson)
        yield "learn", lambda: [None for _ in lesson.steps()]
        yield "report", lambda: lesson.report().to_json()
        return
    models: list[Any] = []
    yield "load", lambda: models.append(load(path))
    yield from acts(models[0])
    again = path.with_name("again")
    yield "save", lambda: save(models[0], again)
    yield "load what was saved", lambda: load(again)
    yield "inspect", lambda: _inspected(path)


def acts(model: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What can be done with a model, step by step."""
    yield "repr", lambda: repr(model)
    if isinstance(model, Player):
        yield "play", lambda: model.play()
        for row in _rows(model, 4):
            yield "update", lambda row=row: model.update(row)
        yield "run", lambda: model.run(_rows(model, 4))
        yield "regret_bound", lambda: model.regret_bound()  # type: ignore[attr-defined]
    elif isinstance(model, Mixture):
        for y in (0.5, 1.5, 0.25):
            row = {"x": y, "y": 2.0 * y} if model._playing._roster.names != () else {}
            yield "predict_one", lambda row=row: model.predict_one(row)
            yield "learn_one", lambda row=row, y=y: model.learn_one(row, y)
        yield "weights", lambda: model.weights()
        yield "regret_bound", lambda: model.regret_bound()
    elif isinstance(model, PointPlayer):
        v = np.linspace(-1.0, 0.5, model.domain.size)
        yield "play", lambda: model.play()
        yield "update", lambda: model.update(v)
        yield "run", lambda: model.run(np.tile(v, (3, 1)))
        yield "regret_bound", lambda: model.regret_bound()
    elif isinstance(model, Exp3):
        yield "update", lambda: model.update(model.draw(), model.loss_range[0])
        yield "run", lambda: model.run(np.full((3, model._size), model.loss_range[1]))
        yield "weights", lambda: model.weights()
        yield "regret_bound", lambda: model.regret_bound()
    elif hasattr(model, "learn_one"):
        some = examples(model, rows=3)
        yield "predict_one", lambda: model.predict_one(some[0].x)
        yield "learn_one", lambda: teach(model, some)
        yield "learn_many", lambda: model.learn_many([each.x for each in some], [each.y for each in some])
        if hasattr(model, "coef"):
            yield "coef", lambda: model.coef()
        if hasattr(model, "standing"):
            yield "standing", lambda: str(model.standing())


def _rows(player: Player, count: int) -> list[Any]:
    """Losses for the experts that it has now."""
    names, size = player._roster.names, player._roster.size
    losses = rounds(player, count)
    if size is not None and losses.shape[1] != size:
        low, high = player._limits
        losses = np.tile(np.linspace(low, high, size), (count, 1))
    return list(losses) if names is None else [dict(zip(names, row.tolist(), strict=True)) for row in losses]


def _inspected(path: Path) -> None:
    for as_json in (False, True):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            inspect.run(Namespace(model=path, json=as_json, **INSPECT))
        assert all(line.isprintable() for line in said.getvalue().splitlines()), said.getvalue()
