"""Gradient descent, one dict at a time."""

from afterwit.linear import GradientDescent
from benchmarks.sides.dicts_rows import rows

model = GradientDescent()
for x, y in rows():
    model.learn_one(x, y)
