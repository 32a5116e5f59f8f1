"""The rows, pass by pass, as the command line asks: FILE PASSES BATCH."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import scipy.sparse


def pieces() -> Iterator[tuple[scipy.sparse.csr_matrix, np.ndarray]]:
    """Matrices of BATCH rows with their labels (0: of all rows); 0 passes mean the first row alone, once."""
    stored = np.load(sys.argv[1])
    passes, batch = int(sys.argv[2]), int(sys.argv[3])
    shape = (len(stored["y"]), int(stored["indices"].max()) + 1)
    X = scipy.sparse.csr_matrix((stored["data"], stored["indices"], stored["indptr"]), shape=shape)
    y = stored["y"]
    if passes == 0:
        yield X[:1], y[:1]
    step = batch or len(y)
    cut = [(X[i : i + step], y[i : i + step]) for i in range(0, len(y), step)]
    for _ in range(passes):
        yield from cut
