"""Predict, then learn, one dict at a time: River's own learner, or ours behind River's face."""

import sys

from river import linear_model

from afterwit.river import OnlineClassifier
from benchmarks.sides.dicts_rows import rows

LEARNERS = {
    "afterwit": lambda: OnlineClassifier("adagrad:normalized=true", classes=(0, 1)),
    "river": linear_model.LogisticRegression,
}
model = LEARNERS[sys.argv[2]]()
for x, y in rows():
    model.predict_one(x)
    model.learn_one(x, y)
