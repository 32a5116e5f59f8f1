"""Players over experts: play a distribution, then see all their losses."""

from afterwit.experts.ada_normal_hedge import AdaNormalHedge, NormalHedgeDT
from afterwit.experts.hedge import Hedge
from afterwit.experts.history import History

__all__ = ["AdaNormalHedge", "Hedge", "History", "NormalHedgeDT"]
