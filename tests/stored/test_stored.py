"""Files that an earlier core wrote load, and what is learned from the same rows has the bits that it had there."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import afterwit as aw
from afterwit import registry
from afterwit.learning.checkpoint import resume
from tests.stored import cases

HERE = Path(__file__).parent
OUTCOMES = json.loads((HERE / "outcomes.json").read_text())
MODELS = {**cases.learners(), **cases.players()}


@pytest.mark.parametrize("name", MODELS)
def test_the_same_bits_from_the_beginning(name: str) -> None:
    model = MODELS[name]
    assert cases.outcome(model, 0) == OUTCOMES[name]["first"]
    assert cases.outcome(model, 1) == OUTCOMES[name]["second"]


@pytest.mark.parametrize("name", MODELS)
def test_the_same_bits_from_a_stored_file(name: str) -> None:
    model = aw.load(HERE / f"{name}.afterwit")
    assert cases.digest(registry.state(model)) == OUTCOMES[name]["first"]["kept"]
    assert cases.outcome(model, 1) == OUTCOMES[name]["second"]


@pytest.mark.parametrize("cache", [False, True])
def test_the_same_bits_from_text_and_its_cache(tmp_path: Path, cache: bool) -> None:
    path = tmp_path / "rows.svm"
    path.write_bytes(cases.text())
    for _ in range(1 + cache):  # the cache is written, then read
        assert cases.finished(cases.lesson(path, cache)) == OUTCOMES["lesson"]["first"]


def test_the_same_bits_from_a_stored_checkpoint(tmp_path: Path) -> None:
    path, checkpoint = tmp_path / "rows.svm", tmp_path / "checkpoint"
    path.write_bytes(cases.text())
    checkpoint.write_bytes(gzip.decompress((HERE / "lesson.checkpoint.gz").read_bytes()))
    lesson = cases.lesson(path, False)
    resume(checkpoint, lesson)
    assert cases.finished(lesson) == OUTCOMES["lesson"]["second"]
    report = lesson.report()  # what the core of then did not count is not known of all rows
    assert (report.baseline, report.precision, report.recall, report.f1, report.confusion) == (None,) * 5
    assert None not in (report.mean_loss, report.error_rate, report.auc)
    assert "null" in report.to_json()


def test_every_stored_file_is_tried() -> None:
    assert {path.stem for path in HERE.glob("*.afterwit")} == set(MODELS) == set(OUTCOMES) - {"lesson"}
