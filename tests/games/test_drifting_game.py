"""Drifting games: potentials never grow, players over experts come out of them, and so does boost-by-majority."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from afterwit import regret
from afterwit.experts import AdaNormalHedge, Hedge, NormalHedgeDT, TwoNorm
from afterwit.games import ChipsOfExperts, DriftingGame, ExpertsOfGame
from afterwit.potentials import Averaged, Exponential, Minimax, Normal, SquaredNegativePart, check_potential
from tests.games.datasets import Array

T = 40
CONVEX = [
    Exponential(0.05),
    Exponential(1.5),
    SquaredNegativePart(),
    Normal(),
    Averaged(lambda s: np.maximum(-s, 0.0) ** 3, T),
    Averaged(lambda s: np.logaddexp(0.0, -2.0 * (s + 5.0)), T),
]
ENDS = [
    Minimax(lambda s: s <= 0.0, T, drift=0.2),
    Minimax(lambda s: s <= -6.0, T),
    Minimax(lambda s: np.minimum(np.maximum(-s, 0.0), 9.0), T, moves=(-2, 0, 1), drift=-0.25),
    Minimax(lambda s: s < 3.0, T, moves=(-1, 0, 3), drift=0.0),
]


def allowed(game: DriftingGame, p: Array, rng: np.random.Generator) -> Array:
    """Movements that the adversary may choose: at random, greedy or for some against all others."""
    drift = game.drift
    if game.moves is None:
        z = rng.choice(
            [rng.uniform(-1.0, 1.0, len(p)), rng.choice([-1.0, 1.0], len(p)), np.where(p < 1 / len(p), -1.0, 1.0)]
        )
        # Those below the drift go up together as far as is needed.
        lift = max(0.0, (drift - p @ z) / max(p @ (1.0 - z), 1e-300))
        return np.minimum(z + min(lift * (1.0 + 1e-12), 1.0) * (1.0 - z), 1.0)
    z = rng.choice(np.array(game.moves, dtype=float), len(p))
    for i in rng.permutation(len(p)):
        if p @ z >= drift:
            break
        z[i] = max(game.moves)
    return z


@pytest.mark.parametrize("potential", [*CONVEX, *ENDS], ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("seed", range(3))
def test_the_sum_of_potentials_never_grows(potential: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    game = DriftingGame(potential, chips=7)
    before = game.mean_potential()
    for _ in range(T):
        p = game.play()
        assert p.sum() == pytest.approx(1.0)
        game.move(allowed(game, p, rng))
        now = game.mean_potential()
        assert now <= before + 1e-9 * max(abs(before), 1.0)
        before = now


@pytest.mark.parametrize("potential", [*CONVEX[:4]], ids=lambda p: type(p).__name__)
def test_other_weights_let_it_grow(potential: Any) -> None:
    """The test above bites: with uniform weights the adversary makes it grow."""
    s = np.zeros(8)
    grew = False
    for t in range(1, T + 1):
        z = np.where(np.arange(8) < 4, -1.0, 1.0)  # 0 on average
        grew |= float(potential.value(s + z, t).sum()) > float(potential.value(s, t - 1).sum()) + 1e-6
        s += z
    assert grew


def brute(potential: Minimax, s: float, t: int) -> tuple[float, float]:
    """Eq. (2.1), its minimum over a fine grid of w."""
    w = np.linspace(0.0, 10.0, 40001)
    if t == potential.rounds:
        return float(np.asarray(potential.loss(np.array([s])), dtype=float)[0]), 0.0
    f = {z: float(potential.value(np.array([s + z]), t + 1)[0]) for z in potential.moves}
    worst = np.max([f[z] + w * (z - potential.drift) for z in potential.moves], axis=0)
    return float(worst.min()), float(w[worst.argmin()])


@pytest.mark.parametrize("potential", ENDS, ids=range(len(ENDS)))
def test_the_recursion_is_equation_2_1(potential: Minimax) -> None:
    for t in (0, 1, T // 2, T - 2, T - 1):
        low, high = min(*potential.moves, 0) * t, max(*potential.moves, 0) * t
        for s in np.unique(np.linspace(low, high, 9).round()):
            value, _ = brute(potential, s, t)
            assert potential.value(np.array([s]), t)[0] == pytest.approx(value, abs=2e-3)
            w = float(potential.weight(np.array([s]), t + 1)[0])
            after = [potential.value(np.array([s + z]), t + 1)[0] + w * (z - potential.drift) for z in potential.moves]
            assert max(after) == pytest.approx(potential.value(np.array([s]), t)[0], abs=1e-12)


@pytest.mark.parametrize("drift", [0.0, 0.1, 0.5])
def test_boost_by_majority_comes_out(drift: float) -> None:
    """For moves -1 and +1 and the loss 1{s <= 0}: the tail and the terms of a binomial distribution."""
    rounds, heads = 21, (1.0 + drift) / 2.0
    potential = Minimax(lambda s: s <= 0.0, rounds, drift=drift)

    def term(n: int, k: int) -> float:
        return math.comb(n, k) * heads**k * (1.0 - heads) ** (n - k) if 0 <= k <= n else 0.0

    for t in range(rounds + 1):
        for s in range(-t, t + 1, 2):
            left = rounds - t
            tail = sum(term(left, k) for k in range(left + 1) if s + 2 * k - left <= 0)
            assert potential.value(np.array([float(s)]), t)[0] == pytest.approx(tail, abs=1e-12)
            if t < rounds:
                w = term(left - 1, (left - 1 - s + 1) // 2) / 2.0
                assert potential.weight(np.array([float(s)]), t + 1)[0] == pytest.approx(w, abs=1e-12)


@pytest.mark.parametrize("chips", [1, 2, 3])
def test_no_adversary_gets_more_than_phi_0(chips: int) -> None:
    """All of them, on a short game."""
    potential = Minimax(lambda s: s <= 0.0, 4, drift=0.2)
    phi_0, worst = float(potential.value(np.zeros(1), 0)[0]), 0.0

    def play(game: DriftingGame) -> None:
        nonlocal worst
        if game.rounds == 4:
            worst = max(worst, float((game.positions <= 0.0).mean()))
            return
        for z in itertools.product((-1.0, 1.0), repeat=chips):
            if game.play() @ z >= 0.2:
                other = DriftingGame(potential, chips)
                other.positions, other.rounds = game.positions, game.rounds
                other.move(z)
                play(other)

    play(DriftingGame(potential, chips))
    assert worst <= phi_0 + 1e-12


def test_an_averaged_end_is_what_the_condition_says_with_equality() -> None:
    potential, s = CONVEX[4], np.linspace(-20.0, 20.0, 81)
    for t in (1, 7, T):
        after = potential.value(s - 1.0, t) + potential.value(s + 1.0, t)
        np.testing.assert_allclose(after, 2.0 * potential.value(s, t - 1), rtol=1e-12)


@pytest.mark.parametrize(
    ("player", "potential"),
    [
        (Hedge(rate=0.3, experts=6), Exponential(0.3)),
        (TwoNorm(experts=6), SquaredNegativePart()),
        (NormalHedgeDT(experts=6), Normal()),
    ],
    ids=["Hedge", "TwoNorm", "NormalHedgeDT"],
)
def test_players_come_out_to_the_last_digit(player: Any, potential: Any) -> None:
    ours = ExpertsOfGame(potential, experts=6)
    for l in np.random.default_rng(0).random((400, 6)):
        np.testing.assert_allclose(ours.play(), player.play(), rtol=1e-11, atol=1e-13)
        ours.update(l)
        player.update(l)


def test_exponential_weights_of_many_rounds_do_not_vanish() -> None:
    ours, player = ExpertsOfGame(Exponential(0.9), 3), Hedge(rate=0.9, experts=3)
    for t in range(6000):
        l = np.roll([0.0, 0.5, 1.0], t)
        ours.update(l)
        player.update(l)
    assert np.exp(-6000 * math.log(math.cosh(0.9))) == 0.0
    np.testing.assert_allclose(ours.play(), player.play(), rtol=1e-9)


@pytest.mark.parametrize("potential", CONVEX, ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("seed", range(3))
def test_theorem_2(potential: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    player = ExpertsOfGame(potential, experts=8)
    own, total = 0.0, np.zeros(8)
    for t in range(T):
        p = player.play()
        l = [rng.random(8), (p > 1 / 8).astype(float), (np.arange(8) != t % 3).astype(float)][seed]
        own, total = own + p @ l, total + l
        player.update(l)
    for k, loss in enumerate(np.sort(total), start=1):
        bound = player.regret_bound(k / 8).value
        assert bound is not None
        assert own - loss <= bound + 1e-9


def test_the_bounds_are_those_of_the_source() -> None:
    for eps in (0.1, 0.5, 1.0):
        two = ExpertsOfGame(SquaredNegativePart(), 10)
        normal = ExpertsOfGame(Normal(), 10)
        exponential = ExpertsOfGame(Exponential(0.1), 10)
        for _ in range(50):
            for player in (two, normal, exponential):
                player.update(np.linspace(0.0, 1.0, 10))
        assert two.regret_bound(eps).value == pytest.approx(min(regret.two_norm(50, eps), 50.0))
        assert normal.regret_bound(eps).value <= regret.normal_hedge_dt(50, eps)  # type: ignore[operator]
        exact = (math.log(1.0 / eps) + 50 * math.log(math.cosh(0.1))) / 0.1
        assert exponential.regret_bound(eps).value == pytest.approx(exact, rel=1e-2)
        assert exponential.regret_bound(eps).value <= regret.exponential_weights(50, eps, 0.1) + 1e-9  # type: ignore[operator]


@pytest.mark.parametrize("make", [AdaNormalHedge, TwoNorm, lambda experts: Hedge(horizon=60, experts=experts)])
@pytest.mark.parametrize("seed", range(4))
def test_theorem_1_both_ways(make: Any, seed: int) -> None:
    """Algorithm 1: no more chips at -R than experts with regret R. Algorithm 2: positions are regrets."""
    rng = np.random.default_rng(seed)
    chips, player = ChipsOfExperts(make(experts=9)), make(experts=9)
    own, total, slack = 0.0, np.zeros(9), 0.0
    for _ in range(60):
        p = chips.play()
        np.testing.assert_array_equal(p, player.play())
        l = rng.random(9) ** 3
        z = np.clip(l - p @ l + (0.1 * rng.random() if seed % 2 else 0.0), -1.0, 1.0)
        slack += p @ z
        chips.move(z)
        l = z - z.min()
        player.update(l)
        own, total = own + p @ l, total + l
    regrets = own - total
    np.testing.assert_allclose(chips.positions, slack - regrets, atol=1e-9)
    for R in (0.5, 1.0, 2.0, 4.0):
        assert (chips.positions <= -R).sum() <= (regrets >= R - 1e-9).sum()


class Mine:
    """A potential of somebody's own."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def value(self, s: Array, t: int) -> Array:
        return self._value(s, t)


