"""The loss -ln p of a portfolio, which no name finds: it has no label."""

from __future__ import annotations

import math

import pytest

from afterwit._core import gain


@pytest.mark.parametrize("p", [0.01, 0.9, 1.0, 3.0, 1e6])
def test_gain(p: float) -> None:
    assert gain().value(p, 0.0) == pytest.approx(-math.log(p), rel=1e-15)
    assert gain().derivative(p, 0.0) == -1.0 / p
    for step, a in ((0.1, 0.5), (1e-20, 2.0), (30.0, 1e-3)):
        u = gain().invariant(p, 0.0, step, a)
        assert u * (p + a * u / 2.0) == pytest.approx(step, rel=1e-12)  # (p + a u)^2 = p^2 + 2 a step
