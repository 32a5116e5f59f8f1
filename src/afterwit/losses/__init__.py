"""Losses: value and derivative in the prediction p, and the constants that theorems ask for.

Every loss has `labels` ("real" or "binary": the labels it is defined for), `value(p, y)` and `derivative(p, y)`. With C
a bound on |p| and |y|, `lipschitz(C)` is the largest |derivative|; `curvature(C)` is a sigma > 0 with
loss(b) >= loss(a) + loss'(a)(b - a) + (sigma/2)(loss'(a)(b - a))^2, infinite where any will do, or None where there is
none (errata 13); and `smoothness` is the largest second derivative, or None.

>>> get("quantile:0.9").value(1.0, 3.0)
1.8
"""

from __future__ import annotations

# One line each, in the order in which messages name them.
# isort: off
from afterwit.losses.squared import Squared as Squared
from afterwit.losses.logistic import Logistic as Logistic
from afterwit.losses.hinge import Hinge as Hinge
from afterwit.losses.absolute import Absolute as Absolute
from afterwit.losses.quantile import Quantile as Quantile

# isort: on
from afterwit.losses.loss import Loss as Loss
from afterwit.losses.loss import get as get
from afterwit.losses.loss import names as names

# What the lines above name, each once.
__all__ = [name for name, value in tuple(vars().items()) if callable(value)]
