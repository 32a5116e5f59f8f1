"""Drifting games: chips on a line, pushed to the right by whoever chooses their weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.numbers import real_array, whole
from afterwit.potentials.conditions import Potential, check_potential, weights_of
from afterwit.regret import Bound

Array = npt.NDArray[np.float64]
#: For how many rounds a potential without an end is tried.
TRIED = 100
#: Sums of N products: p . z may be this much below the drift.
ROUNDING = 1e-9


class DriftingGame:
    """Chips on a line: the player shows weights p, an adversary moves each chip by a z_i of B with p . z >= beta.

    There are N, they begin at 0, and in the end one at s costs L(s), less the further it is to the right.

    The player has a potential Phi_t >= L at the end, and p_i proportional to its weight w_i of chip i:
    (Phi_t(s_i - 1) - Phi_t(s_i + 1))/2 for B = [-1, 1] and beta = 0, whatever `Minimax` says for other B, beta and L.

    Guarantee: the mean potential never grows, so that the mean loss is at most Phi_0(0). Cost: O(N) values of the
    potential per round. References: Luo 2016, sections 2.1.1 and 2.1.3, Eq. (2.1) and (2.2); errata 19.

    >>> from afterwit.potentials import SquaredNegativePart
    >>> game = DriftingGame(SquaredNegativePart(), chips=2)
    >>> game.move([1.0, -1.0])
    >>> game.play()
    array([0., 1.])
    """

    def __init__(self, potential: Potential, chips: int) -> None:
        whole("chips", chips, 1, 1 << 40)
        self.potential, self.chips = potential, chips
        self.moves, self.drift = getattr(potential, "moves", None), float(getattr(potential, "drift", 0.0))
        self.last = getattr(potential, "rounds", None)
        if self.moves is None:
            check_potential(potential, TRIED if self.last is None else self.last)
        #: Where the chips are, and how many rounds are over.
        self.positions: Array = np.zeros(chips)
        self.rounds = 0

    def play(self) -> Array:
        """The weights of the next round, which sum to 1; uniform where no chip has one. Changes nothing."""
        self._not_over()
        t = self.rounds + 1
        if hasattr(self.potential, "log_weight"):
            logs = self.potential.log_weight(self.positions, t)
            w = np.exp(logs - logs.max())
        else:
            w = weights_of(self.potential, self.positions, t)
        total = float(w.sum())
        if not (total < math.inf and (w >= 0.0).all()):
            raise ValueError(
                f"the weights of round {t} are not finite numbers of 0 or more; the potential is too steep"
            )
        return w / total if total > 0.0 else np.full(self.chips, 1.0 / self.chips)

    def move(self, z: Any) -> None:
        """Moves the chips; the adversary's part. Refuses what is not allowed, and then nothing has changed."""
        self._not_over()
        steps = real_array("z", z)
        if steps.shape != (self.chips,):
            raise ValueError(f"z has the shape {steps.shape}, expected {self.chips} entries (one per chip)")
        inside = np.isin(steps, self.moves) if self.moves is not None else np.abs(steps) <= 1.0 + ROUNDING
        if not inside.all():
            i = int(np.argmin(inside))
            allowed = "a number from -1 to 1" if self.moves is None else f"one of {sorted(set(self.moves))}"
            raise ValueError(f"z[{i}] is `{steps[i]:g}`, expected {allowed}")
        pushed = float(self.play() @ steps)
        if pushed < self.drift - ROUNDING:
            raise ValueError(f"p . z is `{pushed:g}`, expected {self.drift:g} or more; see play()")
        self.positions = self.positions + steps
        self.rounds += 1

    def mean_potential(self) -> float:
        """The mean of Phi_t over the chips, which never grows."""
        return float(np.mean(self.potential.value(self.positions, self.rounds)))

    def _not_over(self) -> None:
        if self.last is not None and self.rounds >= self.last:
            raise ValueError(f"the game is over: it had {self.last} rounds")


