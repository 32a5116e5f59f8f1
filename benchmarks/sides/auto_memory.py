"""Learns rows of 50 features that were never met, and prints the bytes of memory for each after the first: ROWS."""

import os
import sys

import numpy as np
import scipy.sparse

import afterwit as aw

WIDTH, BATCH = 50, 500


def resident() -> int:
    """Bytes that are this process's own, as Linux says it."""
    with open("/proc/self/statm") as file:
        _, pages, shared = file.readline().split()[:3]
    return (int(pages) - int(shared)) * os.sysconf("SC_PAGE_SIZE")


rows = int(sys.argv[1])
features = np.random.default_rng(20).permutation(rows * WIDTH)
starts = np.arange(0, rows * WIDTH + 1, WIDTH)
X = scipy.sparse.csr_matrix((np.ones(rows * WIDTH), features, starts))
y = np.where(np.arange(rows) % 2, 1.0, -1.0)
model = aw.Auto("binary")
before = 0
for first in range(0, rows, BATCH):
    model.learn_many(X[first : first + BATCH], y[first : first + BATCH])
    before = before or resident()
print((resident() - before) / ((rows - BATCH) * WIDTH))
