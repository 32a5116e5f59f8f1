"""The versions of the core for several CPUs have the same bits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.versions import check_the_same, printed_by_versions


@pytest.mark.slow
def test_every_version_has_the_same_bits(tmp_path: Path) -> None:
    check_the_same(printed_by_versions(Path(__file__).with_name("versions.cpp"), tmp_path), least_lines=60)
