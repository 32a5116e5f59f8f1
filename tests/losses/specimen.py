"""What a loss says of itself to the tests: its formulas in slow NumPy, and what to try. One per file in `specimens`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.losses import specimens
from tests.specimens import found

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Specimen:
    """The functions take p and y, then the parameter of the loss where it has one."""

    names: list[str]
    """To learn with: the first wherever one will do."""
    labels: str
    value: Callable[..., Array]
    derivative: Callable[..., Array]
    """0 at a kink."""
    invariant: Callable[..., float]
    """Of p, y, step, a: p moves to p + a u, as by infinitely many gradient steps of total size `step`."""
    extreme: tuple[str, ...] = ()
    """Names with parameters that only the tests of losses can bear."""
    smoothness: float | None = None
    kinks: Callable[[float], list[float]] = lambda y: []
    """Where the derivative jumps or bends: at the least loss."""
    curvature: Callable[..., float | None] = lambda bound: None
    """The sigma that theorems ask for while |p| and |y| are at most `bound`."""
    clip: Callable[[float, float], tuple[float, float]] = lambda low, high: (-math.inf, math.inf)
    """The range of predictions of a scale-free update, given that of 0 and the labels seen."""
    slack: float = math.inf
    """A larger sigma than this many times it is wrong."""


@cache
def every() -> dict[str, Specimen]:
    """Word -> specimen."""
    return found(specimens)


def names() -> list[str]:
    """A name of each loss."""
    return [specimen.names[0] for specimen in every().values()]


def of(loss: str) -> tuple[Specimen, list[float]]:
    """The specimen of a loss, and its parameter."""
    word, _, parameter = loss.partition(":")
    return every()[word], [float(parameter)] if parameter else []


def is_steep(loss: str) -> bool:
    """Whether a large step would be chaotic."""
    return (of(loss)[0].smoothness or 0.0) >= 1.0


def value(loss: str, p: Any, y: Any) -> Array:
    specimen, parameter = of(loss)
    return specimen.value(p, y, *parameter)


def derivative(loss: str, p: Any, y: Any) -> Array:
    specimen, parameter = of(loss)
    return specimen.derivative(p, y, *parameter)


def invariant(loss: str, p: float, y: float, step: float, a: float) -> float:
    specimen, parameter = of(loss)
    return specimen.invariant(p, y, step, a, *parameter)
