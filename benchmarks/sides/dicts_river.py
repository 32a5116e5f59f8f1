"""The same by River."""

from river import linear_model, optim

from benchmarks.sides.dicts_rows import rows

model = linear_model.LogisticRegression(optim.SGD(optim.schedulers.InverseScaling(0.5, power=0.5)))
for x, y in rows():
    model.learn_one(x, y)
