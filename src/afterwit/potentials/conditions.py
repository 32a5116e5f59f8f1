"""What Algorithm 3 asks of a potential, tried on numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
#: How many rounds are tried, spread over all, and how many positions in each.
ROUNDS, POSITIONS = 60, 201


class Potential(Protocol):
    """What a chip at position s is worth when t rounds are over.

    Optional: `weight(s, t)`, (Phi_t(s - 1) - Phi_t(s + 1))/2 without loss of digits, or for other moves than those of
    [-1, 1] the weight of a chip that stands at s before round t; `log_weight(s, t)`, its logarithm up to a number that
    is the same for all s; `moves` and `drift`, what chips may do (`Minimax`); `rounds`, when the game ends.
    """

    def value(self, s: Array, t: int) -> Array:
        """Phi_t(s)."""


def check_potential(potential: Potential, rounds: int) -> None:
    """Raises `ValueError` where Phi_t rises, is not convex, or Phi_t(s - 1) + Phi_t(s + 1) > 2 Phi_{t-1}(s).

    For rounds t = 1, ..., `rounds`, or sixty of them, and positions s that chips can have before round t: from -(t - 1)
    to t - 1.

    >>> class Upside:
    ...     def value(self, s, t):
    ...         return np.exp(s)
    >>> check_potential(Upside(), 10)
    Traceback (most recent call last):
    ...
    ValueError: the potential rises: Phi_1(-1) is `0.367879`, Phi_1(-0.99) is `0.371577`; expected one that never does
    """
    for t in np.unique(np.geomspace(1, rounds, ROUNDS).round().astype(int)).tolist():
        s = np.linspace(-(t - 1.0), t - 1.0, POSITIONS) if t > 1 else np.zeros(1)
        grid = np.linspace(-float(t), float(t), POSITIONS) if t > 1 else np.linspace(-1.0, 1.0, POSITIONS)
        check_convex(lambda at, t=t: potential.value(at, t), grid, f"Phi_{t}")  # type: ignore[misc]
        before = 2.0 * _finite(potential.value(s, t - 1), s, f"Phi_{t - 1}")
        down, up = (_finite(potential.value(s + z, t), s + z, f"Phi_{t}") for z in (-1.0, 1.0))
        after = down + up
        grows = after > before + 1e-9 * np.maximum(np.abs(before), np.abs(after))
        if grows.any():
            i = int(np.argmax(grows))
            raise ValueError(
                f"the potential grows: Phi_{t}(s - 1) + Phi_{t}(s + 1) is `{after[i]:g}` at s = {_number(s[i])}, and 2 "
                f"Phi_{t - 1}(s) is `{before[i]:g}`; expected no more than that"
            )


def check_convex(value: Callable[[Array], Array], grid: Array, name: str) -> None:
    """Raises `ValueError` where a function rises, or is not convex, from one number of the grid to the next."""
    now = _finite(value(grid), grid, name)
    size = np.abs(now).max() * 1e-9
    rises, bends = np.diff(now) > size, np.diff(now, 2) < -2.0 * size
    if rises.any():
        i = int(np.argmax(rises))
        raise ValueError(
            f"the potential rises: {name}({_number(grid[i])}) is `{now[i]:g}`, {name}({_number(grid[i + 1])}) is "
            f"`{now[i + 1]:g}`; expected one that never does"
        )
    if bends.any():
        i = int(np.argmax(bends)) + 1
        raise ValueError(f"the potential is not convex: {name} is above its chord at s = {_number(grid[i])}")


def weights_of(potential: Any, s: Array, t: int) -> Array:
    """The weights of chips that stand at s before round t: its own, or half of the difference."""
    if hasattr(potential, "weight"):
        return np.asarray(potential.weight(s, t), dtype=np.float64)
    return np.asarray((potential.value(s - 1.0, t) - potential.value(s + 1.0, t)) / 2.0, dtype=np.float64)


def _finite(values: Array, s: Array, name: str) -> Array:
    found = np.asarray(values, dtype=np.float64)
    if found.shape != s.shape:
        raise ValueError(f"the potential makes the shape {found.shape} of positions of the shape {s.shape}")
    if not np.isfinite(found).all():
        i = int(np.argmin(np.isfinite(found)))
        raise ValueError(f"the potential is not finite: {name}({_number(s[i])}) is `{found[i]:g}`")
    return found


def _number(s: float) -> str:
    return f"{s + 0.0:.4g}"
