"""How much memory a program needed, as a program says it itself."""

from __future__ import annotations

import sys

import pytest

# For the text of a program: its peak resident size in kB. Linux counts in `ru_maxrss` the peak of the process that
# started the program, too, here that of all tests before it.
PEAK = """
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
"""
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the peak of a program is read from Linux's /proc")
