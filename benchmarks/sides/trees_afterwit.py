"""A learner on rows of ten columns, so many times over (0: on one row): LEARNER ROWS TIMES."""

import sys

import numpy as np
import scipy.sparse

from afterwit.linear import AdaGrad
from afterwit.trees import TreeExperts, complete

LEARNERS = {
    "adagrad": AdaGrad,
    "grown": lambda: TreeExperts(depth=10),
    "complete": lambda: TreeExperts(complete(dict.fromkeys(range(10), (0.0, 1.0)), 10)),
}
learner, rows, times = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(0)
X = scipy.sparse.csr_matrix(rng.random((rows, 10)) + 1e-6)
y = np.where(X[:, 0].toarray().ravel() + rng.random(rows) > 1.0, 1.0, -1.0)
model = LEARNERS[learner]()
if times == 0:
    model.learn_many(X[:1], y[:1])
for _ in range(times):
    model.learn_many(X, y)
