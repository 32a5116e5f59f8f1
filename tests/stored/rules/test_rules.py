"""A model that was saved before there were rules 2 keeps its own, through saving, pickling and learning."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import pytest

import afterwit as aw
from afterwit import Features
from tests.stored.rules import cases

HERE = Path(__file__).parent
SAID = json.loads((HERE / "said.json").read_text())


def test_a_stored_model_predicts_by_the_rules_it_was_taught(tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_bytes(gzip.decompress((HERE / "rules-1.afterwit.gz").read_bytes()))
    model = aw.load(path)
    assert model.features == Features(names="exact", text=["note"], rules=1)
    assert cases.said(model, tmp_path) == SAID
    aw.save(model, path)
    for again in (aw.load(path), pickle.loads(pickle.dumps(model))):
        assert again.features.rules == 1
        assert cases.said(again, tmp_path) == SAID
    assert aw.fresh(model).features.rules == 1


def test_rules_1_learn_what_they_learned_and_rules_2_something_else(tmp_path: Path) -> None:
    assert cases.said(cases.taught(tmp_path, rules=1), tmp_path) == SAID
    assert cases.said(cases.taught(tmp_path), tmp_path) != SAID


def test_features_that_were_pickled_before() -> None:
    features = Features(bits=20)
    old = {name: value for name, value in vars(features).items() if name not in ("rules", "dates", "categorical")}
    again = object.__new__(Features)
    again.__setstate__(old)
    assert again == Features(bits=20, rules=1)
    assert pickle.loads(pickle.dumps(features)) == features


def test_features_that_do_not_go_together() -> None:
    for wrong in ({"rules": 3}, {"rules": True}, {"rules": 1, "dates": ["d"]}, {"rules": 1, "categorical": ["d"]}):
        with pytest.raises(ValueError, match="rules"):
            Features(**wrong)
    with pytest.raises(ValueError, match="`d` is named twice among text, dates and categorical"):
        Features(text=["d:2"], dates=["d"])
