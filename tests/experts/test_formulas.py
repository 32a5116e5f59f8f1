"""Every rule is its formula, to 1e-10 over 2,000 rounds of every kind of game."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from afterwit.experts import (
    AdaNormalHedge,
    AdaNormalHedgeTV,
    AdaptMLProd,
    Boa,
    FixedShare,
    Halving,
    Hedge,
    MLPol,
    NormalHedge,
    NormalHedgeDT,
    TwoNorm,
)
from tests.experts.formulas import (
    Array,
    adapt_ml_prod,
    boa,
    doubled_hedge,
    fixed_share,
    halving,
    hedge,
    ml_pol,
    normal_hedge,
    normal_hedge_of,
    normal_hedge_tv,
    two_norm,
)
from tests.experts.games import GAMES, RNG, ROUNDS, confidences

#: Name -> the class, its settings, and its formula.
RULES: dict[str, tuple[type[Any], dict[str, Any], Callable[[Array], Array]]] = {
    "Hedge, rate": (Hedge, {"rate": 0.3}, lambda l: hedge(l, 0.3)),
    "Hedge, huge rate": (Hedge, {"rate": 1e4}, lambda l: hedge(l, 1e4)),
    "Hedge, horizon": (
        Hedge,
        {"horizon": ROUNDS},
        lambda l: hedge(l, math.sqrt(2.0 * math.log(l.shape[1]) / ROUNDS)),
    ),
    "Hedge, eps": (Hedge, {"horizon": 10, "eps": 0.5}, lambda l: hedge(l, math.sqrt(2.0 * math.log(2.0) / 10))),
    "Hedge, doubling": (Hedge, {}, lambda l: doubled_hedge(l, 1.0 / l.shape[1])),
    "AdaNormalHedge": (AdaNormalHedge, {}, lambda l: normal_hedge_of(1, l)),
    "NormalHedgeDT": (NormalHedgeDT, {}, lambda l: normal_hedge_of(0, l)),
    "TwoNorm": (TwoNorm, {}, two_norm),
    "NormalHedge": (NormalHedge, {}, normal_hedge),
    "AdaptMLProd": (AdaptMLProd, {}, adapt_ml_prod),
    "Boa": (Boa, {}, boa),
    "MLPol": (MLPol, {}, ml_pol),
    "FixedShare": (FixedShare, {"rate": 0.4, "share": 0.02}, lambda l: fixed_share(l, 0.4, 0.02)),
    "FixedShare, huge rate": (FixedShare, {"rate": 1e4, "share": 0.02}, lambda l: fixed_share(l, 1e4, 0.02)),
    "FixedShare, tuned": (FixedShare, {}, fixed_share),
    "AdaNormalHedgeTV": (AdaNormalHedgeTV, {}, lambda l: normal_hedge_tv(l, False)),
}
NORMAL = [(AdaNormalHedge, 1), (NormalHedgeDT, 0)]
SECOND_ORDER = [(AdaptMLProd, adapt_ml_prod), (Boa, boa), (MLPol, ml_pol)]


def difference(player: Any, losses: Array, P: Array, confidence: Array | None = None) -> float:
    """How far the weights are from the formula's, after a look at what no play may be."""
    history = player.run(losses, confidence, keep="weights")
    awake = np.isfinite(losses).any(axis=1) if confidence is None else P.any(axis=1)
    assert (history.weights >= 0.0).all()
    np.testing.assert_allclose(history.weights.sum(axis=1), awake.astype(float), rtol=0.0, atol=1e-12)
    l = np.where(np.isnan(losses), 0.0, losses)
    np.testing.assert_allclose(history.loss, (history.weights * l).sum(axis=1), rtol=0.0, atol=1e-12)
    rated = np.where(np.isnan(losses), 0.0, 1.0) if confidence is None else confidence * awake[:, None]
    np.testing.assert_allclose(history.total, (rated * l).sum(axis=0), rtol=1e-10, atol=1e-10)
    r = rated * (history.loss[:, None] - l)
    np.testing.assert_allclose(history.regret, r.sum(axis=0), rtol=1e-10, atol=1e-10)
    return float(np.abs(history.weights - P).max())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_its_formula(rule: str, game: str) -> None:
    check_formula(rule, game)


