"""NormalHedge.DT."""

from __future__ import annotations

import math
from functools import partial

from afterwit import regret
from afterwit.experts import NormalHedgeDT
from tests.experts.formulas import Array
from tests.experts.games import confidences
from tests.experts.seen import PRIOR, Seen
from tests.experts.specimen import BoundFormula, Formula, Make, Specimen, Theorem
from tests.experts.specimens.test_ada_normal_hedge import any_competitor, normal_hedge_of, theorem_6
from tests.experts.theorems import eps_regret


def every_eps(losses: Array, make: Make = NormalHedgeDT) -> float:
    """Luo 2016, Corollary 2."""
    return eps_regret(losses, make(experts=losses.shape[1]), regret.normal_hedge_dt)


def corollary_2(s: Seen) -> float:
    return math.sqrt(3.0 * s.T * math.log(math.expm1(4.0 / 3.0) * (math.log(s.T) + 1.0) / (2.0 * s.eps) + 1.0))


def either(s: Seen, prior: Array | None = None) -> float:
    """The corollary is for experts that never sleep and are alike."""
    general = theorem_6(s, s.awake.sum(axis=0) * 1.0, prior)
    return min(general, corollary_2(s)) if s.awake.all() and prior is None else general


SPECIMEN = Specimen(
    NormalHedgeDT,
    settings=(
        {},
        {"prior": [0.5, 0.0, 3.0, 1e-200]},
        {"prior": {"a": 1.0, "b": 2.0}},
        {"experts": 40, "loss_range": (-3.0, 2.0)},
    ),
    formulas={"": Formula(partial(normal_hedge_of, 0))},
    theorems={
        "": Theorem(every_eps),
        "any u": Theorem(partial(any_competitor, d=0)),
        "rated": Theorem(lambda losses, make: any_competitor(losses, make, I=confidences(losses), d=0)),
    },
    bounds={"": BoundFormula(either), "prior": BoundFormula(partial(either, prior=PRIOR), {"prior": PRIOR})},
    lost_at=-1.0,
    small=True,
)


def test_after_a_newcomer_was_forgotten_corollary_2_is_gone() -> None:
    """All that are left have the same C and prior, but one has been there: N and T are not what the corollary means."""
    player = NormalHedgeDT(experts=["a", "b", "c"])
    player.run([{"a": 0.0, "b": 1.0, "c": 0.5}] * 50)
    corollary = player.regret_bound("a")
    assert corollary.theorem == "Luo 2016, Corollary 2"
    player.forget("c")
    assert "Theorem 6" in str(player.regret_bound("a").theorem)
    assert player.regret_bound("a").value > corollary.value
