"""Learners that keep the names of their features predict many rows at once as they predict each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from afterwit import Features
from afterwit.learning import learn
from afterwit.linear import AdaGrad, OneVsAll
from afterwit.streams import read

ROWS: list[dict[str, Any]] = [{"a": 1.0, "city": "Rome"}, {"b": -1.0}, {"7": 0.5, "never met": 2.0}]


@pytest.mark.parametrize("several", [False, True])
def test_many_rows_are_predicted_as_one_by_one(several: bool) -> None:
    model: Any = AdaGrad(features=Features(names="exact"))
    model = OneVsAll(model) if several else model
    model.learn_many(ROWS[:2], [1, -1])
    np.testing.assert_array_equal(model.predict_many(ROWS), [model.predict_one(row) for row in ROWS])
    assert np.count_nonzero(model.predict_many(ROWS))


def test_a_name_that_was_not_utf8_is_found_by_what_it_is_shown_as(tmp_path: Path) -> None:
    (tmp_path / "a.vw").write_bytes(b"1 | a\xff |sp\xfe b\n")
    model = AdaGrad(features=Features(names="exact"))
    learn(model, read(tmp_path / "a.vw"))
    names = list(model.coef())
    assert names == ["(intercept)", "a\udcff", "sp\udcfe^b"]
    assert model.coef(names) == model.coef()
    ignoring = AdaGrad(features=Features(names="exact", ignore=["sp\udcfe"]))
    learn(ignoring, read(tmp_path / "a.vw"))
    assert list(ignoring.coef()) == names[:2]