@cache
def expected(rule: str, game: str) -> Array:
    """What the formula plays."""
    return RULES[rule][2](GAMES[game])


def check_formula(rule: str, game: str, broken: Callable[[type[Any]], type[Any]] = lambda cls: cls) -> None:
    """Of the shipped class, or of a broken one."""
    cls, given, _ = RULES[rule]
    losses = GAMES[game]
    off = difference(broken(cls)(**given, experts=losses.shape[1]), losses, expected(rule, game))
    assert off < 1e-10, f"the weights are off by {off}"


@pytest.mark.parametrize(
    "game", [game if game == "200 experts" else pytest.param(game, marks=pytest.mark.slow) for game in GAMES]
)
def test_the_exact_form_of_tv(game: str) -> None:
    losses = GAMES[game]
    assert difference(AdaNormalHedgeTV(exact=True), losses, normal_hedge_tv(losses, True)) < 1e-10


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("cls", "d"), NORMAL)
def test_confidences(cls: type[Any], d: int, game: str) -> None:
    losses = GAMES[game]
    I = confidences(losses)
    I[:1] = 1.0
    assert difference(cls(), losses, normal_hedge_of(d, losses, I=I), I) < 1e-10


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("cls", "formula"), SECOND_ORDER)
def test_confidences_of_the_second_order(cls: type[Any], formula: Callable[..., Array], game: str) -> None:
    losses = GAMES[game]
    I = confidences(losses)
    I[:1] = 1.0
    assert difference(cls(), losses, formula(losses, I), I) < 1e-10
    asleep = losses.copy()
    asleep[I < 0.5] = np.nan
    assert difference(cls(), asleep, formula(asleep)) < 1e-10


@pytest.mark.parametrize(("cls", "formula"), SECOND_ORDER[:2])
def test_weights_that_vanish_beside_sleepers(cls: type[Any], formula: Callable[..., Array]) -> None:
    """Two experts lose so long that their weights are below e^-700, and are then left alone: p is not the prior."""
    player = cls(experts=3)
    player.set_state({**player.state(), "V": np.array([1.0, 4e6, 4e6]), "M": np.array([1.0, -4e6, -4e6 + 500.0])})
    assert player.play().tolist() == [1.0, 0.0, 0.0]
    eta = math.sqrt(math.log(3.0) / 4e6)
    assert player.play([0.0, 1.0, 1.0])[2] == pytest.approx(1.0 / (1.0 + math.exp(-500.0 * eta)), rel=1e-6)
    again = cls(experts=3)
    again.set_state(player.state())
    kept = again.run([[0.5, 0.2, 0.3]], [[0.0, 1.0, 1.0]], keep="weights").weights
    assert np.array_equal(kept[0], player.play([0.0, 1.0, 1.0]))


@pytest.mark.parametrize(("cls", "d"), NORMAL)
def test_priors_with_zeros(cls: type[Any], d: int) -> None:
    losses = GAMES["random"]
    q = np.array([0.0, 1.0, 0.3, 1e-8, 0.0, 7.0, 1e-3, 1e-3, 2.0, 0.0])
    assert difference(cls(prior=q), losses, normal_hedge_of(d, losses, q)) < 1e-10
    I = confidences(losses)
    P = normal_hedge_of(d, losses, q, I)
    assert difference(cls(prior=q), losses, P, I) < 1e-10
    assert not P[:, q == 0.0].any()


