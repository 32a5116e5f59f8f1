"""Newton's method in a ball: every minimum is proved by convexity, and scales and blocks do not matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from afterwit.regret.newton import newton

Array = np.ndarray[Any, np.dtype[np.float64]]


class LogisticRows:
    """sum_t ln(1 + exp(-a_t . u)) + 1e-6/2 |u|^2, with features on very different scales, two of them the same."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.A = rng.normal(size=(80, 6)) * 10.0 ** rng.uniform(-3, 3, 6)
        self.A[:, 5] = self.A[:, 4]
        self.calls = 0

    def __call__(self, u: Array) -> tuple[float, Array, Array, float]:
        self.calls += 1
        z = -self.A @ u
        s = 0.5 * (1.0 + np.tanh(z / 2.0))
        value = float(np.logaddexp(0.0, z).sum()) + 0.5e-6 * float(u @ u)
        hessian = (self.A.T * (s * (1.0 - s))) @ self.A + 1e-6 * np.eye(6)
        gradient = -self.A.T @ s + 1e-6 * u
        return value, gradient, hessian[None], float(gradient @ gradient) / 2e-6


@pytest.mark.parametrize("radius", [1e-3, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("seed", range(5))
def test_nothing_in_the_ball_is_better(seed: int, radius: float) -> None:
    """f(z) >= f(u) + g.(z - u) >= f(u) - g.u - |g| radius for every z in the ball."""
    rows = LogisticRows(seed)
    u, found = newton(rows, np.zeros(6), radius)
    assert found
    assert rows.calls < 40
    assert float(np.linalg.norm(u)) <= radius * (1.0 + 1e-12)
    value, gradient, _, _ = rows(u)
    gap = float(gradient @ u) + float(np.linalg.norm(gradient)) * radius
    assert gap <= 1e-6 * value


def test_without_a_ball_the_gradient_vanishes() -> None:
    rows = LogisticRows(0)
    u, found = newton(rows, np.zeros(6))
    assert found
    value, gradient, hessian, gap = rows(u)
    assert float(gradient @ np.linalg.solve(hessian[0], gradient)) <= 1e-10 * value
    assert gap <= 1e-9 * value


def test_blocks_are_problems_of_their_own() -> None:
    one, other = LogisticRows(1), LogisticRows(2)

    def both(u: Array) -> tuple[float, Array, Array, float]:
        (a, g, G, left), (b, h, H, right) = one(u[:6]), other(u[6:])
        return a + b, np.concatenate([g, h]), np.concatenate([G, H]), left + right

    u, found = newton(both, np.zeros(12))
    assert found
    for rows, part in ((one, u[:6]), (other, u[6:])):
        assert rows(part)[0] == pytest.approx(rows(newton(rows, np.zeros(6))[0])[0], rel=1e-9)


def test_what_has_no_least_value_is_not_found() -> None:
    def curved(u: Array) -> tuple[float, Array, Array, float]:
        return float(np.exp(-u[0])), -np.exp(-u), np.exp(-u)[:, None, None], float(np.exp(-u[0]))

    assert not newton(curved, np.zeros(1))[1]


def test_where_no_step_leads_down_it_is_not_found() -> None:
    """A gradient that lies: it says that the value falls to the right, and it rises to both sides."""
    u, found = newton(lambda u: (1.0 + abs(float(u[0])), -np.ones(1), np.ones((1, 1, 1)), 1.0), np.zeros(1))
    assert not found
    assert u.tolist() == [0.0]


def test_what_needs_more_than_200_steps_is_not_found() -> None:
    """A valley that falls for ever, a little in each step."""
    u, found = newton(lambda u: (1e6 - float(u[0]), -np.ones(1), np.ones((1, 1, 1)), 1.0), np.zeros(1))
    assert not found
    assert u == pytest.approx([200.0])
