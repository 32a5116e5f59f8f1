"""For all tests: one thread of linear algebra each, set before NumPy is loaded. The small products here gain nothing
from more, and several test processes with several threads each wait for one another many times longer than they work.
"""

from __future__ import annotations

import os

for _library in ("OPENBLAS", "MKL", "OMP"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
