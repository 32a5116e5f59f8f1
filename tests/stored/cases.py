"""Every learner and player over fixed rows and rounds, in halves: what they said, and all that they kept, as hashes.

`python -m tests.stored.cases FOLDER` writes the files of version 0.1.0 before its kernel and its players were rebuilt;
the files beside this one are what it wrote. A learner or player that came later has no file.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import afterwit as aw
from afterwit import Features, registry
from afterwit.experts import (
    AdaNormalHedge,
    AdaNormalHedgeTV,
    AdaptMLProd,
    Boa,
    FixedShare,
    FollowTheLeadingHistory,
    Halving,
    Hedge,
    Mixture,
    MLPol,
    NormalHedge,
    NormalHedgeDT,
    Randomized,
    TwoNorm,
)
from afterwit.learning import Lesson
from afterwit.learning.checkpoint import write_checkpoint
from afterwit.linear import AdaGrad, GradientDescent, OneVsAll, Pegasos, Perceptron

ROWS, HALF = 2000, 1000
LOSSES = ["squared", "logistic", "hinge", "absolute", "quantile:0.3"]
SMALL = Features(bits=6, rules=1)
EXACT = Features(names="exact", rules=1, interactions=["user*city"], text=["title:2"])
WIDE = Features(bits=18, seed=7, intercept=False, rules=1)
TITLES = ["a b c", "the quick brown fox", "b a", "", "fox the fox"]


def rows() -> list[tuple[dict[str, Any], float, float]]:
    """(row, number, weight): numbers small and large, words, a namespace, a text, zeros, and empty rows."""
    random = Random(1)
    found = []
    for r in range(ROWS):
        x: dict[str, Any] = {}
        for name in random.sample(range(40), random.randint(0, 24)):
            x[f"n{name}" if name % 2 else str(name)] = random.gauss(0.0, 1.0) * 10.0 ** random.randint(-3, 3)
        if r % 3:
            x["city"] = random.choice(["Rome", "Oslo", "Zürich"])
            x["user"] = {str(random.randint(0, 9)): 1.0, "age": random.random()}
            x["title"] = random.choice(TITLES)
        if r % 50 == 7:
            x = {"zero": 0.0} if r % 100 == 7 else {}
        y = math.copysign(1.0, sum(v for v in x.values() if isinstance(v, float)) + random.gauss(0.0, 1.0))
        found.append((x, y, random.choice([1.0, 1.0, 1.0, 0.0, 0.25, 3.0])))
    return found


def classes(taught: list[tuple[dict[str, Any], float, float]]) -> list[str]:
    """Three classes, the last of which comes late."""
    late = [r > 300 and len(x) % 5 == 0 for r, (x, _, _) in enumerate(taught)]
    return ["late" if is_late else "up" if y > 0 else "down" for is_late, (_, y, _) in zip(late, taught, strict=True)]


def learners() -> dict[str, Any]:
    """Each under the name of its file."""
    makers: dict[str, Callable[..., Any]] = {
        "perceptron": lambda loss, features: Perceptron(features),
        "gradient-descent": lambda loss, features: GradientDescent(loss=loss, features=features),
        "ball": lambda loss, features: GradientDescent(rate=0.1, radius=2.0, loss=loss, features=features),
        "pegasos": lambda loss, features: Pegasos(strength=0.01, loss=loss, features=features),
        "adagrad": lambda loss, features: AdaGrad(loss=loss, features=features),
        "normalized": lambda loss, features: AdaGrad(normalized=True, loss=loss, features=features),
    }
    found = {}
    for name, make in makers.items():
        for loss in LOSSES if name != "perceptron" else ["hinge"]:
            found[f"{name}-{loss.replace(':', '')}"] = make(loss, SMALL)
        found[f"{name}-exact"] = make("logistic", EXACT)
        found[f"{name}-wide"] = make("logistic", WIDE)
        found[f"classes-{name}"] = OneVsAll(make("logistic", SMALL))
        found[f"classes-{name}-exact"] = OneVsAll(make("hinge", EXACT), classes=["up", "down", "late", "never"])
    return found


def players() -> dict[str, Any]:
    plain = (AdaNormalHedge, NormalHedgeDT, NormalHedge, TwoNorm, AdaptMLProd, Boa, MLPol)
    return {
        **{cls.__name__: cls() for cls in plain},
        "Halving": Halving(),
        "Hedge": Hedge(),
        "Hedge-rate": Hedge(rate=0.3, loss_range=(-1.0, 2.0)),
        "AdaNormalHedge-prior": AdaNormalHedge(prior=[0.5, 0.0, 3.0, 1.0, 1e-200, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
        "FixedShare": FixedShare(),
        "FixedShare-rate": FixedShare(rate=0.3, share=0.1),
        "AdaNormalHedgeTV": AdaNormalHedgeTV(),
        "FollowTheLeadingHistory": FollowTheLeadingHistory(Hedge(rate=0.3)),
        "FollowTheLeadingHistory-rate": FollowTheLeadingHistory(MLPol(), rate=0.5),
        "Randomized": Randomized(Hedge(rate=0.3), seed=3),
        "Randomized-other": Randomized(AdaNormalHedge(), seed=4),
        "Mixture": Mixture(),
        "Mixture-hedge": Mixture(Hedge(rate=0.2), loss="absolute", forecast_range=(-9.0, 9.0)),
        "Mixture-losses": in_one_scale(Mixture(MLPol(), loss="squared", gradient=False)),
    }


def in_one_scale(model: Mixture) -> Mixture:
    """As it was before there was a form for losses of any scale."""
    model.set_state({"player": registry.fresh(model.player), "scale": 0.0})
    return model


def rounds(player: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Losses of 11 experts; some asleep where the player had a form for it then."""
    random = Random(2)
    low, high = player.loss_range
    L = np.array([[random.random() ** (1 + i % 3) for i in range(11)] for _ in range(ROWS // 2)]) * (high - low) + low
    if isinstance(player, Halving):
        L = (L > 0.5).astype(np.float64)
        L[:, 3] = 0.0
    if player.sleeps and not isinstance(getattr(player, "player", player), (Halving, Hedge, FixedShare)):
        L[np.array([[random.random() < 0.1 for _ in range(11)] for _ in range(ROWS // 2)])] = np.nan
    return L


def forecasts() -> tuple[np.ndarray[Any, np.dtype[np.float64]], np.ndarray[Any, np.dtype[np.float64]]]:
    random = Random(3)
    y = np.array([math.sin(t / 9.0) + random.gauss(0.0, 0.1) for t in range(ROWS // 2)])
    F = np.array([[y[t] + random.gauss(0.0, 0.1 + i / 10.0) for i in range(7)] for t in range(ROWS // 2)])
    return F, y


def digest(value: Any) -> str:
    """A hash of plain data, in every type and bit."""
    found = hashlib.sha256()

    def add(value: Any) -> None:
        found.update(type(value).__name__.encode())
        if isinstance(value, dict):
            for key in sorted(value):
                found.update(key.encode())
                add(value[key])
        elif isinstance(value, (list, tuple)):
            for each in value:
                add(each)
        elif isinstance(value, (np.ndarray, np.generic)):
            found.update(str((value.dtype, value.shape)).encode() + value.tobytes())
        else:
            found.update(repr(value).encode())

    add(value)
    return found.hexdigest()[:24]


def learn(model: Any, first: int, last: int) -> Any:
    """Rows first to last: a quarter one by one, the rest in one call; the predictions."""
    taught = rows()
    y: list[Any] = classes(taught) if isinstance(model, OneVsAll) else [y for _, y, _ in taught]
    raw = []
    middle = first + (last - first) // 4
    for r in range(first, middle):
        raw.append(np.atleast_1d(model.predict_one(taught[r][0])).tolist())
        model.learn_one(taught[r][0], y[r], taught[r][2])
    rest = taught[middle:last]
    many = model.learn_many([x for x, _, _ in rest], y[middle:last], [h for _, _, h in rest])
    return [raw, np.asarray(many), np.asarray(model.predict_many([x for x, _, _ in taught[:100]]))]


def play(player: Any, half: int) -> Any:
    """One half of the rounds: some one by one, the rest in one call; weights and losses."""
    if isinstance(player, Mixture):
        F, y = forecasts()
        F, y = F[half * 500 : half * 500 + 500], y[half * 500 : half * 500 + 500]
        said = [player.predict_one(f) for f in F[:50] if player.learn_one(f, 0.0, 0.0) is None]
        return [said, np.asarray(player.learn_many(F, y)), player.weights()]
    L = rounds(player)[half * 500 : half * 500 + 500]
    said = []
    for losses in L[:100]:
        player.update(losses)
        said.append(player.play())
    history = player.run(L[100:], keep="weights")
    return [said, history.loss, history.weights, player.play()]


def outcome(model: Any, half: int) -> dict[str, str]:
    """What is said in this half and what is kept after it."""
    if hasattr(model, "update") or isinstance(model, Mixture):
        said = play(model, half)
    else:
        said = learn(model, half * HALF, (half + 1) * HALF)
    return {"said": digest(said), "kept": digest(registry.state(model))}


def text() -> bytes:
    """The numbers of the rows as svmlight."""
    lines = []
    for x, y, _ in rows():
        numbers = {int(name): value for name, value in x.items() if name.isdecimal()}
        lines.append(f"{y:g} " + " ".join(f"{k}:{numbers[k]!r}" for k in sorted(numbers)))
    return ("\n".join(lines) + "\n").encode()


def lesson(path: Path, cache: bool) -> Lesson:
    """A learner on the text, in batches of 300 rows."""
    return Lesson(AdaGrad(normalized=True, features=SMALL), aw.read(path, batch_rows=300, cache=cache), 2, holdout=7)


def finished(lesson: Lesson) -> dict[str, str]:
    """What a lesson predicts from where it stands to its end, and what is kept then."""
    said = np.concatenate([step.raw for step in lesson.steps()])  # whatever the batches they came in
    return {"said": digest(said), "kept": digest(registry.state(lesson.model))}


def write_lesson(folder: Path) -> dict[str, dict[str, str]]:
    """A checkpoint after three batches, and what comes of a lesson from the beginning and from there."""
    with TemporaryDirectory() as temporary:
        path = Path(temporary) / "rows.svm"
        path.write_bytes(text())
        begun = lesson(path, False)
        steps = begun.steps()
        for _ in range(3):
            next(steps)
        write_checkpoint(Path(temporary) / "checkpoint", begun, {})
        (folder / "lesson.checkpoint.gz").write_bytes(gzip.compress((Path(temporary) / "checkpoint").read_bytes()))
        return {"first": finished(lesson(path, True)), "second": finished(begun)}


def main() -> None:
    folder = Path(sys.argv[1])
    found = {"lesson": write_lesson(folder)}
    for name, model in {**learners(), **players()}.items():
        first = outcome(model, 0)
        aw.save(model, folder / f"{name}.afterwit")
        found[name] = {"first": first, "second": outcome(model, 1)}
    (folder / "outcomes.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
