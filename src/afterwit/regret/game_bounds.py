"""The theorems about games, one function each."""

from __future__ import annotations

import math

from afterwit.regret.checked import at_least_zero, positive, whole


def optimistic_perceptron(radius: float, margin: float, points: int) -> int:
    """The rounds after which the mean of the Optimistic Perceptron separates `points` points.

    floor(r sqrt(2 ln n)/gamma) + 1, where some w of norm 1 has y (w.x) >= gamma = `margin` on all n points and r =
    `radius` is the longest of them. It is the theorem's T > (1 + 2 r^2 ln n)/(2 gamma) at the best scale of the points,
    which the algorithm does not feel. Source: Hanashiro, Abernethy 2020, Theorem 3, with H = ln n (errata 43, 46).

    >>> optimistic_perceptron(radius=1.0, margin=0.01, points=100_000)
    480
    """
    n = whole("points", points, 1)
    return math.floor(positive("radius", radius) * math.sqrt(2.0 * math.log(n)) / positive("margin", margin)) + 1


def zero_sum_gap(span: float, rows: int, columns: int, rounds: int) -> float:
    """How far the mean strategies of a matrix game are from the best after `rounds` rounds, both players together.

    D sqrt(ln m ln n)/T, D = `span` the largest entry less the smallest, m and n the numbers of rows and columns.
    Source: Hanashiro, Abernethy 2020, Theorem 3, with entropy for both players (errata 49).

    >>> round(zero_sum_gap(span=2.0, rows=3, columns=3, rounds=100), 4)
    0.022
    """
    m, n = whole("rows", rows, 1), whole("columns", columns, 1)
    return at_least_zero("span", span) * math.sqrt(math.log(m) * math.log(n)) / whole("rounds", rounds, 1)


def exp3(rounds: int, arms: int, rate: float | None = None) -> float:
    """The expected regret of EXP3 to the best arm.

    (ln N + T ln(cosh eta + (N/2) e^eta eta^2))/eta, N = `arms`. At eta = sqrt(2 ln N/(T (1 + N sqrt(e)))), as with
    `rate=None`, eta is below 1 and this at most sqrt(2 T (1 + N sqrt(e)) ln N). Source: Luo 2016, proof of
    Theorem 21; errata 50.

    >>> round(exp3(rounds=1000, arms=10), 1)
    232.4
    """
    T, N = whole("rounds", rounds), whole("arms", arms, 1)
    if T == 0 or N == 1:
        return 0.0
    eta = math.sqrt(2.0 * math.log(N) / (T * (1.0 + N * math.sqrt(math.e)))) if rate is None else positive("rate", rate)
    # ln(cosh eta + (N/2) e^eta eta^2) without e^eta, which may be too large.
    power = eta + math.log((1.0 + math.exp(-2.0 * eta) + N * eta * eta) / 2.0)
    return (math.log(N) + T * power) / eta
