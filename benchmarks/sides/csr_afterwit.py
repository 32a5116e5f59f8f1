"""Gradient descent on a CSR matrix."""

from afterwit.linear import GradientDescent
from benchmarks.sides.csr_rows import rows_and_passes

X, y, passes = rows_and_passes()
model = GradientDescent()
for _ in range(passes):
    model.learn_many(X, y)
