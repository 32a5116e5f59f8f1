"""The same by River."""

import sys

from river import forest, linear_model, optim

from benchmarks.sides.dicts_rows import rows

LEARNERS = {
    "logistic": lambda: linear_model.LogisticRegression(optim.SGD(optim.schedulers.InverseScaling(0.5, power=0.5))),
    "forest": lambda: forest.ARFClassifier(n_models=10, seed=1),
}
model = LEARNERS[sys.argv[2]]()
for x, y in rows():
    model.learn_one(x, y)
