"""Games between two players, and what comes of them: separating hyperplanes."""

from afterwit.games.cyclic_perceptron import CyclicPerceptron
from afterwit.games.optimistic_perceptron import OptimisticPerceptron
from afterwit.games.separation import Separation, separate

__all__ = ["CyclicPerceptron", "OptimisticPerceptron", "Separation", "separate"]
