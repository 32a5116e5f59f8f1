"""Programs over the core's headers, built for several kinds of CPU and for one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fuzz.sanitized import COMPILER

ROOT = Path(__file__).parents[1]
#: As in CMakeLists.txt.
FLAGS = ["-std=c++20", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", f"-I{ROOT / 'core'}"]


def printed_by_versions(source: Path, folder: Path) -> list[str]:
    """What the program prints that is built for every CPU, and what the one prints that has but the plain version."""
    if shutil.which(COMPILER) is None:
        pytest.skip(f"there is no compiler {COMPILER}")
    out = []
    for name, flags in (("several", []), ("one", ["-DAFTERWIT_ONE_VERSION"])):
        program = folder / name
        subprocess.run([COMPILER, *FLAGS, *flags, str(source), "-o", str(program)], check=True)
        out.append(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    return out


def check_the_same(printed: list[str], least_lines: int) -> None:
    """Line by line, so that a difference is short to read."""
    several, one = (text.splitlines() for text in printed)
    assert len(several) == len(one) > least_lines
    for of_several, of_one in zip(several, one, strict=True):
        assert of_several == of_one
