"""The potential of a drifting game that is played to its end as well as can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from afterwit.numbers import whole

Array = npt.NDArray[np.float64]
#: How many positions are kept in all.
MOST = 50_000_000


@dataclass(frozen=True)
class Minimax:
    """Phi_T = L, Phi_{t-1}(s) = min_{w >= 0} max_{z in B} (Phi_t(s + z) + w (z - beta)), for any B, beta and L.

    L = `loss` takes an array of positions and never rises; B = `moves` are whole numbers, so that chips stand on such;
    beta = `drift` lies among them; T = `rounds`. The minimum is the concave hull of z -> Phi_t(s + z) at beta, w its
    slope there. With moves -1 and +1 and the loss 1{s <= 0} these are the weights of boost-by-majority.
    Cost: a table of all positions in all rounds. Source: Luo 2016, Eq. (2.1).

    >>> game = Minimax(lambda s: s <= 0.0, rounds=3, drift=0.2)
    >>> game.value(np.array([0.0]), 0).round(3)  # P(two heads of three or fewer) for heads of 0.6: 0 or 1 of them
    array([0.352])
    """

    loss: Callable[[Array], Array]
    rounds: int
    moves: Sequence[int] = (-1, 1)
    drift: float = 0.0
    _values: tuple[Array, ...] = field(init=False, repr=False, compare=False)
    _weights: tuple[Array, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        T, B = whole("rounds", self.rounds, 1, 100_000), sorted(set(self.moves))
        if not B or any(isinstance(z, bool) or int(z) != z for z in B) or not B[0] <= self.drift <= B[-1]:
            raise ValueError(
                f"moves are `{self.moves!r}`, expected whole numbers, some of them no more and some no less than the "
                f"drift, {self.drift:g}"
            )
        low, high = min(int(B[0]), 0), max(int(B[-1]), 0)
        if (high - low + 1) * T * T > MOST:
            raise ValueError(f"{T} rounds have more than {MOST:,} positions; take fewer rounds or shorter moves")
        value = np.asarray(self.loss(np.arange(low * T, high * T + 1.0)), dtype=np.float64)
        if not np.isfinite(value).all() or (np.diff(value) > 0.0).any() or (value < 0.0).any():
            raise ValueError("the loss must be finite, 0 or more, and never rise from one position to the next")
        values, weights = [value], []
        for t in range(T, 0, -1):
            value, weight = self._before(values[-1], B, low, high, (high - low) * (t - 1) + 1)
            values.append(value)
            weights.append(weight)
        object.__setattr__(self, "_values", tuple(values[::-1]))
        object.__setattr__(self, "_weights", tuple(weights[::-1]))

    def value(self, s: Array, t: int) -> Array:
        """Phi_t(s)."""
        return self._at(self._values, s, t, t)

    def weight(self, s: Array, t: int) -> Array:
        """The w of a chip that stands at s before round t."""
        return self._at(self._weights, s, t - 1, t - 1)

    def _before(self, after: Array, B: list[int], low: int, high: int, size: int) -> tuple[Array, Array]:
        """Phi_{t-1} and its weights at all `size` positions before round t; `after` is Phi_t at those after it."""
        at = {z: after[int(z) - low : int(z) - low + size] for z in B}
        below, above = [z for z in B if z <= self.drift], [z for z in B if z >= self.drift]
        hull, weight = np.full(size, -np.inf), np.zeros(size)
        for a in below:
            for b in above:
                chord = at[a] if a == b else at[a] + (at[b] - at[a]) * ((self.drift - a) / (b - a))
                hull = np.maximum(hull, chord)
        # The least slope with which no z below the drift comes above the hull; by its being the hull none beyond does.
        for z in below:
            if z < self.drift:
                weight = np.maximum(weight, (at[z] - hull) / (self.drift - z))
        return hull, weight

    def _at(self, table: tuple[Array, ...], s: Array, index: int, t: int) -> Array:
        if not 0 <= index < len(table):
            raise ValueError(f"t is {t}, and the game has {self.rounds} rounds")
        s = np.asarray(s, dtype=np.float64)
        place = s - min(int(min(self.moves)), 0) * t
        wrong = (place != np.round(place)) | (place < 0) | (place >= len(table[index]))
        if wrong.any():
            raise ValueError(f"no chip can stand at {s[wrong][0]:g} after {t} rounds")
        return np.asarray(table[index][place.astype(np.int64)])
