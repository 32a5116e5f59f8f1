"""Dense learners: over the features met so far as columns, linear in them or not."""

from afterwit.dense.neighbours import Neighbours as Neighbours
from afterwit.dense.network import Network as Network
from afterwit.dense.online_newton import OnlineNewton as OnlineNewton
from afterwit.dense.rolling_trees import RollingTrees as RollingTrees

# What the lines above name, each once.
__all__ = [name for name, value in tuple(vars().items()) if callable(value)]
