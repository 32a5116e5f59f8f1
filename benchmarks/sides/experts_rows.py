"""A game of 100 experts from a seed, with independent, uniform losses, and how it is played: rule, rounds, times."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

EXPERTS = 100


def play(players: dict[str, Callable[[npt.NDArray[np.float64]], float]]) -> None:
    """Plays the game that the command line names from the beginning, as often as it says; 0 times is one round."""
    rule, rounds, times = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    losses = np.random.default_rng(20).random((rounds, EXPERTS))
    if times == 0:
        players[rule](losses[:1])
    for _ in range(times):
        players[rule](losses)
