"""Matrix games: the formula, the theorem, and the value that a linear program finds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from afterwit import regret
from afterwit.games import solve_zero_sum
from tests.games.datasets import Array


def formula(A: Array, T: int) -> tuple[Array, Array, list[float]]:
    """The mean strategies after T rounds, and all gaps."""
    m, n = A.shape
    D = A.max() - A.min()
    eta_x, eta_p = 2.0 / D * math.sqrt(math.log(m) / math.log(n)), 2.0 / D * math.sqrt(math.log(n) / math.log(m))
    p, log_p, X, P, gaps = np.full(n, 1.0 / n), np.zeros(n), np.zeros(m), np.zeros(n), []
    for t in range(1, T + 1):
        x = softmax(eta_x * (A @ (P + p)))
        log_p -= eta_p * (x @ A)
        p = softmax(log_p)
        X, P = X + x, P + p
        gaps.append(float((A @ P).max() - (X @ A).min()) / t)
    return X / T, P / T, gaps


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max())
    return np.asarray(e / e.sum())


def value(A: Array) -> float:
    """By a linear program."""
    m, n = A.shape
    found = linprog(
        np.append(np.zeros(m), -1.0),
        A_ub=np.hstack([-A.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(m), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0.0, None)] * m + [(None, None)],
    )
    return float(-found.fun)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 11), (40, 9), (17, 33)])
@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_it_is_the_formula(m: int, n: int, shift: float) -> None:
    A = np.random.default_rng(m).normal(size=(m, n)) + shift
    game = solve_zero_sum(A, tolerance=0.0, rounds=80)
    x, p, gaps = formula(A - shift, 80)
    np.testing.assert_allclose(game.row, x, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(game.column, p, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(game.gaps, gaps, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_the_value_and_the_bound_at_every_round(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 60, 2)
    A = rng.choice([rng.normal(size=(m, n)), rng.integers(-1, 2, (m, n)).astype(float), rng.random((m, n)) ** 6])
    game = solve_zero_sum(A, tolerance=2e-3)
    span = A.max() - A.min()
    t = np.arange(1, game.rounds + 1)
    assert (game.gaps <= span * math.sqrt(math.log(m) * math.log(n)) / t * (1.0 + 1e-12)).all()
    assert game.bound.value == pytest.approx(span * math.sqrt(math.log(m) * math.log(n)) / game.rounds)
    assert game.gap == pytest.approx(game.gaps[-1], abs=1e-10 * span)
    assert game.gap <= 2e-3 * span + 1e-12
    assert game.low - 1e-9 <= value(A) <= game.high + 1e-9
    for strategy in (game.row, game.column):
        assert strategy.min() >= 0.0
        assert strategy.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("A", "row", "column", "expected"),
    [
        ([[3.0]], [1.0], [1.0], 3.0),
        ([[1.0, 2.0, -1.0]], [1.0], [0.0, 0.0, 1.0], -1.0),
        ([[1.0], [2.0], [-1.0]], [0.0, 1.0, 0.0], [1.0], 2.0),
        ([[2.0, 2.0], [2.0, 2.0]], None, None, 2.0),
    ],
)
def test_games_without_a_choice(A: Any, row: Any, column: Any, expected: float) -> None:
    game = solve_zero_sum(A)
    assert (game.value, game.gap, game.bound.value) == (expected, 0.0, 0.0)
    if row is not None:
        assert (game.row.tolist(), game.column.tolist()) == (row, column)


@pytest.mark.parametrize("scale", [1e-90, 1e99])
def test_payoffs_of_any_size(scale: float) -> None:
    A = np.random.default_rng(0).normal(size=(6, 5))
    plain, scaled = solve_zero_sum(A), solve_zero_sum(scale * A)
    np.testing.assert_allclose(scaled.row, plain.row, rtol=1e-9, atol=1e-12)
    assert scaled.value == pytest.approx(scale * plain.value)


def test_it_says_how_far_it_is() -> None:
    seen: list[int] = []
    solve_zero_sum(np.random.default_rng(0).random((300, 300)), watch=lambda rounds, gap: seen.append(rounds))
    assert seen
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("matrix has the shape", {"matrix": [1.0, 2.0]}),
        ("matrix has the shape", {"matrix": np.zeros((0, 3))}),
        (r"matrix\[1, 0\] is `nan`", {"matrix": [[1.0, 2.0], [math.nan, 1.0]]}),
        (r"matrix\[0, 1\] is `inf`", {"matrix": [[1.0, math.inf]]}),
        ("tolerance is `-1`", {"tolerance": -1}),
        ("tolerance is 0, which takes for ever", {"tolerance": 0.0}),
        ("rounds is `0`", {"rounds": 0}),
    ],
)
def test_wrong_input(words: str, given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=words):
        solve_zero_sum(**{"matrix": [[1.0, 0.0], [0.0, 1.0]], **given})
    with pytest.raises(ValueError, match="rounds is `0`"):
        regret.zero_sum_gap(1.0, 2, 2, 0)