@pytest.mark.parametrize(("cls", "d"), NORMAL)
def test_a_nan_sleeps(cls: type[Any], d: int) -> None:
    losses = GAMES["random"].copy()
    losses[RNG.random(losses.shape) < 0.3] = np.nan
    losses[100:110] = np.nan
    assert difference(cls(), losses, normal_hedge_of(d, losses)) < 1e-10
    I = np.isfinite(losses).astype(float)
    assert difference(cls(), losses, normal_hedge_of(d, losses), I) < 1e-10


@pytest.mark.parametrize(("cls", "d"), NORMAL)
def test_all_awake_weights_are_zero(cls: type[Any], d: int) -> None:
    """Experts 1 and 2 have lost by more than 1 when they are left alone: p is prop. to q I (errata 22)."""
    losses = np.array([[0.0, 1.0, 1.0]] * 20 + [[0.3, 0.2, 0.4]] * 5)
    I = np.ones(losses.shape)
    I[20:] = [0.0, 0.5, 1.0]
    q = np.array([1.0, 1.0, 0.25])
    player = cls(prior=q)
    player.run(losses[:20], I[:20])
    assert player.play()[1:].tolist() == [0.0, 0.0]
    assert player.play([0.0, 0.5, 1.0]) == pytest.approx([0.0, 2 / 3, 1 / 3])
    assert difference(cls(prior=q), losses, normal_hedge_of(d, losses, q, I), I) < 1e-10


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_exponents_in_the_thousands(cls: type[Any]) -> None:
    """A foreign R with R^2/3C up to 30,000, where exp is infinite (errata 25)."""
    player = cls(experts=5)
    R, C = np.array([100000.0, 99999.5, 2127.0, -3.0, 0.5]), np.array([1e5, 1e5, 2127.0, 5.0, 2.0])
    player.set_state({**player.state(), "R": R, "C": C})
    a, b = np.maximum(R + 1, 0) ** 2 / (3 * (C + 1)), np.maximum(R - 1, 0) ** 2 / (3 * (C + 1))
    logs = np.where(R >= 1, 4 * R / (3 * (C + 1)), a)
    w = np.exp(b - b.max()) * np.expm1(logs)
    assert player.play() == pytest.approx(w / w.sum(), rel=1e-10, abs=1e-300)
    player.update([0.5, 0.0, 1.0, 0.0, 1.0])
    assert player.play().sum() == pytest.approx(1.0)


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_tiny_priors(cls: type[Any]) -> None:
    """A prior 2^-i over a thousand experts: those far behind are played alone as if the first were not there."""
    q = 0.5 ** np.arange(1000)
    losses = RNG.random((50, 1000))
    I = np.zeros(losses.shape)
    I[:, 900:] = 1.0
    whole, tail = cls(prior=q), cls(prior=q[900:])
    P = whole.run(losses, I, keep="weights").weights
    assert np.abs(P[:, 900:] - tail.run(losses[:, 900:], keep="weights").weights).max() < 1e-10


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_near_minus_one_no_digit_is_lost(cls: type[Any]) -> None:
    """R = -1 + 1e-9: w is about 1e-19, and not 0 (errata 25)."""
    player = cls(experts=2)
    R = np.array([-1.0 + 1e-9, -1.0])
    player.set_state({**player.state(), "R": R, "C": np.array([1.0, 1.0])})
    assert player.play().tolist() == [1.0, 0.0]
    player.set_state({**player.state(), "R": np.array([-1.0 + 1e-9, -1.0 + 2e-9])})
    assert player.play()[1] == pytest.approx(0.8, rel=1e-6)


@pytest.mark.parametrize("cls", [TwoNorm, NormalHedge, AdaNormalHedge, NormalHedgeDT])
def test_who_has_lost_has_exactly_no_weight(cls: type[Any]) -> None:
    losses = GAMES["switch at half"]
    history = cls().run(losses, keep="weights")
    R = np.vstack([np.zeros(5), np.cumsum(history.loss[:, None] - losses, axis=0)[:-1]])
    lost = (-1e-9 if cls is NormalHedge else -1.0 - 1e-9) >= R
    assert lost[1:].any()
    assert not history.weights[lost].any()
    assert (history.weights[(R >= 1e-9) if cls is NormalHedge else (R > -1.0 + 1e-9)] > 0.0).all()


