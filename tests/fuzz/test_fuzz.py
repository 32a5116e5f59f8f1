"""Damaged texts through every reader of the core, and through the models behind them, under the sanitizers."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.fuzz.sanitized import FULL, QUICK, ROOT, build, run


def assert_clean(program: Path, seed: int, size: int, reader: str) -> int:
    """How many bytes were read."""
    code, said = run(program, seed, size, reader)
    assert code == 0, said[-4000:]
    found = re.search(r"bytes (\d+), share ([0-9.]+)", said)
    assert found, said
    assert float(found[2]) >= 0.3
    return int(found[1])


@pytest.mark.slow
def test_a_fuzz_of_every_reader(tmp_path: Path) -> None:
    program = build(tmp_path, FULL)
    sizes = {"svmlight": 30, "vw": 30, "csv": 30, "json": 30, "number": 10}
    assert sum(assert_clean(program, 2, size * 10**6, reader) for reader, size in sizes.items()) >= 10**8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("header", "right", "wrong", "reader"),
    [
        ("text/delimiters.hpp", "i + 64 <= size", "i + 63 <= size", "vw"),
        ("text/csv_scanner.hpp", "end_ - block_ >= 64", "end_ - block_ >= 63", "csv"),
        ("text/json_scanner.hpp", "limit_ - p >= 16", "limit_ - p >= 15", "json"),
        ("numeric/number.hpp", "for (; s != end && is_digit(*s); ++s)", "for (; is_digit(*s); ++s)", "number"),
    ],
)
def test_a_planted_read_of_one_byte_too_many_is_found(
    tmp_path: Path, header: str, right: str, wrong: str, reader: str
) -> None:
    core = tmp_path / "core"
    shutil.copytree(ROOT / "core", core)
    path = core / header
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong))
    code, said = run(build(tmp_path, QUICK, core), 1, 10**6, reader)
    assert code != 0
    assert "AddressSanitizer" in said
    assert Path(header).name in said
