"""The same steps by scikit-learn."""

from sklearn.linear_model import SGDClassifier

from benchmarks.sides.csr_rows import rows_and_passes

X, y, passes = rows_and_passes()
model = SGDClassifier(loss="log_loss", penalty=None, learning_rate="invscaling", eta0=0.5, power_t=0.5, shuffle=False)
for _ in range(passes):
    model.partial_fit(X, y, classes=[-1.0, 1.0])
