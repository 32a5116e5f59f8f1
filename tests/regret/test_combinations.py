"""The best combinations in hindsight: by the conditions of optimality, against other solvers, against all on a grid."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, QuantileRegressor

from afterwit import losses, regret
from afterwit.regret.combinations import mixed

Array = np.ndarray[Any, np.dtype[np.float64]]


def total(loss: str, p: Array, y: Array, h: Array | None = None) -> float:
    chosen = losses.get(loss)
    values = [chosen.value(float(a), float(b)) for a, b in zip(p, y, strict=True)]
    return float(np.dot(np.ones(len(y)) if h is None else h, values))


def on_simplex(w: Array) -> None:
    assert (w >= 0.0).all()
    assert w.sum() == pytest.approx(1.0, abs=1e-12)


def problem(seed: int, T: int, N: int, likeness: float) -> tuple[Array, Array, Array]:
    """Forecasts that are more or less alike, labels, importance weights of which some are 0."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=T) * 10.0 ** rng.integers(-3, 4)
    noise = likeness * rng.normal(size=(T, 1)) + (1.0 - likeness) * rng.normal(size=(T, N))
    F = y[:, None] * rng.random(N) + np.abs(y).max() * (noise + 0.2 * rng.normal(size=N))
    return F, y, rng.integers(0, 4, T).astype(np.float64)


PROBLEMS = [
    (0, 50, 3, 0.0),
    (1, 3000, 12, 0.9),
    (2, 6, 40, 0.0),
    (3, 400, 30, 0.99999),
    (4, 1, 2, 0.5),
    (5, 40, 1, 0.0),
]


@pytest.mark.parametrize("which", PROBLEMS)
def test_the_best_mixture_for_squared_loss_is_optimal(which: tuple[int, int, int, float]) -> None:
    """Kuhn and Tucker: no expert's partial derivative is below the mean one. The gap bounds what is missing."""
    F, y, h = problem(*which)
    found = regret.best_mixture(F, y, weight=h)
    on_simplex(found.weights)
    assert found.exact
    assert found.loss == pytest.approx(total("squared", F @ found.weights, y, h), rel=1e-9)
    g = 2.0 * F.T @ (h * (F @ found.weights - y))
    gap = g @ found.weights - g.min()
    assert gap <= 1e-8 * max(found.loss, 1e-6 * float(h @ y**2))


@pytest.mark.parametrize("which", [each for each in PROBLEMS if each[1] < 1000])  # the primal is a large program
@pytest.mark.parametrize("loss", ["absolute", "quantile:0.5", "quantile:0.9", "quantile:0.05"])
def test_kinked_losses_against_the_primal_program(which: tuple[int, int, int, float], loss: str) -> None:
    F, y, h = problem(*which)
    T, N = F.shape
    low, high = (-1.0, 1.0) if loss == "absolute" else (float(loss[9:]) - 1.0, float(loss[9:]))
    size = np.abs(y).max()  # the solver's tolerances are absolute
    cost = np.concatenate([np.zeros(N), h * high, -h * low])
    A, b = np.hstack([F / size, np.eye(T), -np.eye(T)]), y / size
    for convex, best in ((True, regret.best_mixture), (False, regret.best_linear)):
        rows = np.vstack([A, np.concatenate([np.ones(N), np.zeros(2 * T)])]) if convex else A
        bounds = [(0.0 if convex else None, None)] * N + [(0.0, None)] * (2 * T)
        primal = linprog(cost, A_eq=rows, b_eq=np.append(b, 1.0) if convex else b, bounds=bounds)
        found = best(F, y, loss, h)
        assert found.exact
        assert found.loss == pytest.approx(total(loss, F @ found.weights, y, h), rel=1e-9)
        assert found.loss == pytest.approx(primal.fun * size, rel=1e-7, abs=1e-7 * np.abs(y).sum())
        if convex:
            on_simplex(found.weights)


def test_the_best_linear_combination_on_real_data() -> None:
    X, y = load_diabetes(return_X_y=True)
    F = np.column_stack([X, np.ones(len(X))])
    ours, theirs = regret.best_linear(F, y), LinearRegression().fit(X, y)
    np.testing.assert_allclose(ours.weights[:-1], theirs.coef_, rtol=1e-8)
    for tau in (0.1, 0.5, 0.9):
        peer = QuantileRegressor(quantile=tau, alpha=0.0).fit(X, y)
        peer_loss = total(f"quantile:{tau}", peer.predict(X), y)
        assert regret.best_linear(F, y, f"quantile:{tau}").loss == pytest.approx(peer_loss, rel=1e-8)


