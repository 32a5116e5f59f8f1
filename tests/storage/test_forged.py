"""Forged model files and checkpoints: refused with a sentence, or harmless, whatever numbers and shapes they hold."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.storage.forged import STEP
from tests.storage.mutations import NUMBERS, numbers_of
from tests.storage.specimens import EVERYTHING, contents, shipped

PARTS = 4
ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from Linux's /proc")


def assert_harmless(seed: int, first: int, count: int) -> None:
    """Forges files in a process of their own; some part is refused, and some accepted."""
    command = [sys.executable, "-m", "tests.storage.forged", *map(str, (seed, first, count))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")
    said = done.stdout + done.stderr
    told = [line for line in said.splitlines() if line.startswith("FAULT")] or [said[-3000:]]
    assert done.returncode == 0, f"ended with {done.returncode}, seed {seed}:\n" + "\n".join(told[:20])
    found = re.search(r"^refused (\d+), accepted (\d+), faults 0$", said, re.MULTILINE)
    assert found, said[-3000:]
    refused, accepted = map(int, found.groups())
    print(f"seed {seed}: {refused} refused, {accepted} accepted")
    assert refused > 0.4 * count
    assert accepted > 0.05 * count


def test_every_class_that_a_file_may_name_is_forged() -> None:
    assert {type(model) for model in EVERYTHING} == shipped()


@pytest.mark.parametrize("seed", [0, 1], ids=["numbers", "anything"])
def test_a_few_forged_files(seed: int) -> None:
    assert_harmless(seed, 0, 150)


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many files have one number of one class changed."""
    folder = tmp_path_factory.mktemp("numbers")
    return sum(len(list(numbers_of(content))) for *_, content in contents(folder)) * len(NUMBERS)


def test_no_number_is_left_out_by_the_steps(numbers: int) -> None:
    assert numbers % STEP


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_number_of_every_class_at_its_extremes(part: int, numbers: int) -> None:
    files = math.ceil(numbers / PARTS)
    assert_harmless(0, files * part, files)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_many_forged_files(seed: int) -> None:
    assert_harmless(seed, 0, 6000)
