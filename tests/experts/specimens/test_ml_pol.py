"""ML-Poly."""

from __future__ import annotations

import numpy as np
import pytest

from afterwit import regret
from afterwit.experts import MLPol
from tests.experts.formulas import Array, game
from tests.experts.seen import Seen
from tests.experts.specimen import NAMES, BoundFormula, Formula, Specimen
from tests.experts.theorems import second_order


def ml_pol(losses: Array, I: Array | None = None) -> Array:
    """Gaillard et al. 2014, ML-Poly."""
    R, V = np.zeros(losses.shape[1]), np.zeros(losses.shape[1])

    def learn(r: Array, l: Array, I: Array) -> None:
        R[:] += r
        V[:] += r**2

    return game(losses, lambda t: np.maximum(R, 0.0) / (1.0 + V), learn, I=I)


def free_ml_pol(losses: Array, I: Array | None = None) -> Array:
    """opera's: the largest square so far in place of the 1."""
    R, V, largest = np.zeros(losses.shape[1]), np.zeros(losses.shape[1]), np.zeros(1)

    def learn(r: Array, l: Array, I: Array) -> None:
        R[:] += r
        V[:] += r**2
        largest[:] = max(largest[0], (r**2).max())

    return game(losses, lambda t: np.maximum(R, 0.0) / ((largest or 1.0) + V), learn, I=I)


def bound(s: Seen) -> float:
    S = float((1.0 + np.log(1.0 + s.V)).sum())
    return float(s.u @ np.sqrt((1.0 + s.V) * S))


SPECIMEN = Specimen(
    MLPol,
    settings=({}, {"experts": NAMES}, {"experts": 1}, {"experts": 40, "loss_range": (-3.0, 2.0)}, {"loss_range": None}),
    formulas={
        "": Formula(ml_pol),
        "free": Formula(free_ml_pol, {"loss_range": None}, bites=("sign", "memory")),
    },
    theorems=second_order(lambda u, V, T: regret.ml_pol(u, V)),
    bounds={"": BoundFormula(bound)},
)


def test_ml_pol_takes_newcomers_and_keeps_the_cost_of_the_forgotten() -> None:
    rng = np.random.default_rng(4)
    player = MLPol()
    player.run([dict(zip("abc", row, strict=True)) for row in rng.random((50, 3)).tolist()])
    player.update({"late": 0.0, "a": 1.0})
    before = player.regret_bound("a").value
    player.forget("b")
    assert player.regret_bound("a").value == pytest.approx(before)
    again = MLPol()
    again.set_state(player.state())
    assert again.regret_bound("a") == player.regret_bound("a")
