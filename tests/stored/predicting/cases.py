"""A model of every class of learners, taught a few rows, and its predictions as hashes.

`python -m tests.stored.predicting.cases FOLDER` writes the files of version 0.1.0 before files said what a model was
taught; those beside this one are what it wrote. They load, and predict what they did; what they learn may differ.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import afterwit as aw
from afterwit import dense, linear

ROWS = 150
PLAIN = (linear.Perceptron, linear.GradientDescent, linear.Pegasos, linear.AdaGrad, linear.PassiveAggressive)
MORE = (linear.CoinBetting, linear.Arow, linear.DiagonalNewton, linear.NormalizedGradientDescent)
DENSE = (dense.OnlineNewton, dense.RollingTrees, dense.Network, dense.Neighbours)
SCALED = (linear.AdaGrad, linear.PassiveAggressive, linear.CoinBetting, linear.Arow, linear.DiagonalNewton)


def rows(seed: int = 5) -> list[tuple[dict[str, Any], float]]:
    """Numbers, words, a namespace, truth values and missing ones, with a number that goes with them."""
    random = Random(seed)
    found = []
    for r in range(ROWS):
        x: dict[str, Any] = {f"n{k}": round(random.gauss(0.0, 1.0), 4) for k in range(3) if random.random() < 0.9}
        x |= {"city": random.choice(["Rome", "Oslo"]), "open": random.random() < 0.5, "gone": None}
        x["user"] = {"age": float(random.randint(20, 60)), "17": 1.0}
        found.append((x, math.tanh(x.get("n0", 0.0) + (x["city"] == "Rome")) + 0.1 * (r % 3)))
    return found


def makers() -> dict[str, Any]:
    """Each under the name of its file."""
    found: dict[str, Any] = {cls.__name__: cls for cls in (*PLAIN, *MORE, *DENSE)}
    found |= {f"{cls.__name__}-normalized": lambda cls=cls: cls(normalized=True) for cls in SCALED}
    found["OneVsAll"] = lambda: aw.OneVsAll(linear.AdaGrad())
    found["Panel"] = lambda: aw.Panel({"a": linear.AdaGrad(), "t": dense.RollingTrees()})
    return found | {f"Auto-{task}": lambda task=task: aw.Auto(task) for task in ("binary", "numbers", "classes")}


def label(name: str, number: float) -> Any:
    """What a learner learns of a number."""
    if name in ("OneVsAll", "Auto-classes"):
        return "low" if number < 0 else "high" if number > 0.8 else "middle"
    return number if name == "Auto-numbers" else 1.0 if number > 0.4 else -1.0


def taught(name: str, make: Any) -> Any:
    model = make()
    for x, number in rows():
        model.learn_one(x, label(name, number))
    return model


def said(model: Any) -> str:
    """The predictions of other rows, one by one and at once, in every bit."""
    others = [x for x, _ in rows(seed=6)]
    found = [np.asarray(model.predict_one(x), dtype=np.float64).tobytes() for x in others]
    assert b"".join(found) == np.asarray(model.predict_many(others), dtype=np.float64).tobytes()
    return hashlib.sha256(b"".join(found)).hexdigest()[:24]


def main() -> None:
    folder = Path(sys.argv[1])
    outcomes = {}
    with TemporaryDirectory() as temporary:
        path = Path(temporary) / "m"
        for name, make in makers().items():
            model = taught(name, make)
            aw.save(model, path)
            (folder / f"{name}.afterwit.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
            outcomes[name] = said(model)
    (folder / "outcomes.json").write_text(json.dumps(outcomes, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
