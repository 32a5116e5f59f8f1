"""Files that were written before files said what a model was taught load, and predict the bits that they did."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import pytest

import afterwit as aw
from tests.stored.predicting import cases

HERE = Path(__file__).parent
OUTCOMES = json.loads((HERE / "outcomes.json").read_text())


@pytest.mark.parametrize("name", cases.makers())
def test_the_same_predictions(name: str, tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_bytes(gzip.decompress((HERE / f"{name}.afterwit.gz").read_bytes()))
    model = aw.load(path)
    assert cases.said(model) == OUTCOMES[name]
    assert model.schema is None
    # They go on by the rules of then, and are saved with them.
    for x, number in cases.rows(seed=7):
        model.learn_one(x, cases.label(name, number))
    aw.save(model, path)
    kept = aw.load(path)
    features = getattr(kept, "features", None) or kept.model.features
    assert features.rules == 1
    assert cases.said(kept) == cases.said(model) == cases.said(pickle.loads(pickle.dumps(model)))


def test_every_stored_file_is_tried() -> None:
    assert {path.name.partition(".")[0] for path in HERE.glob("*.gz")} == set(cases.makers()) == set(OUTCOMES)
