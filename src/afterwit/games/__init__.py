"""Games between two players, and what comes of them: separating hyperplanes, and strategies of matrix games."""

from afterwit.games.continuous_game import ContinuousGame
from afterwit.games.cyclic_perceptron import CyclicPerceptron
from afterwit.games.drifting_game import ChipsOfExperts, DriftingGame, ExpertsOfGame
from afterwit.games.optimistic_perceptron import OptimisticPerceptron
from afterwit.games.separation import Separation, separate
from afterwit.games.zero_sum import ZeroSumSolution, solve_zero_sum

__all__ = [
    "ChipsOfExperts",
    "ContinuousGame",
    "CyclicPerceptron",
    "DriftingGame",
    "ExpertsOfGame",
    "OptimisticPerceptron",
    "Separation",
    "ZeroSumSolution",
    "separate",
    "solve_zero_sum",
]
