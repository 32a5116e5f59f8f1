"""One dict at a time, by the learner that the command line names."""

import sys

from afterwit.linear import AdaGrad, GradientDescent, OneVsAll
from benchmarks.sides.dicts_rows import learn, rows

CLASSES = 10
LEARNERS = {
    "gradient-descent": GradientDescent,
    "adagrad": lambda: AdaGrad(normalized=True),
    "one-vs-all": lambda: OneVsAll(AdaGrad(normalized=True), range(CLASSES)),
}
learner = sys.argv[2]
learn(LEARNERS[learner](), rows(CLASSES if learner == "one-vs-all" else 2))
