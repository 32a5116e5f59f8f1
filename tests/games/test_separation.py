"""Separating hyperplanes: the formulas, the theorems, and points that nothing separates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import afterwit as aw
from afterwit import regret
from afterwit.games import CyclicPerceptron, OptimisticPerceptron
from afterwit.games.points import points_of
from tests.games.datasets import Array, alternating, with_margin


def algorithm_1(X: Array, y: Array, T: int) -> tuple[Array, Array, Array]:
    """Algorithm 1 as it is printed: w_1, ..., w_T, the weights of the points after the last, and all pseudoexamples."""
    r2 = (X**2).sum(axis=1).max()
    p = np.full(len(X), 1.0 / len(X))
    pseudo = [(p * y) @ X] * 2
    w, all_w = np.zeros(X.shape[1]), []
    for _ in range(T):
        w = w + 2.0 * pseudo[-1] - pseudo[-2]
        all_w.append(w)
        p = p * np.exp(-y * (X @ w) / r2)
        p /= p.sum()
        pseudo.append((p * y) @ X)
    return np.array(all_w), p, np.array(pseudo[2:])


@pytest.mark.parametrize(("n", "d"), [(1, 3), (7, 2), (40, 5), (33, 17), (70, 40), (300, 6)])
@pytest.mark.parametrize("zeros", [0.0, 0.6])
def test_the_optimistic_perceptron_is_algorithm_1(n: int, d: int, zeros: float) -> None:
    rng = np.random.default_rng(n)
    X, y = rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], n)
    X[:, 1:][rng.random((n, d - 1)) < zeros] = 0.0
    for T in (1, 2, 9, 60):
        game = OptimisticPerceptron(points_of(X, y))
        while game.rounds < T:
            game.advance(T)
        w, _, pseudo = algorithm_1(X, y, T)
        np.testing.assert_allclose(game._native.last(), w[-1], rtol=1e-10, atol=1e-10 * np.abs(w).max())
        np.testing.assert_allclose(game._native.sum(), w.sum(axis=0), rtol=1e-10, atol=1e-9 * np.abs(w).max())
        assert game._native.margin_at_most == pytest.approx(np.linalg.norm(pseudo.mean(axis=0)), rel=1e-9)
        separates = [(y * (X @ w[: t + 1].sum(axis=0))).min() > 0.0 for t in range(T)]
        assert game.mean_round == (separates.index(True) + 1 if any(separates) else 0)
        last = [(y * (X @ w[t])).min() > 0.0 for t in range(T)]
        assert game.last_round == (last.index(True) + 1 if any(last) else 0)
        assert game.operations == n + (2 * n + 3) * T


@pytest.mark.parametrize("scale", [1e-8, 0.37, 1e6])
def test_algorithm_1_does_not_feel_the_scale_of_the_points(scale: float) -> None:
    """So that the theorem holds at the best scale (errata 46)."""
    X, y, _ = with_margin(30, 4, 0.05)
    w, p, _ = algorithm_1(X, y, 25)
    scaled, same, _ = algorithm_1(scale * X, y, 25)
    np.testing.assert_allclose(scaled, scale * w, rtol=1e-9)
    np.testing.assert_allclose(same, p, rtol=1e-9)


@pytest.mark.parametrize("n", range(1, 13))
def test_both_theorems_where_the_perceptron_is_slow(n: int) -> None:
    X, y = alternating(n)
    points, gamma, r = points_of(X, y), math.sqrt(3.0 / (4.0**n - 1.0)), math.sqrt(n)
    assert points.longest == pytest.approx(r)
    passes = CyclicPerceptron(points)
    passes.advance(10**9)
    assert passes.rounds == (4**n - 1) // 3 <= (r / gamma) ** 2
    assert passes.visits == n * (2 * 4 ** (n - 1) + 4) // 3
    assert passes.operations == passes.visits + passes.rounds
    game = OptimisticPerceptron(points)
    while not game.mean_round:
        game.advance(10**9)
    printed = math.floor((1.0 + 2.0 * r**2 * math.log(n)) / (2.0 * gamma)) + 1
    best = math.floor(r * math.sqrt(2.0 * math.log(n)) / gamma) + 1
    assert game.mean_round <= best == game.rounds_at_most(points, gamma) <= printed
    assert gamma <= game.margin_at_most


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("margin", [0.2, 0.02])
def test_random_points_are_separated_within_the_bounds(seed: int, margin: float) -> None:
    X, y, _ = with_margin(200, 6, margin, seed)
    r = np.linalg.norm(X, axis=1).max()
    game = OptimisticPerceptron(points_of(X, y))
    while not game.mean_round:
        game.advance(10**6)
    assert game.mean_round <= math.floor(r * math.sqrt(2.0 * math.log(200)) / margin) + 1
    assert game.mean_round <= math.floor((1.0 + 2.0 * r**2 * math.log(200)) / (2.0 * margin)) + 1
    for algorithm in ("optimistic", "perceptron"):
        found = aw.separate(X, y, algorithm=algorithm, intercept=bool(seed % 2))
        assert found.separator is not None
        assert found.margin is not None
        assert found.bound is not None
        margins = y * (X @ found.separator + found.intercept)
        assert margins.min() == pytest.approx(found.margin, rel=1e-9)
        assert np.linalg.norm([*found.separator, found.intercept]) == pytest.approx(1.0)
        assert 0.0 < found.margin <= found.margin_at_most * (1.0 + 1e-12)
        assert margin <= found.margin_at_most
        assert found.rounds <= found.bound


def test_the_cyclic_perceptron_is_the_perceptron_of_many_passes() -> None:
    for n, d in ((50, 3), (80, 3)):  # by a matrix of products, and by visits
        X, y, _ = with_margin(n, d, 0.05, seed=n)
        w, mistakes, visits = np.zeros(d), 0, 0
        clean = False
        while not clean:
            clean = True
            for x, label in zip(X, y, strict=True):
                visits += 1
                if label * (w @ x) <= 0.0:
                    w, mistakes, clean = w + label * x, mistakes + 1, False
        passes = CyclicPerceptron(points_of(X, y))
        while passes.found() is None:
            passes.advance(mistakes, 100)
        assert (passes.rounds, passes.visits) == (mistakes, visits)
        np.testing.assert_allclose(passes.found()[1], w, rtol=1e-12, atol=1e-12)  # type: ignore[index]
        assert passes.margin_at_most == pytest.approx(np.linalg.norm(w) / mistakes)


@pytest.mark.parametrize("algorithm", ["optimistic", "perceptron"])
def test_what_no_hyperplane_separates(algorithm: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    found = aw.separate(X, rng.choice([0, 1], 60), algorithm=algorithm)
    assert found.separator is found.margin is found.bound is found.which is None
    assert found.rounds == {"optimistic": 2862, "perceptron": 1_000_000}[algorithm]
    assert found.margin_at_most <= 1.0001e-3 * found.longest
    assert "no hyperplane was found that separates 60 points of 2 features" in str(found)
    assert "none has a margin above" in str(found)


@pytest.mark.parametrize("algorithm", ["optimistic", "perceptron"])
def test_it_stops_where_it_is_told(algorithm: str) -> None:
    X, y = alternating(6)
    whole = aw.separate(X, y, algorithm=algorithm)
    assert aw.separate(X, y, algorithm=algorithm, rounds=whole.rounds).operations == whole.operations
    assert aw.separate(X, y, algorithm=algorithm, rounds=whole.rounds - 1).separator is None


@pytest.mark.parametrize(
    ("X", "y", "remark", "separates"),
    [
        ([[2.0, 1.0]], [1], "one point alone", True),
        ([[2.0, 1.0]], [-1], "one point alone", True),
        ([[2.0, 1.0], [1.0, 0.0], [2.0, 1.0]], [1, 1, -1], "points 1 and 3 are the same, with both labels", False),
        ([[2.0, 1.0], [-2.0, -1.0]], [1, 1], "points 1 and 2 are opposite, with the same label", False),
        ([[2.0, 1.0], [0.0, 0.0]], [1, -1], "point 2 is all zeros", False),
        ([[0.0, 0.0]], [1], "point 1 is all zeros", False),
        ([[2.0, 1.0], [1.0, 0.0]], [1, 1], "all labels are `+1`", True),
        ([[2.0, 1.0], [2.0, 1.0]], [1, 1], "all labels are `+1`", True),
    ],
)
@pytest.mark.parametrize("algorithm", ["optimistic", "perceptron"])
def test_odd_points_have_a_sentence(X: Any, y: Any, remark: str, separates: bool, algorithm: str) -> None:
    found = aw.separate(np.array(X), y, algorithm=algorithm)
    assert found.remark is not None
    assert remark in found.remark
    assert remark in str(found)
    assert (found.separator is not None) == separates
    assert (found.margin_at_most == 0.0) == (not separates)


def test_an_intercept_takes_zeros() -> None:
    found = aw.separate(np.array([[0.0], [1.0]]), [-1, 1], intercept=True)
    assert found.separator is not None
    assert found.intercept < 0.0 < found.separator[0] + found.intercept


def test_the_same_bits_from_arrays_sparse_rows_dicts_and_text(tmp_path: Any) -> None:
    X, y, _ = with_margin(80, 20, 0.05)
    X[:, 1:15][np.random.default_rng(1).random((80, 14)) < 0.5] = 0.0
    X[:, 0] += 0.3 * y
    names = [str(j) for j in range(20)]
    lines = [" ".join(f"{j}:{v!r}" for j, v in enumerate(x) if v) for x in X.tolist()]
    (tmp_path / "a.svm").write_text("".join(f"{int(l)} {line}\n" for l, line in zip(y, lines, strict=True)))
    every = [
        aw.separate(X, y),
        aw.separate(scipy.sparse.csr_matrix(X), y),
        aw.separate([(dict(zip(names, x, strict=True)), label) for x, label in zip(X.tolist(), y, strict=True)]),
        aw.separate(str(tmp_path / "a.svm")),
    ]
    order = [[*each.features].index(name) for each in every for name in names]
    for k, each in enumerate(every):
        assert each.separator is not None
        np.testing.assert_allclose(each.separator[order[20 * k : 20 * k + 20]], every[0].separator, rtol=1e-9)
    assert every[1].separator.tobytes() == every[0].separator.tobytes()
    assert every[3].separator.tobytes() == every[0].separator.tobytes()
    assert every[0].features == every[1].features == every[3].features == tuple(names)


def test_a_feature_that_comes_twice_in_a_row_is_added_up(tmp_path: Any) -> None:
    (tmp_path / "a.svm").write_text("+1 3:1 1:2 3:1\n-1 2:1\n")
    (tmp_path / "b.svm").write_text("+1 1:2 3:2\n-1 2:1\n")
    one, other = aw.separate(str(tmp_path / "a.svm")), aw.separate(str(tmp_path / "b.svm"))
    assert one.features == other.features == ("1", "2", "3")
    np.testing.assert_array_equal(one.separator, other.separator)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("algorithm is `winnow`, expected `optimistic` or `perceptron`", {"algorithm": "winnow"}),
        ("rounds is `0`, expected a whole number from 1", {"rounds": 0}),
        ("there are no points to separate", {"source": np.zeros((0, 2)), "y": []}),
        ("label", {"y": [1, 2]}),
        ("finite number", {"source": np.array([[1.0], [np.inf]])}),
        ("y has 3 entries, expected 2", {"y": [1, 1, -1]}),
        ("all points are shorter than 1e-100", {"source": np.array([[1e-200], [-1e-200]])}),
        ("y is missing", {"y": None}),
    ],
)
def test_wrong_input(words: str, given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=words):
        aw.separate(**{"source": np.array([[1.0], [-1.0]]), "y": [1, -1], **given})


def test_huge_and_tiny_points() -> None:
    X, y, _ = with_margin(40, 3, 0.1)
    for scale in (1e37, 1e-60):
        found, plain = aw.separate(scale * X, y), aw.separate(X, y)
        np.testing.assert_allclose(found.separator, plain.separator, rtol=1e-9)
        assert found.rounds == plain.rounds
        assert found.margin == pytest.approx(scale * plain.margin, rel=1e-9)


def test_the_bound_at_its_edges() -> None:
    assert regret.optimistic_perceptron(1.0, 0.5, 1) == 1
    with pytest.raises(ValueError, match="margin is `0"):
        regret.optimistic_perceptron(1.0, 0.0, 10)


@pytest.mark.slow
def test_a_hundred_thousand_points() -> None:
    X, y, _ = with_margin(100_000, 100, 0.01)
    for algorithm in ("optimistic", "perceptron"):
        found = aw.separate(X, y, algorithm=algorithm)
        assert found.separator is not None
        assert (y * (X @ found.separator)).min() > 0.0
