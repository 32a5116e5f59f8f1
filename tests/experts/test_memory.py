"""A million experts: the memory of a run is that of its state, however many rounds, and Python's."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.experts.specimen import every
from tests.memory import ON_LINUX, PEAK

PROGRAM = f"""
import sys
import numpy as np
from afterwit import experts
{PEAK}
row = np.random.default_rng(0).random(1_000_000)
getattr(experts, sys.argv[1])().run((row for _ in range(100)), keep="loss")
print(peak())
"""


@pytest.mark.slow
@ON_LINUX
@pytest.mark.parametrize("name", [each.cls.__name__ for each in every().values() if each.small])
def test_a_million_experts_and_a_hundred_rounds(name: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, name], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 200_000
