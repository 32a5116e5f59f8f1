"""The versions of the row builder for several CPUs say the same of every row."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.versions import check_the_same, printed_by_versions


@pytest.mark.slow
def test_every_version_has_the_same_rows(tmp_path: Path) -> None:
    printed = printed_by_versions(Path(__file__).with_name("versions.cpp"), tmp_path)
    check_the_same(printed, least_lines=1000)
    for word in ("in range, ascends", "in range, falls", "odd, ascends", "odd, falls"):
        assert printed[0].count(word) > 10
