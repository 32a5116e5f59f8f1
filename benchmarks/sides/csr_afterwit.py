"""Gradient descent on a CSR matrix."""

from afterwit.linear import GradientDescent
from benchmarks.sides.csr_rows import pieces

model = GradientDescent()
for X, y in pieces():
    model.learn_many(X, y)
