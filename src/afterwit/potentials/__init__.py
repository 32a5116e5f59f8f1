"""Potentials of drifting games: what an expert's position s is worth when t rounds are over (Luo 2016, section 2.1.4).

A position is the loss of an expert beyond the player's own. A potential Phi_t is convex and falls in s, and

    Phi_t(s - 1) + Phi_t(s + 1) <= 2 Phi_{t-1}(s),

so that a player with p_{t,i} proportional to Phi_t(s_{t-1,i} - 1) - Phi_t(s_{t-1,i} + 1) never lets the sum of all
potentials grow (Algorithm 3, Theorem 2). Each is a frozen dataclass with `value(s, t)` and `weight(s, t)`, the half of
that difference, for arrays of positions; common factors are left out, as they do not change the play.

`Averaged` makes one of any convex end, `Minimax` one for other moves, drifts and losses; `check_potential` tries one of
your own. `aw.games` has the games that they are for.
"""

from afterwit.potentials.averaged import Averaged
from afterwit.potentials.conditions import Potential, check_potential
from afterwit.potentials.exponential import Exponential
from afterwit.potentials.minimax import Minimax
from afterwit.potentials.normal import Normal
from afterwit.potentials.squared_negative_part import SquaredNegativePart

__all__ = ["Averaged", "Exponential", "Minimax", "Normal", "Potential", "SquaredNegativePart", "check_potential"]
