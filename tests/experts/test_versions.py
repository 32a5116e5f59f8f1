"""The versions of the core for several CPUs have the same bits, and experts without a weight cost no exponential."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fuzz.sanitized import COMPILER

ROOT = Path(__file__).parents[2]
#: As in CMakeLists.txt.
FLAGS = ["-std=c++20", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", f"-I{ROOT / 'core'}"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the program prints that is built for every CPU, and what the one prints that has but the plain version."""
    if shutil.which(COMPILER) is None:
        pytest.skip(f"there is no compiler {COMPILER}")
    out = []
    for flags in ([], ["-DAFTERWIT_ONE_VERSION"]):
        program = tmp_path_factory.mktemp("versions") / "versions"
        source = Path(__file__).with_name("versions.cpp")
        subprocess.run([COMPILER, *FLAGS, *flags, str(source), "-o", str(program)], check=True)
        out.append(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    return out


@pytest.mark.slow
def test_every_version_has_the_same_bits(printed: list[str]) -> None:
    several, one = (text.splitlines() for text in printed)
    assert len(several) == len(one) > 20
    for of_several, of_one in zip(several, one, strict=True):
        assert of_several == of_one


@pytest.mark.slow
def test_experts_without_a_weight_cost_no_exponential(printed: list[str]) -> None:
    for text in printed:
        counts = [tuple(map(int, found)) for found in re.findall(r"exponentials (\d+) of (\d+) for (\d+)", text)]
        assert [n for _, n, _ in counts] == [16, 112, 1024]
        for taken, n, with_weight in counts:
            assert 0 < with_weight < 0.5 * n
            assert taken == -(-with_weight // 16) * 16
