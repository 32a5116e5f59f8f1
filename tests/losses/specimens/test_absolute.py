"""Absolute loss."""

from __future__ import annotations

import math

import numpy as np

from afterwit import losses
from tests.losses.specimen import Specimen

SPECIMEN = Specimen(
    names=["absolute"],
    labels="real",
    value=lambda p, y: np.abs(p - y),
    derivative=lambda p, y: np.sign(p - y),
    invariant=lambda p, y, step, a: math.copysign(min(step, abs(y - p) / a), y - p),
    kinks=lambda y: [y],
)


def test_absolute_is_twice_the_middle_quantile() -> None:
    absolute, half = losses.Absolute(), losses.Quantile(0.5)
    for p in (-1.0, 0.0, 0.3, 2.0):
        assert absolute.value(p, 0.3) == 2 * half.value(p, 0.3) == abs(p - 0.3)