class ChipsOfExperts:
    """Plays a drifting game (B = [-1, 1], beta = 0) by a player over experts: Algorithm 1 of Luo 2016, section 2.1.2.

    Where the movements of one round are at most 1 apart, a chip is as far to the left at the end as the player's regret
    to its expert at most; so no more chips are at -R or left of it than experts to whom the regret is R or more
    (Theorem 1). `player` has `play()` and `update(losses)`, as those of `aw.experts`; it plays on.

    >>> from afterwit.experts import TwoNorm
    >>> chips = ChipsOfExperts(TwoNorm(experts=2))
    >>> chips.move([1.0, 0.0])
    >>> chips.play()
    array([0.1, 0.9])
    """

    def __init__(self, player: Any) -> None:
        self.player = player
        self.positions: Array = np.zeros(len(player.play()))

    def play(self) -> Array:
        """The weights of the next round."""
        return np.asarray(self.player.play())

    def move(self, z: Any) -> None:
        """Moves the chips; the losses are z_i - min z."""
        steps = real_array("z", z)
        if steps.shape != self.positions.shape:
            raise ValueError(f"z has the shape {steps.shape}, expected {len(self.positions)} entries (one per chip)")
        if not (np.abs(steps) <= 1.0).all() or np.ptp(steps) > 1.0:
            raise ValueError("z has numbers outside -1 to 1, or two that are more than 1 apart")
        pushed = float(self.play() @ steps)
        if pushed < -ROUNDING:
            raise ValueError(f"p . z is `{pushed:g}`, expected 0 or more; see play()")
        self.player.update(steps - steps.min())
        self.positions = self.positions + steps


class ExpertsOfGame:
    """A player over experts by any potential: Algorithms 2 and 3 of Luo 2016, section 2.1.

    Chips are experts, z_i = l_i - p . l, losses are in [0, 1]. `Hedge`, `TwoNorm` and `NormalHedgeDT` are this with the
    potentials `Exponential`, `SquaredNegativePart` and `Normal`, as native code.

    Guarantee: eps-regret at most R, if Phi_T(-R) - Phi_T(T) >= (Phi_0(0) - Phi_T(T))/eps. References: Luo 2016,
    Theorem 1 (2), Theorem 2.

    >>> from afterwit.potentials import Averaged
    >>> player = ExpertsOfGame(Averaged(lambda s: np.maximum(-s, 0.0) ** 3, rounds=100), experts=10)
    >>> player.update([0.0] + [1.0] * 9)
    >>> player.play().round(2)[:2], round(player.regret_bound(0.1).value, 1)
    (array([0.12, 0.1 ]), 20.0)
    """

    def __init__(self, potential: Potential, experts: int) -> None:
        if getattr(potential, "moves", None) is not None:
            raise ValueError("the moves of experts are all numbers from -1 to 1; give a convex potential")
        self.game = DriftingGame(potential, whole("experts", experts, 1, 1 << 40))

    def play(self) -> Array:
        """The weights of the next round."""
        return self.game.play()

    def update(self, losses: Any) -> None:
        """Learns the losses of one round, numbers from 0 to 1."""
        l = real_array("losses", losses)
        if l.shape != (self.game.chips,):
            raise ValueError(f"losses has the shape {l.shape}, expected {self.game.chips} entries (one per expert)")
        wrong = ~((l >= 0.0) & (l <= 1.0))
        if wrong.any():
            i = int(np.argmax(wrong))
            raise ValueError(f"losses[{i}] is `{l[i]:g}`, expected a number from 0 to 1")
        self.game.move(l - float(self.play() @ l))

    def regret_bound(self, eps: float) -> Bound:
        """At most how much regret there is after T rounds to the ceil(N eps)-th best expert, T as the potential has it.

        A potential without an end is taken at the rounds that were played.
        """
        if not 0.0 < eps <= 1.0:
            raise ValueError(f"eps is `{eps!r}`, expected a number above 0 and at most 1")
        found = eps_regret(self.game.potential, self.game.last or self.game.rounds, eps)
        if found is None:
            return Bound(None, reason="the potential is too large or too small for numbers")
        return Bound(found, "Luo 2016, Theorem 2")


def eps_regret(potential: Potential, T: int, eps: float) -> float | None:
    """The least R with Phi_T(-R) - Phi_T(T) >= (Phi_0(0) - Phi_T(T))/eps; None where these are no numbers.

    No position is beyond T, so that Phi_t - Phi_T(T) is a potential above 0 as well; times a factor it is at least
    1{s <= -R} in the end, and below eps at first (Luo 2016, Theorem 2).
    """
    with np.errstate(all="ignore"):
        end = float(potential.value(np.array([float(T)]), T)[0])
        wanted = (float(potential.value(np.zeros(1), 0)[0]) - end) / eps
        if not math.isfinite(wanted):
            return None
        low, high = 0.0, float(T)  # nobody has more regret than T
        for _ in range(60):
            middle = (low + high) / 2.0
            above = float(potential.value(np.array([-middle]), T)[0]) - end >= wanted
            low, high = (low, middle) if above else (middle, high)
    return high
