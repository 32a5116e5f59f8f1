"""exp, expm1, log, log1p and powers of 2 of the core against 60 decimal digits: within 4 units in the last place."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from decimal import Context, Decimal, localcontext

import numpy as np
import pytest

from afterwit import _core

TINY, SMALLEST, LARGEST = 5e-324, sys.float_info.min, sys.float_info.max
ULPS = 4.0


def exact_expm1(x: Decimal) -> Decimal:
    return x + x * x / 2 + x * x * x / 6 if abs(x) < Decimal("1e-18") else x.exp() - 1


def exact_log1p(x: Decimal) -> Decimal:
    return x - x * x / 2 + x * x * x / 3 if abs(x) < Decimal("1e-18") else (1 + x).ln()


def exact_exp2(y: Decimal) -> Decimal:
    return (y * Decimal(2).ln()).exp()


def exact_sinh(x: Decimal) -> Decimal:
    return x + x * x * x / 6 if abs(x) < Decimal("1e-18") else (x.exp() - (-x).exp()) / 2


EXACT: dict[str, Callable[[Decimal], Decimal]] = {
    "exp": lambda x: x.exp(),
    "expm1": exact_expm1,
    "vector_exp2": exact_exp2,
    "vector_exp2_minus_exp2": lambda h: 2 * exact_sinh(h * Decimal(2).ln()),
    "vector_log1p": exact_log1p,
    "log": lambda x: x.ln(),
    "log1p": exact_log1p,
}


def worst_error(name: str, x: np.ndarray) -> float:
    """The largest distance from the true values, in units in the last place of them."""
    worst = 0.0
    with localcontext(Context(prec=60, Emin=-999999, Emax=999999)):
        for at, found in zip(x.tolist(), getattr(_core, name)(x).tolist(), strict=True):
            true = EXACT[name](Decimal(at))
            worst = max(worst, float(abs(Decimal(found) - true) / Decimal(math.ulp(float(true)))))
    return worst


def around(*points: float) -> np.ndarray:
    return np.array([q for p in points for q in (np.nextafter(p, -np.inf), p, np.nextafter(p, np.inf))])


RNG = np.random.default_rng(0)
SMALL = np.concatenate([10.0 ** RNG.uniform(-320, -1, 300) * RNG.choice([-1, 1], 300), around(0.0, TINY, -TINY)])
CASES = {
    "exp": [
        RNG.uniform(-745.1, 709.7, 1500),
        RNG.uniform(-1, 1, 500),
        SMALL,
        around(0.5 * math.log(2), -0.5 * math.log(2), 1.5 * math.log(2), -708.3964, -745.0, 709.782712893)[:-1],
        np.array([709.782712893384, -745.1332191019411, -744.4400719213812]),
    ],
    "expm1": [RNG.uniform(-50, 709.7, 1000), RNG.uniform(-2, 2, 1500), SMALL, around(0.34, -0.34, 40.0, -40.0, 36.7)],
    "vector_exp2": [
        RNG.uniform(-1000, 1000, 1500),
        RNG.uniform(-1, 1, 1500),
        SMALL,
        around(0.5, -0.5, 1.5, -999.5, 0.0),
        np.array([-1000.0, 1000.0]),
    ],
    "vector_exp2_minus_exp2": [RNG.uniform(-1, 1, 2000), SMALL, around(0.25, 0.5, -0.5), np.array([-1.0, 1.0])],
    "vector_log1p": [
        RNG.uniform(-0.5, 0.5, 1500),
        SMALL[np.abs(SMALL) <= 0.5],
        around(-0.25, 0.25),
        np.array([-0.5, 0.5]),
    ],
    "log": [
        2.0 ** RNG.uniform(-1074, 1024, 1500),
        RNG.uniform(0.5, 2, 1000),
        1 + SMALL[np.abs(SMALL) > 1e-16],
        around(math.sqrt(2), math.sqrt(0.5), SMALLEST, 2.0, 0.5),
        np.array([TINY, 3 * TINY, LARGEST]),
    ],
    "log1p": [
        RNG.uniform(-1, 1, 1500),
        2.0 ** RNG.uniform(0, 1023, 500),
        SMALL,
        around(-0.29, 0.41, 1.0, -0.5),
        np.array([np.nextafter(-1.0, 0.0), LARGEST]),
    ],
}


@pytest.mark.parametrize(
    ("name", "part"), [(name, part) for name, parts in CASES.items() for part in range(len(parts))]
)
def test_within_four_units_in_the_last_place(name: str, part: int) -> None:
    assert worst_error(name, CASES[name][part]) <= ULPS


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("exp", [0.0, -0.0, np.inf, -np.inf, 709.7827128933841, -745.2, -1e308], [1, 1, np.inf, 0, np.inf, 0, 0]),
        ("expm1", [0.0, TINY, -TINY, np.inf, -np.inf, 1e308, -1e308], [0, TINY, -TINY, np.inf, -1, np.inf, -1]),
        ("log", [1.0, 0.0, -0.0, np.inf], [0, -np.inf, -np.inf, np.inf]),
        ("log1p", [0.0, -0.0, -1.0, np.inf], [0, 0, -np.inf, np.inf]),
    ],
)  # fmt: skip
def test_special_values(name: str, x: list[float], y: list[float]) -> None:
    assert getattr(_core, name)(np.array(x)).tolist() == y
    assert np.isnan(getattr(_core, name)(np.array([np.nan]))).all()


def test_logarithms_of_negative_numbers_are_not_numbers() -> None:
    assert np.isnan(_core.log(np.array([-TINY, -1.0, -np.inf]))).all()
    assert np.isnan(_core.log1p(np.array([-1.5, -np.inf]))).all()
