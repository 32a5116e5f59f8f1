"""Players over experts: play a distribution, then see all their losses."""

from afterwit.experts.ada_normal_hedge import AdaNormalHedge, NormalHedgeDT
from afterwit.experts.halving import Halving
from afterwit.experts.hedge import Hedge
from afterwit.experts.hindsight import Competitor, hindsight
from afterwit.experts.history import History, MixtureHistory
from afterwit.experts.mixture import Mixture
from afterwit.experts.normal_hedge import NormalHedge
from afterwit.experts.two_norm import TwoNorm

__all__ = [
    "AdaNormalHedge",
    "Competitor",
    "Halving",
    "Hedge",
    "History",
    "Mixture",
    "MixtureHistory",
    "NormalHedge",
    "NormalHedgeDT",
    "TwoNorm",
    "hindsight",
]
