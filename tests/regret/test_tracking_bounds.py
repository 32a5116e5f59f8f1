"""The bounds of second order, on intervals and to moving competitors: by hand, at their edges, and wrong arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit import regret


def test_one_expert_has_no_regret() -> None:
    assert regret.adapt_ml_prod([1.0], [0.0], 100) == 0.0
    assert regret.boa([1.0], [0.0]) == 0.0
    assert regret.fixed_share_tuned(1, 100) == 0.0


def test_second_order_bounds_are_those_of_the_experts_by_parts() -> None:
    V, u = np.array([3.0, 50.0, 0.0]), np.array([0.2, 0.5, 0.3])
    for bound in (lambda u: regret.adapt_ml_prod(u, V, 99), lambda u: regret.boa(u, V), lambda u: regret.ml_pol(u, V)):
        alone = [bound(e) for e in np.eye(3)]
        assert alone[2] < alone[0] < alone[1]
        assert bound(u) == pytest.approx(u @ alone)
    S = 3.0 + math.log(4.0) + math.log(51.0)
    assert regret.ml_pol([0.0, 1.0, 0.0], V) == pytest.approx(math.sqrt(51.0 * S))
    assert regret.ml_pol([0.0, 1.0, 0.0], V, gone=2.0) == pytest.approx(math.sqrt(51.0 * (S + 2.0)))
    C = 3.0 * math.log(3.0) + math.log(1.0 + 3.0 / (2.0 * math.e) * (1.0 + math.log(100.0)))
    assert regret.adapt_ml_prod([0.0, 0.0, 1.0], V, 99) == pytest.approx(C / math.sqrt(math.log(3.0)) + 2.0 * C)


def test_ml_pol_is_below_its_printed_form() -> None:
    T, K = 400, 7
    V = np.random.default_rng(0).uniform(0.0, T, K)
    printed = math.sqrt(K * (1.0 + V[2]) * (1.0 + math.log(1.0 + T)))
    assert regret.ml_pol(np.eye(K)[2], V) <= printed


def test_fixed_share_by_hand() -> None:
    N, eta, alpha, T = 5, 0.5, 0.1, 30
    one = math.log(N) / eta + eta * T / 8.0 - (T - 1) * math.log(1.0 - alpha) / eta
    assert regret.fixed_share(N, eta, alpha, T) == pytest.approx(one)
    more = (math.log(N / alpha) + math.log(1.0 - alpha)) / eta
    assert regret.fixed_share(N, eta, alpha, T, variation=3.0) == pytest.approx(one + 2.0 * more)
    assert regret.fixed_share(N, eta, alpha, 4.0 * T, 4.0, first=4.0) == pytest.approx(4.0 * one)


def test_an_interval_costs_less_than_all_rounds() -> None:
    for T in (1, 2, 17, 1000):
        assert regret.fixed_share_tuned(4, T, first=T) <= regret.fixed_share_tuned(4, T)
        assert regret.interval_factor(4, 1, T) <= regret.interval_factor(4, T, T)
        assert regret.interval_factor(4, 1, T) <= regret.interval_factor(4, 1, T, streaming=True)
    assert regret.fixed_share_tuned(4, 0) == 0.0
    assert regret.interval_factor(4, 3, 10, True) == pytest.approx(4.0 * regret.interval_factor(4, 10, 10))


def test_the_tail_of_the_prior_is_not_forgotten() -> None:
    """Z of 200,000 rounds, of which the last 100,000 are bounded and not added."""
    Z = math.fsum(1.0 / tau**2 for tau in range(1, 200_001))
    exact = 3.0 * (math.log(4.0 * Z) + math.log(2.5 + 1.5 * math.log(200_001)) + 1.0)
    assert exact <= regret.interval_factor(4, 1, 200_000) <= exact + 1e-4


def test_leading_history_by_hand() -> None:
    assert regret.leading_history(11, 20, 3.0, rate=0.5) == pytest.approx(3.0 + math.log(20) / 0.5 + 0.5 * 10 / 8)
    pruned = regret.leading_history(11, 20, 3.0, rate=0.5, streaming=True)
    assert pruned == pytest.approx(4.0 * (3.0 + math.log(20) / 0.5) + 0.5 * 10 / 8)
    assert regret.leading_history(11, 20, 3.0) == pytest.approx(3.0 + regret.ada_normal_hedge_tv(1, 11, 20, 10.0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regret.fixed_share(5, 0.5, 1.0, 10), "share is `1.0`, expected a number above 0 and below 1"),
        (lambda: regret.fixed_share(5, 0.0, 0.5, 10), "rate is `0.0`, expected a positive number"),
        (lambda: regret.fixed_share_tuned(5, 10, segments=0), "segments is `0`, expected a whole number, 1 or more"),
        (lambda: regret.interval_factor(5, 11, 10), "first is `11`, expected a round up to the last one, 10"),
        (lambda: regret.ada_normal_hedge_tv(5, 1, 10, -1.0), "C is `-1.0`"),
        (lambda: regret.moving_competitor(-1.0, 1.0, 1.0), "factor is `-1.0`"),
        (lambda: regret.leading_history(1, 10, -1.0), "base is `-1.0`"),
        (lambda: regret.ml_pol([1.0], [1.0], gone=-1.0), "gone is `-1.0`"),
        (lambda: regret.boa([0.5, 0.6], [1.0, 1.0]), "u sums to `1.1`"),
        (lambda: regret.adapt_ml_prod([0.5, 0.5], [1.0], 3), "V has 1 entries, expected 2"),
        (lambda: regret.sampled(1.0, 10, 0.0), "delta is `0.0`"),
    ],
)
def test_a_wrong_argument_says_so(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        call()
