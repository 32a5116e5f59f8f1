"""`solve_zero_sum`."""

import sys

import numpy as np

from afterwit.games import solve_zero_sum

size = int(sys.argv[1])
print(solve_zero_sum(np.random.default_rng(0).random((size, size)), tolerance=1e-3).value)
