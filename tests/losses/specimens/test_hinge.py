"""Hinge loss."""

from __future__ import annotations

import numpy as np

from tests.losses.specimen import Specimen

SPECIMEN = Specimen(
    names=["hinge"],
    labels="binary",
    value=lambda p, y: np.maximum(0.0, 1.0 - y * p),
    derivative=lambda p, y: np.where(y * p < 1.0, -y, 0.0),
    invariant=lambda p, y, step, a: y * min(step, max(0.0, 1.0 - y * p) / a),
    kinks=lambda y: [1.0 / y],
)
