"""Quantile loss."""

from __future__ import annotations

import math

import numpy as np
import pytest

from afterwit import losses
from tests.losses.specimen import Specimen


def invariant(p: float, y: float, step: float, a: float, tau: float) -> float:
    slope = tau if p < y else 1.0 - tau
    return math.copysign(min(slope * step, abs(y - p) / a), y - p)


SPECIMEN = Specimen(
    names=["quantile:0.3", "quantile:0.9"],
    extreme=("quantile:0.999", "quantile:1e-9"),
    labels="real",
    value=lambda p, y, tau: np.maximum(tau * (y - p), (1.0 - tau) * (p - y)),
    derivative=lambda p, y, tau: (1.0 - tau) * (p > y) - tau * (p < y),
    invariant=invariant,
    kinks=lambda y: [y],
)


@pytest.mark.parametrize("tau", [1e-300, 1e-9, 0.5, 1 - 1e-9, 1 - 2**-53])
def test_levels_near_the_ends(tau: float) -> None:
    loss = losses.Quantile(tau)
    assert (loss.value(0.0, 1.0), loss.value(1.0, 0.0)) == (tau, 1.0 - tau)
    assert (loss.derivative(0.0, 1.0), loss.derivative(1.0, 0.0), loss.derivative(1.0, 1.0)) == (-tau, 1.0 - tau, 0.0)
    again = losses.get(str(loss))
    assert isinstance(again, losses.Quantile)
    assert again.tau == tau


def test_wrong_levels() -> None:
    for wrong in ("quantile", "quantile:", "quantile:x", "quantile:0", "quantile:1", "quantile:nan", "quantile:-0.1"):
        with pytest.raises(ValueError, match=r"expected a level between 0 and 1, as in `quantile:0.9`"):
            losses.get(wrong)