def test_a_potential_of_ones_own_needs_its_values_alone() -> None:
    one = DriftingGame(Mine(lambda s, t: np.minimum(s, 0.0) ** 2 - t), 5)
    other = DriftingGame(SquaredNegativePart(), 5)
    for _ in range(10):
        l = np.array([0.0, 0.5, 0.5, 0.5, 1.0])
        z = l - one.play() @ l
        one.move(z)
        other.move(z)
        np.testing.assert_allclose(one.play(), other.play(), rtol=1e-12)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (lambda s, t: np.exp(0.1 * s), "the potential rises: Phi_1"),
        (lambda s, t: -np.abs(s) - s, "the potential is not convex: Phi_1 is above its chord at s = 0"),
        (
            lambda s, t: np.minimum(s, 0.0) ** 2,
            r"the potential grows: Phi_1\(s - 1\) \+ Phi_1\(s \+ 1\) is `1` at s = 0, and 2 Phi_0\(s\) is `0`",
        ),
        (lambda s, t: np.full(s.shape, math.nan), "the potential is not finite"),
        (lambda s, t: np.zeros(3), "the potential makes the shape"),
        (lambda s, t: 1e300 * np.exp(-30.0 * s), "the potential is not finite"),
    ],
)
def test_potentials_that_break_the_condition(value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words), np.errstate(over="ignore"):
        DriftingGame(Mine(value), 3)
    with pytest.raises(ValueError, match=words), np.errstate(over="ignore"):
        check_potential(Mine(value), 20)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("the potential rises", {"final": lambda s: s, "rounds": 5}),
        ("the potential is not convex", {"final": lambda s: np.where(s <= 0.0, 1.0, 0.0), "rounds": 5}),
        ("rounds is `0`", {"final": lambda s: -s, "rounds": 0}),
    ],
)
def test_ends_that_are_no_potential(words: str, given: Any) -> None:
    with pytest.raises(ValueError, match=words):
        Averaged(**given)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("the loss must be finite, 0 or more, and never rise", {"loss": lambda s: s + 100.0}),
        ("the loss must be finite, 0 or more, and never rise", {"loss": lambda s: -s - 100.0}),
        ("moves are", {"moves": (-0.5, 1)}),
        ("moves are", {"moves": ()}),
        ("moves are", {"drift": 2.0}),
        ("take fewer rounds or shorter moves", {"rounds": 10_000}),
    ],
)
def test_wrong_games(words: str, given: Any) -> None:
    with pytest.raises(ValueError, match=words):
        Minimax(**{"loss": lambda s: s <= 0.0, "rounds": 5, **given})


