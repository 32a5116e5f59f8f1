"""scikit-learn with its own settings, and with the threads that its linear algebra starts."""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.pop(name, None)

from sklearn.linear_model import SGDClassifier  # noqa: E402

from benchmarks.sides.csr_rows import pieces  # noqa: E402

model = SGDClassifier(loss="log_loss")
for X, y in pieces():
    model.partial_fit(X, y, classes=[-1.0, 1.0])
