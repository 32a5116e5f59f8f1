"""Learns the same dicts by the default learner, each time by a new one: NAMES LEARNER ROWS TIMES."""

import sys

import afterwit as aw
from benchmarks.sides.dicts_rows import learn, rows

stream = [*rows()]
for _ in range(int(sys.argv[4])):
    learn(aw.Auto("binary"), stream)