def test_a_wrong_move_changes_nothing() -> None:
    game = DriftingGame(Minimax(lambda s: s <= 0.0, 2, drift=0.5), 2)
    for z, words in (
        ([1.0], "z has the shape"),
        ([1.0, 0.5], r"z\[1\] is `0.5`, expected one of \[-1, 1\]"),
        ([1.0, -1.0], "p . z is `0`, expected 0.5 or more"),
        ([1.0, math.nan], r"z\[1\] is `nan`"),
    ):
        with pytest.raises(ValueError, match=words):
            game.move(z)
    assert (game.rounds, game.positions.tolist()) == (0, [0.0, 0.0])
    game.move([1.0, 1.0])
    game.move([1.0, 1.0])
    for over in (game.play, lambda: game.move([1.0, 1.0])):
        with pytest.raises(ValueError, match="the game is over: it had 2 rounds"):
            over()
    player = ExpertsOfGame(Normal(), 2)
    for losses, words in (([0.0, 2.0], r"losses\[1\] is `2`"), ([0.0, math.nan], r"losses\[1\]"), ([0.0], "shape")):
        with pytest.raises(ValueError, match=words):
            player.update(losses)
    assert player.game.rounds == 0
    with pytest.raises(ValueError, match="more than 1 apart"):
        ChipsOfExperts(TwoNorm(experts=2)).move([1.0, -0.5])
    with pytest.raises(ValueError, match=r"p \. z is `-0\.5`"):
        ChipsOfExperts(TwoNorm(experts=2)).move([-0.5, -0.5])
    with pytest.raises(ValueError, match="give a convex potential"):
        ExpertsOfGame(ENDS[0], 2)
    with pytest.raises(ValueError, match="eps is `0`"):
        player.regret_bound(0)
