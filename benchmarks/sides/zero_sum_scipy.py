"""SciPy's linear program: the largest v that x'A reaches in every column."""

import sys

import numpy as np
from scipy.optimize import linprog

size = int(sys.argv[1])
A = np.random.default_rng(0).random((size, size))
of_value = np.append(np.zeros(size), -1.0)
mixed = np.append(np.ones(size), 0.0)[None]
columns = np.hstack([-A.T, np.ones((size, 1))])
bounds = [(0.0, None)] * size + [(None, None)]
found = linprog(of_value, A_ub=columns, b_ub=np.zeros(size), A_eq=mixed, b_eq=[1.0], bounds=bounds)
print(-found.fun)
