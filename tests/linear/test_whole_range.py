"""Values over the whole range of 32-bit floats are taken alike, whichever way the rows come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from afterwit.features import Features
from afterwit.learning import Lesson, learn
from afterwit.linear import OneVsAll
from afterwit.registry import fresh
from afterwit.registry.plain import same
from afterwit.streams import read
from tests.linear.rules import bits, rules

LARGEST, SMALLEST = np.finfo(np.float32).max, np.finfo(np.float32).smallest_subnormal
RNG = np.random.default_rng(0)
COUNT = 2 * (149 + 128)
POWERS = np.ldexp(RNG.uniform(1.0, 1.99, COUNT), np.repeat(np.arange(-149, 128), 2)).astype(np.float32)
SIZES = np.concatenate(
    [RNG.permutation(POWERS), [1e-45, SMALLEST, 1.1754944e-38, 1.0, 1e26, 1.001e26, LARGEST, 3.4e38]]
)
VALUES = (SIZES * RNG.choice([-1.0, 1.0], len(SIZES))).astype(np.float32).astype(np.float64)
X = np.stack([VALUES, RNG.permutation(VALUES)], axis=1)
Y = np.where(RNG.random(len(X)) < 0.5, -1.0, 1.0)
HASHED = rules(Features(bits=9))
MODELS = {**HASHED, "exact": rules(Features(names="exact"))["normalized"]}


def text(names: list[str], before: str, separator: str) -> str:
    """A line for each row: the label, `before` its features, and a name and value each."""
    rows = zip(Y.tolist(), X.tolist(), strict=True)
    return "".join(
        f"{y:g} {before}{' '.join(f'{n}{separator}{v!r}' for n, v in zip(names, x, strict=True))}\n" for y, x in rows
    )


def sources(names: list[str], folder: Path) -> dict[str, Any]:
    """The same rows in every form that has names such as these."""
    frame = pd.DataFrame(X, columns=names)
    csv, vw, svm = folder / "rows.csv", folder / "rows.vw", folder / "rows.svm"
    frame.assign(label=Y).to_csv(csv, index=False)
    vw.write_text(text(names, "| ", ":"))
    found = {
        "csv": read(csv, target="label"),
        "vw": read(vw),
        "dicts": [dict(zip(names, x, strict=True)) for x in X.tolist()],
        "pandas": frame,
        "pandas, float32": frame.astype(np.float32),
        "polars": pl.DataFrame(frame),
    }
    if names[0].isdigit():
        svm.write_text(text(names, "", ":"))
        wide = np.concatenate([np.zeros((len(X), 1)), X], axis=1)
        found |= {"svmlight": read(svm), "dense": wide, "dense, float32": wide.astype(np.float32)}
        for dtype in (np.float32, np.float64):
            for index in (np.int32, np.int64):
                csr = sp.csr_array(wide.astype(dtype))
                csr.indices, csr.indptr = csr.indices.astype(index), csr.indptr.astype(index)
                found[f"csr, {dtype.__name__}, {index.__name__}"] = csr
    return found


@pytest.mark.parametrize("names", [["1", "2"], ["price", "weight"]], ids=str)
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_way_in(names: list[str], model: Any, tmp_path: Path) -> None:
    single, raw = fresh(model), []
    for x, y in zip(X.tolist(), Y.tolist(), strict=True):
        row = dict(zip(names, x, strict=True))
        raw.append(single.predict_one(row))
        single.learn_one(row, y)
    after = np.array([single.predict_one(dict(zip(names, x, strict=True))) for x in X.tolist()])
    assert np.isfinite(raw).all()
    for way, rows in sources(names, tmp_path).items():
        other = fresh(model)
        if hasattr(rows, "batches"):
            lesson = Lesson(other, rows)
            found = np.concatenate([step.raw[:, 0] for step in lesson.steps()])
        else:
            found = other.learn_many(rows, Y)
        assert same(found, np.array(raw)), way
        assert same(bits(other), bits(single)), way
        if not hasattr(rows, "batches"):
            assert same(other.predict_many(rows), after), way


def test_several_classes(tmp_path: Path) -> None:
    found = []
    for rows in sources(["price", "weight"], tmp_path).values():
        other = OneVsAll(HASHED["normalized"])
        if hasattr(rows, "batches"):
            found.append(np.concatenate([step.raw for step in Lesson(other, rows).steps()]))
        else:
            found.append(other.learn_many(rows, Y.astype(int)))
    assert all(same(each, found[0]) for each in found)


@pytest.mark.parametrize("value", [5e-324, 1e-300, 7e-46, 1.1754943e-38, 3.4028234663852886e38])
def test_a_double_is_there_if_its_float_is(value: float, tmp_path: Path) -> None:
    (tmp_path / "a.vw").write_text(f"1 | price:{value!r} 3:1.0\n")
    (tmp_path / "a.csv").write_text(f"price,3,y\n{value!r},1.0,1\n")
    row, found = {"price": value, "3": 1.0}, []
    for rows in (read(tmp_path / "a.vw"), read(tmp_path / "a.csv", target="y"), [row], pd.DataFrame([row])):
        model = fresh(MODELS["descent"])
        learn(model, rows) if hasattr(rows, "batches") else model.learn_many(rows, [1])
        found.append(bits(model))
    assert all(same(each, found[0]) for each in found)
