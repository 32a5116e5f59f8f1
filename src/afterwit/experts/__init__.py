"""Players over experts: play a distribution, then see all their losses."""

from afterwit.experts.ada_normal_hedge import AdaNormalHedge as AdaNormalHedge
from afterwit.experts.ada_normal_hedge import NormalHedgeDT as NormalHedgeDT
from afterwit.experts.ada_normal_hedge_tv import AdaNormalHedgeTV as AdaNormalHedgeTV
from afterwit.experts.adapt_ml_prod import AdaptMLProd as AdaptMLProd
from afterwit.experts.boa import Boa as Boa
from afterwit.experts.delayed import Delayed as Delayed
from afterwit.experts.fixed_share import FixedShare as FixedShare
from afterwit.experts.halving import Halving as Halving
from afterwit.experts.hedge import Hedge as Hedge
from afterwit.experts.hindsight import Competitor as Competitor
from afterwit.experts.hindsight import hindsight as hindsight
from afterwit.experts.history import History as History
from afterwit.experts.history import MixtureHistory as MixtureHistory
from afterwit.experts.leading_history import FollowTheLeadingHistory as FollowTheLeadingHistory
from afterwit.experts.mixture import Mixture as Mixture
from afterwit.experts.ml_pol import MLPol as MLPol
from afterwit.experts.normal_hedge import NormalHedge as NormalHedge
from afterwit.experts.randomized import Randomized as Randomized
from afterwit.experts.two_norm import TwoNorm as TwoNorm

# What the lines above name, each once.
__all__ = [name for name, value in tuple(vars().items()) if callable(value)]
