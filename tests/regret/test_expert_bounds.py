"""The bounds of players by hand, at their edges, and what a wrong argument says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit import regret


def test_exponential_weights_at_the_best_rate_and_others() -> None:
    best = regret.exponential_weights(1000, 0.1)
    eta = math.sqrt(2 * math.log(10) / 1000)
    assert best == pytest.approx(math.sqrt(2 * 1000 * math.log(10)))
    assert regret.exponential_weights(1000, 0.1, eta) == pytest.approx(best)
    assert regret.exponential_weights(1000, 0.1, eta / 2) == pytest.approx(1.25 * best)
    assert regret.exponential_weights(1000, 1.0) == 0.0


def test_doubling_counts_the_epochs_begun() -> None:
    """2 rounds, then 4, then 8: the third epoch begins with the seventh round (errata 16)."""
    assert [round(regret.doubling(T, 1.0) ** 1, 6) for T in (0, 1, 2)] == [0.0, 1.414214, 1.414214]
    assert regret.doubling(6, 1.0) == pytest.approx(math.sqrt(2) + 2.0)
    assert regret.doubling(7, 1.0) == pytest.approx(math.sqrt(2) + 2.0 + math.sqrt(8))


def test_halving_is_a_floor() -> None:
    assert [regret.halving(N) for N in (1, 2, 3, 4, 7, 8, 10**6)] == [0, 1, 1, 2, 2, 3, 19]


def test_the_two_forms_of_theorem_4() -> None:
    C, u = [3.0, 5.0, 0.0, 2.0], [0.5, 0.5, 0.0, 0.0]
    B = 1.0 + 1.5 * sum(0.25 * (1.0 + math.log(1.0 + c)) for c in C)
    entropy = math.log(2.0)
    assert regret.any_competitor_factor(u, C) == pytest.approx(
        3.0 * (entropy + math.log(B) + math.log(1.0 + math.log(4.0)))
    )
    assert regret.subset_factor(u, C) == pytest.approx(3.0 * (entropy + math.log(B) + 1.0))
    assert regret.ada_normal_hedge(u, C) == pytest.approx(math.sqrt(4.0 * regret.any_competitor_factor(u, C)))
    assert regret.ada_normal_hedge_subset(u, C) == pytest.approx(math.sqrt(4.0 * regret.subset_factor(u, C)))
    assert regret.relative_entropy([1.0, 0.0], [0.0, 1.0]) == math.inf
    assert regret.relative_entropy(np.full(5, 0.2)) == 0.0


def test_theorem_4_for_one_expert() -> None:
    C, prior = [3.0, 5.0, 0.0, 2.0], [0.5, 0.25, 0.25, 0.0]
    B = 1.0 + 1.5 * sum(0.25 * (1.0 + math.log(1.0 + c)) for c in C)
    assert regret.ada_normal_hedge_expert(C, 1) == pytest.approx(math.sqrt(3.0 * 5.0 * math.log(4.0 * B)))
    B = 1.0 + 1.5 * sum(q * (1.0 + math.log(1.0 + c)) for q, c in zip(prior, C, strict=True))
    assert regret.ada_normal_hedge_expert(C, 1, prior) == pytest.approx(math.sqrt(3.0 * 5.0 * math.log(4.0 * B)))
    assert regret.ada_normal_hedge_expert(C, 2) == 0.0
    assert regret.ada_normal_hedge_expert(C, 3, prior) == math.inf
    for i in (0, 1, 3):
        u = np.eye(4)[i]
        assert regret.ada_normal_hedge_expert(C, i) < regret.ada_normal_hedge_subset(u, C)
        assert regret.ada_normal_hedge_expert(C, i) < regret.ada_normal_hedge(u, C)


def test_theorem_5_follows_from_theorem_4() -> None:
    """R^2 <= (R + 2 L) A has its largest solution below sqrt(2 L A) + A."""
    for L in (0.0, 0.5, 10.0, 1e4):
        for A in (0.1, 3.0, 40.0):
            largest = (A + math.sqrt(A * A + 8.0 * L * A)) / 2.0
            assert largest <= regret.small_loss(L, A) * (1.0 + 1e-12)


def test_corollary_2_grows_with_rounds_and_falls_with_eps() -> None:
    assert regret.normal_hedge_dt(0, 0.5) == 0.0
    assert regret.normal_hedge_dt(10, 0.1) < regret.normal_hedge_dt(20, 0.1) < regret.normal_hedge_dt(20, 0.05)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regret.halving(0), "experts is `0`, expected a whole number, 1 or more"),
        (lambda: regret.exponential_weights(10, 0.0), "eps is `0.0`, expected a number above 0 and at most 1"),
        (lambda: regret.exponential_weights(10, 0.5, 0.0), "rate is `0.0`, expected a positive number"),
        (lambda: regret.two_norm(-1, 0.5), "rounds is `-1`, expected a whole number, 0 or more"),
        (lambda: regret.doubling(10, -1.0), "factor is `-1.0`, expected a finite number, 0 or more"),
        (lambda: regret.relative_entropy([0.5, 0.6]), "u sums to `1.1`, expected 1"),
        (lambda: regret.ada_normal_hedge([1.0], [1.0, 2.0]), "C has 2 entries, expected 1"),
        (lambda: regret.ada_normal_hedge([1.0, 0.0], [1.0, -2.0]), r"C\[1\] is `-2`, expected a finite number"),
        (lambda: regret.ada_normal_hedge([1.0, 0.0], [1.0, 1.0], [1.0, 1.0]), "prior sums to `2`, expected 1"),
        (lambda: regret.subset_factor([0.3, 0.7], [1.0, 1.0]), "u is not uniform over some experts"),
        (lambda: regret.stochastic(1.0, 0.0), "gap is `0.0`, expected a number above 0"),
    ],
)
def test_what_is_wrong_says_so(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