@pytest.mark.parametrize("loss", ["squared", "absolute", "quantile:0.9"])
def test_forecasts_in_any_units_have_the_same_best_linear_combination(loss: str) -> None:
    F, y, h = problem(7, 60, 4, 0.0)
    units = np.array([1e-12, 1.0, 1e12, 1e3])
    expected, found = regret.best_linear(F, y, loss, h), regret.best_linear(F * units, y, loss, h)
    assert found.exact
    assert found.loss == pytest.approx(expected.loss, rel=1e-9)
    np.testing.assert_allclose(found.weights * units, expected.weights, rtol=1e-6)


@pytest.mark.parametrize("loss", ["absolute", "quantile:0.9"])
def test_a_program_that_was_not_solved_to_the_end_is_not_called_exact(loss: str) -> None:
    """Beside a forecast of 1e12, what the others lose is less than the solver sees."""
    F, y = np.array([[1e12, 1.0, 0.9], [1e12, 2.0, 2.3]]), np.array([0.95, 2.2])
    found = regret.best_mixture(F, y, loss)
    assert not found.exact or found.loss <= 1e-6  # the last two by 3/8 and 5/8 are right
    # Rounds that are worth a billionth: the best is right in two of three.
    F, y = np.array([[0.4, 0.7], [-1.2, -0.7], [-0.4, -1.2]]), np.array([1.7, -0.5, 0.3])
    h = np.array([1.0, 1e-9, 1e-9])
    found = regret.best_linear(F, y, loss, h)
    least = min(total(loss, F @ np.linalg.solve(F[two], y[two]), y, h) for two in ([0, 1], [0, 2], [1, 2]))
    assert not found.exact or found.loss <= least * (1.0 + 1e-6)


def test_who_sleeps_stands_for_the_mean_of_those_awake() -> None:
    """So that the best linear combination is never worse than the uniform mixture; nobody awake counts for nothing."""
    F, y, h = problem(7, 60, 4, 0.0)
    F[np.random.default_rng(1).random(F.shape) < 0.3] = np.nan
    F[[3, 30]] = np.nan
    known = ~np.isnan(F).all(axis=1)
    means = np.nanmean(F[known], axis=1)
    filled = np.where(np.isnan(F[known]), means[:, None], F[known])
    for loss in ("squared", "absolute"):
        found, expected = regret.best_linear(F, y, loss, h), regret.best_linear(filled, y[known], loss, h[known])
        np.testing.assert_allclose(found.weights, expected.weights, rtol=1e-9)
        assert found.loss <= float(h[known] @ losses.get(loss).value(means, y[known]))


@given(st.integers(0, 10**6), st.sampled_from(["squared", "absolute", "quantile:0.8"]))
@settings(max_examples=15, deadline=None, derandomize=True)  # in one of thousands a local minimum is a worse one
def test_no_mixture_of_a_grid_beats_the_one_found_with_sleepers(seed: int, loss: str) -> None:
    rng = np.random.default_rng(seed)
    T = int(rng.integers(1, 25))
    y = rng.normal(size=T)
    F = y[:, None] * rng.random(3) + 0.5 * rng.normal(size=(T, 3))
    F[rng.random(F.shape) < 0.3] = np.nan
    F[0, 0] = np.nan
    found = regret.best_mixture(F, y, loss)
    on_simplex(found.weights)
    assert not found.exact
    known = ~np.isnan(F).all(axis=1)
    assert found.loss == pytest.approx(total(loss, mixed(F, found.weights)[known], y[known]), rel=1e-9)
    grid = [np.array([a, b, 20 - a - b]) / 20 for a in range(21) for b in range(21 - a)]
    least = min(total(loss, mixed(F, w)[known], y[known]) for w in grid if (w > 0.0).all())
    assert found.loss <= least * (1.0 + 1e-3) + 1e-9


