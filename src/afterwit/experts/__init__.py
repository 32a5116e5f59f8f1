"""Players over experts: play a distribution, then see all their losses."""

from afterwit.experts.ada_normal_hedge import AdaNormalHedge, NormalHedgeDT
from afterwit.experts.ada_normal_hedge_tv import AdaNormalHedgeTV
from afterwit.experts.adapt_ml_prod import AdaptMLProd
from afterwit.experts.boa import Boa
from afterwit.experts.fixed_share import FixedShare
from afterwit.experts.halving import Halving
from afterwit.experts.hedge import Hedge
from afterwit.experts.hindsight import Competitor, hindsight
from afterwit.experts.history import History, MixtureHistory
from afterwit.experts.leading_history import FollowTheLeadingHistory
from afterwit.experts.mixture import Mixture
from afterwit.experts.ml_pol import MLPol
from afterwit.experts.normal_hedge import NormalHedge
from afterwit.experts.randomized import Randomized
from afterwit.experts.two_norm import TwoNorm

__all__ = [
    "AdaNormalHedge",
    "AdaNormalHedgeTV",
    "AdaptMLProd",
    "Boa",
    "Competitor",
    "FixedShare",
    "FollowTheLeadingHistory",
    "Halving",
    "Hedge",
    "History",
    "MLPol",
    "Mixture",
    "MixtureHistory",
    "NormalHedge",
    "NormalHedgeDT",
    "Randomized",
    "TwoNorm",
    "hindsight",
]
