"""Linear learners: predict a label from a row, then see the label."""

from afterwit.linear.adagrad import AdaGrad as AdaGrad
from afterwit.linear.arow import Arow as Arow
from afterwit.linear.coin_betting import CoinBetting as CoinBetting
from afterwit.linear.diagonal_newton import DiagonalNewton as DiagonalNewton
from afterwit.linear.gradient_descent import GradientDescent as GradientDescent
from afterwit.linear.normalized_gradient_descent import NormalizedGradientDescent as NormalizedGradientDescent
from afterwit.linear.one_vs_all import OneVsAll as OneVsAll
from afterwit.linear.passive_aggressive import PassiveAggressive as PassiveAggressive
from afterwit.linear.pegasos import Pegasos as Pegasos
from afterwit.linear.perceptron import Perceptron as Perceptron

# What the lines above name, each once.
__all__ = [name for name, value in tuple(vars().items()) if callable(value)]
