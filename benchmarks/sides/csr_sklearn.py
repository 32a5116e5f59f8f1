"""The same steps by scikit-learn."""

from sklearn.linear_model import SGDClassifier

from benchmarks.sides.csr_rows import pieces

model = SGDClassifier(loss="log_loss", penalty=None, learning_rate="invscaling", eta0=0.5, power_t=0.5, shuffle=False)
for X, y in pieces():
    model.partial_fit(X, y, classes=[-1.0, 1.0])