def test_the_search_of_normal_hedge_ends_on_every_input() -> None:
    rng = np.random.default_rng(5)
    for N in (1, 2, 3, 16, 17, 100, 1000):
        for R in (
            10.0 ** rng.uniform(-300, 140, N) * rng.choice([-1, 1], N),
            10.0 ** rng.uniform(-3, 3, N) * rng.choice([-1, 1], N),
            np.full(N, 5e-324),
            np.full(N, -1.0),
            np.where(np.arange(N) == 0, 1e5, 1e5 - 1e-6),
            np.where(np.arange(N) == 0, 1.0, 0.0),
        ):
            player = NormalHedge(experts=N)
            player.set_state({**player.state(), "R": R})
            p = player.play()
            assert (p >= 0.0).all()
            assert p.sum() == pytest.approx(1.0)


def test_halving_is_its_formula() -> None:
    rng = np.random.default_rng(6)
    losses = (rng.random((40, 64)) < 0.1).astype(float)
    losses[:, 17] = 0.0
    assert difference(Halving(), losses, halving(losses)) < 1e-12


def test_halving_votes_and_says_when_nobody_is_left() -> None:
    player = Halving(experts=["a", "b", "c", "d"])
    assert player.vote({"a": 1, "b": 1, "c": -1, "d": -1}) == 1  # a tie
    player.update({"a": 1, "b": 0, "c": 0, "d": 0})
    assert player.vote({"a": 1, "b": 1, "c": -1, "d": -1}) == -1
    before = player.state()
    with pytest.raises(ValueError, match="every expert that had never erred errs, so that nobody is left"):
        player.update({"a": 0, "b": 1, "c": 1, "d": 1})
    with pytest.raises(ValueError, match=r"losses\[`b`\] is `0.5`, expected 0 or 1"):
        player.update({"a": 0, "b": 0.5, "c": 1, "d": 1})
    with pytest.raises(ValueError, match="expected -1 or"):
        player.vote({"a": 1, "b": 0, "c": 1, "d": 1})
    assert player.state()["errors"].tolist() == before["errors"].tolist()
    assert player.mistake_bound() == 2
    assert player.regret_bound("a").value is None
    assert player.regret_bound("b").value == pytest.approx(math.log(4))


@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_tiny_priors_of_all_who_are_left(cls: type[Any]) -> None:
    """The first has lost; of the others q w is about 1e-319, where a double has hardly a digit."""
    player = cls(prior=[1.0, 1e-300, 1e-300])
    R = np.array([-3.0, -1.0 + 1e-9, -1.0 + 2e-9])
    player.set_state({**player.state(), "R": R, "C": np.full(3, 3.0)})
    assert player.play() == pytest.approx([0.0, 0.2, 0.8], rel=1e-6)


@pytest.mark.parametrize(
    ("R", "C"),
    [([30.0, 28.0, 5.0, 0.0], [1.0, 1.0, 0.0, 1.0]), ([3.0, 2.0, 0.5, -0.5], [10.0, 4.0, 7.0, 1.0])],
    ids=["R above C", "others have slept"],
)
@pytest.mark.parametrize("cls", [AdaNormalHedge, NormalHedgeDT])
def test_a_state_from_elsewhere(cls: type[Any], R: Any, C: Any) -> None:
    player = cls(experts=4)
    R, C = np.array(R), np.array(C)
    player.set_state({**player.state(), "R": R, "C": C})
    a, b = np.maximum(R + 1, 0) ** 2 / (3 * (C + 1)), np.maximum(R - 1, 0) ** 2 / (3 * (C + 1))
    w = np.exp(b - b.max()) * np.expm1(a - b)
    assert player.play() == pytest.approx(w / w.sum(), rel=1e-10)
