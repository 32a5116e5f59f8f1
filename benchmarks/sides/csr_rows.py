"""The rows and the number of passes that the command line names."""

from __future__ import annotations

import sys

import numpy as np
import scipy.sparse


def rows_and_passes() -> tuple[scipy.sparse.csr_matrix, np.ndarray, int]:
    """The matrix, the labels, and how often to learn them; 0 passes mean the first row alone, once."""
    stored = np.load(sys.argv[1])
    shape = (len(stored["y"]), int(stored["indices"].max()) + 1)
    X = scipy.sparse.csr_matrix((stored["data"], stored["indices"], stored["indptr"]), shape=shape)
    y = stored["y"]
    passes = int(sys.argv[2])
    return (X, y, passes) if passes > 0 else (X[:1], y[:1], 1)
