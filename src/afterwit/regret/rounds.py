"""The rounds of a player among experts, as every regret sees them: r_{t,i} = I_{t,i} (player's loss - expert's)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.numbers import real_array

Array = npt.NDArray[np.float64]


def instantaneous(losses: npt.ArrayLike, player: npt.ArrayLike, confidence: npt.ArrayLike | None = None) -> Array:
    """r_{t,i} = I_{t,i} (l_t - l_{t,i}), one row per round: how much better expert i was than the player.

    `losses` has a row per round and a column per expert, `player` the player's loss of each round, and `confidence` the
    I_{t,i} from 0 to 1 (default: 1). An expert with a NaN loss or confidence 0 is asleep: it had the player's loss, as
    one that abstains, and r_{t,i} = 0. Source: Luo 2016, section 2.3.2.

    >>> instantaneous([[0.0, 1.0], [0.5, np.nan]], player=[0.5, 0.25])
    array([[ 0.5 , -0.5 ],
           [-0.25,  0.  ]])
    """
    L, p = matrix("losses", losses), real_array("player", player)
    if L.shape[1] == 0:
        raise ValueError("losses has no columns, expected one or more (one per expert)")
    if p.shape != L.shape[:1]:
        raise ValueError(f"player has the shape {p.shape}, expected {L.shape[:1]} (one loss per round)")
    bad = ~np.isfinite(p)
    if bad.any():
        raise ValueError(f"player[{int(np.argmax(bad))}] is `{p[np.argmax(bad)]:g}`, expected a finite number")
    awake = ~np.isnan(L)
    _check("losses", L, ~np.isinf(L), "a finite number, or NaN for an expert that is asleep")
    r = np.subtract(p[:, None], L, where=awake, out=np.zeros(L.shape))
    if confidence is None:
        return r
    I = matrix("confidence", confidence)
    if I.shape != L.shape:
        raise ValueError(f"confidence has the shape {I.shape}, expected {L.shape}, that of losses")
    _check("confidence", I, (I >= 0.0) & (I <= 1.0), "a number from 0 to 1")
    return np.multiply(r, I, out=r)


def matrix(name: str, values: Any) -> Array:
    """The values as a contiguous matrix of doubles."""
    found = np.ascontiguousarray(real_array(name, values))
    if found.ndim != 2:
        raise ValueError(f"{name} has {found.ndim} dimensions, expected 2 (a row per round, a column per expert)")
    return found


def excess(r: Array) -> Array:
    """[l_{t,i} - l_t]_+ for every round and expert, whose sums are the L~ of Luo 2016, section 2.3 (errata 35)."""
    return np.maximum(-r, 0.0)


def _check(name: str, values: Array, good: npt.NDArray[np.bool_], expected: str) -> None:
    if not good.all():
        t, i = (int(k) for k in np.argwhere(~good)[0])
        raise ValueError(f"{name}[{t}, {i}] is `{values[t, i]:g}`, expected {expected}")
