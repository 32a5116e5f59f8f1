"""The coefficients in core/numeric/vector_exp.hpp are those of the interpolations that it names."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from pathlib import Path

import pytest

HEADER = Path(__file__).parents[2] / "core" / "numeric" / "vector_exp.hpp"


def cosine_of_turns(turns: Decimal) -> Decimal:
    """cos(2 pi turns)."""
    pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
    x, term, total, k = 2 * pi * turns, Decimal(1), Decimal(0), 0
    while abs(term) > Decimal("1e-58"):
        total += term
        k += 2
        term *= -x * x / (k * (k - 1))
    return total


def interpolated(f: Callable[[Decimal], Decimal], low: Decimal, high: Decimal, size: int) -> list[float]:
    """The polynomial that is f at the Chebyshev nodes of [low, high], by divided differences."""
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [middle + half * cosine_of_turns(Decimal(2 * j + 1) / (4 * size)) for j in range(size)]
    differences = [f(node) for node in nodes]
    for level in range(1, size):
        for j in range(size - 1, level - 1, -1):
            differences[j] = (differences[j] - differences[j - 1]) / (nodes[j] - nodes[j - level])
    out = [Decimal(0)] * size
    for node, difference in zip(reversed(nodes), reversed(differences), strict=True):
        out = [below - node * own for below, own in zip([Decimal(0), *out], out, strict=False)]
        out[0] += difference
    return [float(coefficient) for coefficient in out]


def power_less_one(f: Decimal) -> Decimal:
    ln2 = Decimal(2).ln()
    return ((f * ln2).exp() - 1) / f if abs(f) > Decimal("1e-20") else ln2


def difference_of_powers(u: Decimal) -> Decimal:
    h, ln2 = u.sqrt(), Decimal(2).ln()
    return ((h * ln2).exp() - (-h * ln2).exp()) / h


@pytest.mark.parametrize(
    ("function", "f", "low", "high", "size"),
    [("series", power_less_one, "-0.5", "0.5", 11), ("exp2_minus_exp2", difference_of_powers, "0", "1", 7)],
)
def test_coefficients(function: str, f: Callable[[Decimal], Decimal], low: str, high: str, size: int) -> None:
    body = HEADER.read_text().split(f"double {function}(double")[1].split("\n}\n")[0]
    written = [float.fromhex(digits) for digits in re.findall(r"0x1\.[0-9a-f]+p[+-]\d+", body)]
    with localcontext(Context(prec=60)):
        assert written == interpolated(f, Decimal(low), Decimal(high), size)
