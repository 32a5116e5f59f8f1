"""What `regret_bound` says is the right-hand side of the theorem, computed anew from what was played."""

from __future__ import annotations

import numpy as np
import pytest

from tests.convex.specimen import each

BOUNDS = each("bounds")


@pytest.mark.parametrize("rounds", [0, 1, 6, 90])
@pytest.mark.parametrize("competitor", ["any", "one", "the first"])
@pytest.mark.parametrize("name", BOUNDS)
def test_it_is_the_formula(name: str, competitor: str, rounds: int) -> None:
    specimen, bound = BOUNDS[name]
    player = specimen.cls(**bound.given())
    d, first = player.domain.size, player.play()
    V = np.random.default_rng(1).normal(size=(rounds, d)) + 0.3
    half = rounds // 2
    W = np.vstack([player.run(part, bound.curvature, keep="points").points for part in (V[:half], V[half:])])
    u = {"any": None, "one": player.domain.project(np.linspace(-0.5, 1.0, d)), "the first": first}[competitor]
    if u is None and not player.domain.bounded:
        found = player.regret_bound()
        assert (found.value is None and "name a competitor" in found.reason) or found.value is not None
        return
    expected = bound.value(V + bound.curvature * W, W, u)
    assert player.regret_bound(u).value == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert player.regret_bound(u).theorem
