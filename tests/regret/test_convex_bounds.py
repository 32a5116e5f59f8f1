"""The bounds about points by hand, and against the counterexamples to the printed ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit import regret
from afterwit.convex import FollowTheRegularizedLeader, Reals


def test_the_best_rate_is_the_default() -> None:
    best = regret.gradient_descent(3.0, 400.0)
    assert best == 60.0
    at = [regret.gradient_descent(3.0, 400.0, rate=f * 3.0 / 20.0) for f in (0.5, 1.0, 2.0)]
    assert at == pytest.approx([1.25 * best, best, 1.25 * best])


def test_the_printed_eta_gives_one_and_a_half_times_the_printed_bound() -> None:
    """|u|^2/(2 eta) + eta rho^2 T at eta = B/(rho sqrt(T)) (errata 5)."""
    B, rho, T = 2.0, 3.0, 100
    eta = B / (rho * math.sqrt(T))
    assert B * B / (2.0 * eta) + eta * rho * rho * T == pytest.approx(1.5 * B * rho * math.sqrt(T))
    assert regret.gradient_descent(B, rho * rho * T, eta) == pytest.approx(B * rho * math.sqrt(T))


def test_the_printed_powers_are_refuted() -> None:
    """Slopes -1 and u = 0.1 for 100 rounds (errata 7)."""
    T, u = 100, 0.1
    V = np.full((T, 1), -1.0)
    printed = FollowTheRegularizedLeader(Reals(1), rate=u * u / math.sqrt(2.0 * T)).run(V)
    assert float(printed.loss.sum()) + T * u == pytest.approx(6.5, abs=1e-3)
    assert u * u * math.sqrt(2.0 * T) == pytest.approx(0.1414, abs=1e-4)
    right = FollowTheRegularizedLeader(Reals(1), rate=u / math.sqrt(2.0 * T)).run(V)
    assert float(right.loss.sum()) + T * u <= regret.surrogate(0.0, u, 1.0, T) == pytest.approx(u * math.sqrt(2.0 * T))


def test_moves_are_subtracted() -> None:
    assert regret.mirror_descent(1.0, 0.0, 0.5) == 2.0
    assert regret.mirror_descent(1.0, 3.0, 0.5, strength=2.0) == -4.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regret.gradient_descent(-1.0, 1.0), "norm is `-1.0`, expected a finite number"),
        (lambda: regret.gradient_descent(1.0, 1.0, 0.0), "rate is `0.0`, expected a positive number"),
        (lambda: regret.regularized_leader(math.nan, 1.0, 1.0), "penalty is `nan`, expected a finite number"),
        (lambda: regret.mirror_descent(1.0, -1.0, 1.0), "moved is `-1.0`, expected a finite number"),
        (lambda: regret.surrogate(1.0, 1.0, 1.0, 2.5), "rounds is `2.5`, expected a whole number"),  # type: ignore[arg-type]
    ],
)
def test_what_is_wrong_says_so(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
