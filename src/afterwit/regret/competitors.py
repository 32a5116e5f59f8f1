"""Regret to any competitor, fixed or moving."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from afterwit.numbers import real_array
from afterwit.regret.rounds import excess, instantaneous


@dataclass(frozen=True)
class CompetitorRegret:
    """The regret R(u_1..T) = sum_t u_t . r_t, and what the bounds on it need.

    `variation` is V(u) = sum_t sum_i [u_{t,i} - u_{t-1,i}]_+ with u_0 = 0, `norm` is sum_t |u_t|_1, `loss` is the
    competitor's, L(u) = sum_t u_t . l_t (an expert asleep has the player's loss), and `excess` is
    L~(u) = sum_t u_t . [l_t - player's]_+.
    """

    regret: float
    variation: float
    norm: float
    loss: float
    excess: float


def competitor_regret(
    losses: npt.ArrayLike, player: npt.ArrayLike, u: npt.ArrayLike, confidence: npt.ArrayLike | None = None
) -> CompetitorRegret:
    """The regret to u: one number per expert for a fixed competitor, one row per round for a moving one.

    The numbers are 0 or more and need not add up to 1; if they do, the regret is the player's loss less the
    competitor's. V(u) of a fixed one is |u|_1. Cost: O(T N).
    References: Luo 2016, section 2.3 (fixed), section 2.3.3, Theorem 7 (moving, V(u)); sleepers as in section 2.3.2.

    >>> losses, player = [[0.0, 1.0], [1.0, 0.0]], [0.5, 0.5]
    >>> competitor_regret(losses, player, [0.5, 0.5]).regret
    0.0
    >>> moving = competitor_regret(losses, player, [[1, 0], [0, 1]])
    >>> moving.regret, moving.variation
    (1.0, 2.0)
    """
    r, given = instantaneous(losses, player, confidence), real_array("u", u)
    if given.shape not in (r.shape, r.shape[1:]):
        raise ValueError(
            f"u has the shape {given.shape}, expected {r.shape[1:]} (one number per expert) or {r.shape} (per round)"
        )
    bad = ~((given >= 0.0) & (given < np.inf))
    if bad.any():
        place = ", ".join(str(int(k)) for k in np.argwhere(bad)[0])
        raise ValueError(f"u[{place}] is `{given[bad][0]:g}`, expected a finite number, 0 or more")
    U = np.broadcast_to(given, r.shape)
    rises = np.maximum(np.diff(U, axis=0), 0.0).sum() if given.ndim == 2 else 0.0
    regret = _inner(U, r)
    player_pays = float(U.sum(axis=1) @ np.asarray(player, dtype=np.float64))
    return CompetitorRegret(
        regret=regret,
        variation=float(U[:1].sum() + rises),
        norm=float(U.sum()),
        loss=player_pays - regret,
        excess=_inner(U, excess(r)),
    )


def _inner(U: npt.NDArray[np.float64], r: npt.NDArray[np.float64]) -> float:
    return float(np.einsum("ti,ti->", U, r))
