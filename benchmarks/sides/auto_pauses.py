"""Learns dicts one by one, twice, and prints CPU microseconds: the mean of a row, and the longest: NAMES ROWS."""

import sys
from time import process_time_ns

import numpy as np

import afterwit as aw

names, count = int(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(20)
X = rng.normal(size=(count, names))
y = np.where(X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=count) > 0.0, 1, -1).tolist()
rows = [dict(zip(map(str, range(names)), x, strict=True)) for x in X.tolist()]

model = aw.Auto("binary")
start = process_time_ns()
for x, label in zip(rows, y, strict=True):
    model.learn_one(x, label)
mean = (process_time_ns() - start) / count

model, longest = aw.Auto("binary"), 0
for x, label in zip(rows, y, strict=True):
    start = process_time_ns()
    model.learn_one(x, label)
    longest = max(longest, process_time_ns() - start)
print(mean / 1e3, longest / 1e3)