def test_a_mixture_divides_by_the_weights_of_those_awake() -> None:
    F = np.array([[1.0, 3.0, np.nan], [np.nan, np.nan, 5.0], [np.nan, 2.0, np.nan], [np.nan, np.nan, np.nan]])
    w = np.array([0.25, 0.25, 0.5])
    np.testing.assert_array_equal(mixed(F, w), [2.0, 5.0, 2.0, np.nan])
    np.testing.assert_array_equal(mixed(F, np.array([0.0, 0.0, 1.0])), [2.0, 5.0, 2.0, np.nan])


def test_with_and_without_a_sleeper_that_never_wakes() -> None:
    F, y, h = problem(9, 80, 3, 0.5)
    plain = regret.best_mixture(F, y, weight=h)
    asleep = regret.best_mixture(np.column_stack([F, np.full(80, np.nan)]), y, weight=h)
    assert asleep.loss == pytest.approx(plain.loss, rel=1e-6)


@pytest.mark.parametrize(("T", "N", "size"), [(2000, 10, 0.02), (15, 40, 0.5), (300, 3, 2.0), (1, 4, 1.0), (5, 1, 1.0)])
def test_the_best_portfolio_is_optimal(T: int, N: int, size: float) -> None:
    """Cover: mean_t x_{t,i}/(w . x_t) <= 1 for every stock, = 1 for those held."""
    rng = np.random.default_rng(T)
    X = np.exp(size * rng.normal(size=(T, N)) + 0.1 * size * rng.normal(size=N))
    X[rng.random(X.shape) < 0.02] = 0.0
    X[:, 0] = np.maximum(X[:, 0], 0.01)
    found = regret.best_rebalanced(X)
    on_simplex(found.weights)
    assert found.exact
    assert found.loss == pytest.approx(-np.log(X @ found.weights).sum(), rel=1e-12)
    growth = (X / (X @ found.weights)[:, None]).mean(axis=0)
    assert growth.max() <= 1.0 + 1e-8
    assert np.abs(found.weights * (growth - 1.0)).max() <= 1e-8
    for w in np.vstack([np.eye(N), np.full(N, 1.0 / N), rng.dirichlet(np.ones(N), 50)]):
        with np.errstate(divide="ignore"):
            assert found.loss <= -np.log(X @ w).sum() + 1e-8


def test_nothing_to_look_back_at() -> None:
    empty = np.zeros((0, 3))
    for loss in ("squared", "absolute"):
        assert regret.best_mixture(empty, [], loss).loss == 0.0
        assert regret.best_linear(empty, [], loss).loss == 0.0
    on_simplex(regret.best_rebalanced(empty).weights)
    perfect = regret.best_mixture([[1.0, 0.0], [2.0, 0.0]], [1.0, 2.0])
    assert perfect.weights.tolist() == [1.0, 0.0]


def test_without_scipy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(ImportError, match="need the package `scipy`: pip install 'afterwit\\[hindsight\\]'"):
        regret.best_mixture([[1.0, 2.0]], [1.5])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regret.best_mixture([[1.0]], [1.0], "logistic"), "loss is `logistic`, expected `squared`, `absolute`"),
        (lambda: regret.best_mixture([1.0], [1.0]), "forecasts has 1 dimensions, expected 2"),
        (lambda: regret.best_mixture([[]], [1.0]), "forecasts has no columns"),
        (lambda: regret.best_mixture([[1.0]], [1.0, 2.0]), "y has the shape \\(2,\\), expected \\(1,\\)"),
        (lambda: regret.best_mixture([[1.0]], [math.nan]), "y\\[0\\] is `nan`, expected a finite number"),
        (lambda: regret.best_linear([[1.0]], [1.0], weight=[-1.0]), "weight\\[0\\] is `-1`, expected .* 0 or more"),
        (lambda: regret.best_linear([[math.inf]], [1.0]), "forecasts\\[0, 0\\] is `inf`, expected a finite number"),
        (lambda: regret.best_rebalanced([[1.0, -1.0]]), "relatives\\[0, 1\\] is `-1`, expected a finite number, 0 or"),
        (lambda: regret.best_rebalanced([[1.0], [0.0]]), "relatives\\[1\\] is 0 for every stock"),
        (lambda: regret.best_rebalanced([[]]), "relatives has no columns"),
    ],
)
def test_a_wrong_argument_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
