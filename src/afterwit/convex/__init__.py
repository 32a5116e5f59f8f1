"""Online convex optimisation: play a point of a domain, then see the gradient of a loss there."""

from afterwit.convex.domains import Ball as Ball
from afterwit.convex.domains import Box as Box
from afterwit.convex.domains import Reals as Reals
from afterwit.convex.domains import Simplex as Simplex
from afterwit.convex.doubling import Doubling as Doubling
from afterwit.convex.follow_the_leader import FollowTheLeader as FollowTheLeader
from afterwit.convex.follow_the_regularized_leader import FollowTheRegularizedLeader as FollowTheRegularizedLeader
from afterwit.convex.mirror_descent import MirrorDescent as MirrorDescent
from afterwit.convex.online_gradient_descent import OnlineGradientDescent as OnlineGradientDescent
from afterwit.convex.optimistic_ftrl import OptimisticFTRL as OptimisticFTRL
from afterwit.convex.player import History as History
from afterwit.convex.strongly_convex import StronglyConvexGradientDescent as StronglyConvexGradientDescent

# What the lines above name, each once.
__all__ = [name for name, value in tuple(vars().items()) if callable(value)]
