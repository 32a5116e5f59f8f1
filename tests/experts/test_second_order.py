"""What AdaptMLProd, Boa and MLPol share: small squares make small bounds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from afterwit.experts import AdaptMLProd, Boa, MLPol
from tests import adversaries


@pytest.mark.parametrize("cls", [AdaptMLProd, Boa])
def test_weights_that_vanish_beside_sleepers(cls: type[Any]) -> None:
    """Two experts lose so long that their weights are below e^-700, and are then left alone: p is not the prior."""
    player = cls(experts=3)
    player.set_state({**player.state(), "V": np.array([1.0, 4e6, 4e6]), "M": np.array([1.0, -4e6, -4e6 + 500.0])})
    assert player.play().tolist() == [1.0, 0.0, 0.0]
    eta = math.sqrt(math.log(3.0) / 4e6)
    assert player.play([0.0, 1.0, 1.0])[2] == pytest.approx(1.0 / (1.0 + math.exp(-500.0 * eta)), rel=1e-6)
    again = cls(experts=3)
    again.set_state(player.state())
    kept = again.run([[0.5, 0.2, 0.3]], [[0.0, 1.0, 1.0]], keep="weights").weights
    assert np.array_equal(kept[0], player.play([0.0, 1.0, 1.0]))


@pytest.mark.parametrize("cls", [AdaptMLProd, Boa, MLPol])
def test_small_squares_make_small_bounds(cls: type[Any]) -> None:
    """One expert never loses: after 10,000 rounds the bound is still below sqrt(T), and the regret below the bound."""
    player = cls(experts=10)
    history = player.run(adversaries.one_good(10_000))
    bound = player.regret_bound().value
    assert history.regret.max() <= bound < 100.0
    assert player.regret_bound(0).value == bound <= player.regret_bound(3).value
    assert player.regret_bound(np.full(10, 0.1)).theorem is not None
    wide = cls(experts=10, loss_range=(-4.0, 4.0))
    wide.run(8.0 * adversaries.one_good(10_000) - 4.0)
    assert wide.regret_bound().value == pytest.approx(8.0 * bound)
    assert cls(experts=2).regret_bound().value > 0.0


@pytest.mark.parametrize("cls", [AdaptMLProd, Boa])
def test_the_number_of_experts_is_fixed(cls: type[Any]) -> None:
    player = cls()
    player.update({"a": 0.5, "b": np.nan})
    player.update({"b": 0.5})
    with pytest.raises(ValueError, match="`c` is not among the 2 experts"):
        player.update({"c": 0.5})
    with pytest.raises(ValueError, match="has a fixed set of experts"):
        player.forget("a")
