"""The versions of the core for several CPUs have the same bits, and experts without a weight cost no exponential."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.versions import check_the_same, printed_by_versions


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return printed_by_versions(Path(__file__).with_name("versions.cpp"), tmp_path_factory.mktemp("versions"))


@pytest.mark.slow
def test_every_version_has_the_same_bits(printed: list[str]) -> None:
    check_the_same(printed, least_lines=20)


@pytest.mark.slow
def test_experts_without_a_weight_cost_no_exponential(printed: list[str]) -> None:
    for text in printed:
        counts = [tuple(map(int, found)) for found in re.findall(r"exponentials (\d+) of (\d+) for (\d+)", text)]
        assert [n for _, n, _ in counts] == [16, 112, 1024]
        for taken, n, with_weight in counts:
            assert 0 < with_weight < 0.5 * n
            assert taken == -(-with_weight // 16) * 16
