"""The players' own `run`."""

from afterwit.experts import AdaNormalHedge, Hedge, NormalHedgeDT
from benchmarks.sides.experts_rows import play

play(
    {
        "hedge": lambda losses: Hedge(horizon=len(losses)).run(losses).loss.sum(),
        "ada-normal-hedge": lambda losses: AdaNormalHedge().run(losses).loss.sum(),
        "normal-hedge-dt": lambda losses: NormalHedgeDT().run(losses).loss.sum(),
    }
)
