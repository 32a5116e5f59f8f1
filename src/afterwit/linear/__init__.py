"""Linear learners: predict a label from a row, then see the label."""

from afterwit.linear.adagrad import AdaGrad
from afterwit.linear.gradient_descent import GradientDescent
from afterwit.linear.one_vs_all import OneVsAll
from afterwit.linear.pegasos import Pegasos
from afterwit.linear.perceptron import Perceptron

__all__ = ["AdaGrad", "GradientDescent", "OneVsAll", "Pegasos", "Perceptron"]
