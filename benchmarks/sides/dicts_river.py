"""The same by River."""

import sys

from river import forest, linear_model, optim

from benchmarks.sides.dicts_rows import learn, rows

LEARNERS = {
    "logistic": lambda: linear_model.LogisticRegression(optim.SGD(optim.schedulers.InverseScaling(0.5, power=0.5))),
    "forest": lambda: forest.ARFClassifier(n_models=10, seed=1),
}
learn(LEARNERS[sys.argv[2]](), rows())
