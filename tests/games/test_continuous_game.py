"""The continuous game: convex functions on a box, and the bound on its grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from afterwit import regret
from afterwit.convex import Ball, Box
from afterwit.games import ContinuousGame
from afterwit.potentials import Averaged, Exponential, Minimax, Normal, SquaredNegativePart
from tests.games.datasets import Array

Loss = Callable[[Array], Array]


def losses(T: int, d: int, kind: str, play: Callable[[], Array], seed: int = 0) -> Any:
    """Convex, in [0, 1] on [0, 1]^d: far from a point that moves, halfspaces, or the worst for what is played."""
    rng = np.random.default_rng(seed)
    for t in range(T):
        if kind == "distance":
            centre = rng.random(d) * (0.3 if t % 5 else 1.0)
            yield lambda W, c=centre: np.sqrt(((W - c) ** 2).sum(axis=1) / d)
        elif kind == "hinge":
            side = rng.choice([-1.0, 1.0], d)
            yield lambda W, s=side: np.clip(((W - 0.4) @ s) / d, 0.0, 1.0)
        else:
            side = np.where(play() > 0.6, 1.0, -1.0)
            yield lambda W, s=side: 0.5 + ((W - 0.5) @ s) / d * 0.999


def least(all_losses: list[Loss], d: int) -> float:
    """The total loss of the best point of a finer grid."""
    edge = np.linspace(0.0, 1.0, {1: 4001, 2: 101, 3: 31}[d])
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*[edge] * d)], axis=1)
    return float(np.sum([f(grid) for f in all_losses], axis=0).min())


@pytest.mark.parametrize("kind", ["distance", "hinge", "worst"])
@pytest.mark.parametrize(("d", "points"), [(1, 200), (2, 30), (3, 9)])
@pytest.mark.parametrize("name", ["exponential", "normal", "squares", "averaged"])
def test_theorem_22_on_the_grid(name: str, d: int, points: int, kind: str) -> None:
    T = 60
    potential: Any = {
        "exponential": Exponential(math.sqrt(2.0 * d * math.log(T) / T)),
        "normal": Normal(),
        "squares": SquaredNegativePart(),
        "averaged": Averaged(lambda s: np.maximum(-s, 0.0) ** 4, T),
    }[name]
    game, own, told = ContinuousGame(Box([0.0] * d, [1.0] * d), potential, points), 0.0, []
    for f in losses(T, d, kind, game.play):
        own += float(f(game.play()[None])[0])
        game.update(f)
        told.append(f)
    bound = game.regret_bound().value
    assert bound is not None
    assert own - least(told, d) <= bound + 1e-6


@pytest.mark.parametrize("d", [1, 2])
def test_the_bounds_are_those_of_the_source(d: int) -> None:
    T = 100
    box = Box([0.0] * d, [1.0] * d)
    games = [
        ContinuousGame(box, potential, points=T)
        for potential in (Exponential(math.sqrt(2.0 * d * math.log(T) / T)), Normal(), SquaredNegativePart())
    ]
    printed = [
        math.sqrt(2.0 * d * T * math.log(T)) + 1.0,
        regret.normal_hedge_dt(T, float(T) ** -d) + 1.0,
        2.02 * T ** ((d + 1.0) / (d + 2.0)),
    ]
    for game, most in zip(games, printed, strict=True):
        game._game.rounds = T
        assert game.regret_bound().value <= most  # type: ignore[operator]


def test_it_is_algorithm_25() -> None:
    potential, rng = SquaredNegativePart(), np.random.default_rng(0)
    game = ContinuousGame(Box([-1.0, 2.0], [1.0, 2.5]), potential, points=5)
    xs, ys = np.meshgrid([-0.8, -0.4, 0.0, 0.4, 0.8], [2.05, 2.15, 2.25, 2.35, 2.45], indexing="ij")
    grid = np.stack([xs.ravel(), ys.ravel()], axis=1)
    s = np.zeros(25)
    for t in range(1, 30):
        w = potential.value(s - 1.0, t) - potential.value(s + 1.0, t)
        point = (w / w.sum()) @ grid
        np.testing.assert_allclose(game.play(), point, rtol=1e-9, atol=1e-12)
        c = rng.uniform([-1.0, 2.0], [1.0, 2.5])
        game.update(lambda W, c=c: np.abs(W - c).sum(axis=1) / 2.5)
        s += np.abs(grid - c).sum(axis=1) / 2.5 - np.abs(point - c).sum() / 2.5


def test_wrong_input() -> None:
    box = Box([0.0], [1.0])
    for given, words in (
        ({"domain": Box([0.0] * 4, [1.0] * 4)}, "expected a `Box` of one to three"),
        ({"domain": Ball(1.0, 2)}, "expected a `Box`"),
        ({"points": 0}, "points is `0`"),
        ({"domain": Box([0.0] * 3, [1.0] * 3), "points": 1000}, "1,000,000,000 in all"),
        ({"potential": Minimax(lambda s: s <= 0.0, 3)}, "give a convex potential"),
    ):
        with pytest.raises(ValueError, match=words):
            ContinuousGame(**{"domain": box, "potential": Normal(), **given})  # type: ignore[arg-type]
    game = ContinuousGame(box, Normal(), points=20)
    for loss, words in (
        (lambda W: W[:, 0] * 2.0, "the loss of .* is `1.05`, expected a number from 0 to 1"),
        (lambda W: np.full(len(W), math.nan), "is `nan`"),
        (lambda W: W, "the loss makes the shape"),
        (lambda W: 4.0 * W[:, 0] * (1.0 - W[:, 0]), "the loss is not convex"),
    ):
        with pytest.raises(ValueError, match=words):
            game.update(loss)
    assert game.rounds == 0
    np.testing.assert_allclose(game.play(), [0.5])
