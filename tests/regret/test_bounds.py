"""The bounds by hand, at their edges, and against the counterexamples to the printed ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit import regret


def test_the_best_rate_of_gradient_descent_is_the_default() -> None:
    best = regret.projected_gradient_descent(3.0, 0.5, 1000)
    assert best == pytest.approx(3.0 * 0.5 * math.sqrt(8 * 1000))
    at = [regret.projected_gradient_descent(3.0, 0.5, 1000, rate=f * math.sqrt(2) * 3.0 / 0.5) for f in (0.5, 1.0, 2.0)]
    assert at == pytest.approx([1.25 * best, best, 1.25 * best])


@pytest.mark.parametrize("rounds", [0, 1, 2, 99, 100, 101, 102, 5000, 10**6])
def test_the_harmonic_number(rounds: int) -> None:
    H = math.fsum(1.0 / t for t in range(1, rounds + 1))
    assert regret.strongly_convex_gradient_descent(1.0, 0.5, rounds) == pytest.approx(H, rel=1e-14)
    if rounds:
        assert math.log(rounds + 1) <= H <= 1 + math.log(rounds)


def test_one_round_refutes_the_printed_logarithm() -> None:
    """Loss (w - 1)^2/2 from w = 0: regret 1/2 (errata 1)."""
    assert regret.strongly_convex_gradient_descent(1.0, 1.0, 1) == 0.5 > math.log(2) / 2


def test_one_example_refutes_the_printed_square_root() -> None:
    """x = 1, y = +1, u = 1/2: one mistake (errata 2)."""
    H, U = 0.5, 0.5
    assert H + U * math.sqrt(H + U**2) < 1 < regret.perceptron(H, U, 1.0) == pytest.approx(1.1036, abs=1e-4)


def test_without_hinge_loss_the_two_bounds_of_the_perceptron_agree() -> None:
    assert regret.perceptron(0.0, 1 / 0.125, 2.0) == regret.perceptron_separable(2.0, 0.125) == 256.0


def test_adagrad_takes_any_array() -> None:
    assert regret.adagrad(0.0, 0.25, np.array([2, 2], dtype=np.float32)) == 1.0
    assert regret.adagrad(2.0, 0.5, []) == 0.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regret.projected_gradient_descent(0.0, 1.0, 5), "radius is `0.0`, expected a positive number"),
        (lambda: regret.projected_gradient_descent(1.0, math.nan, 5), "gradient is `nan`, expected a finite number"),
        (lambda: regret.projected_gradient_descent(1.0, 1.0, 2.5), "rounds is `2.5`, expected a whole number"),  # type: ignore[arg-type]
        (lambda: regret.projected_gradient_descent(1.0, 1.0, 5, rate=-1.0), "rate is `-1.0`, expected a positive"),
        (lambda: regret.strongly_convex_gradient_descent(1.0, 0.0, 5), "strength is `0.0`, expected a positive"),
        (lambda: regret.strongly_convex_gradient_descent(1.0, 1.0, -1), "rounds is `-1`, expected a whole number"),
        (lambda: regret.perceptron(-1.0, 1.0, 1.0), "hinge is `-1.0`, expected a finite number, 0 or more"),
        (lambda: regret.perceptron(1.0, math.inf, 1.0), "norm is `inf`, expected a finite number"),
        (lambda: regret.perceptron_separable(1.0, 0.0), "margin is `0.0`, expected a positive number"),
        (lambda: regret.perceptron_separable("1", 1.0), "radius is `'1'`, expected a finite number"),  # type: ignore[arg-type]
        (lambda: regret.adagrad(1.0, 0.0, [1.0]), "rate is `0.0`, expected a positive number"),
        (lambda: regret.adagrad(1.0, 1.0, [1.0, -2.0]), "gradient_norms\\[1\\] is `-2`, expected a finite number"),
        (lambda: regret.adagrad(1.0, 1.0, [[1.0]]), "gradient_norms has 2 dimensions, expected 1"),
    ],
)
def test_a_wrong_argument_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
