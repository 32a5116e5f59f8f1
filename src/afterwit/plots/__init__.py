"""Pictures of what a learner or a panel learned, of a run over experts, of a player or a mixture. They need matplotlib.

Each function draws into `axes`, or into a new figure, and returns the axes; `.figure.savefig("a.png")` writes it.
"""

from afterwit.plots.curve import comparison, curve, report
from afterwit.plots.losses import average_losses, cumulative_losses
from afterwit.plots.overview import overview
from afterwit.plots.regrets import regret
from afterwit.plots.residuals import residuals
from afterwit.plots.separation import separation
from afterwit.plots.standing import standing
from afterwit.plots.weights import weights

__all__ = [
    "average_losses",
    "comparison",
    "cumulative_losses",
    "curve",
    "overview",
    "regret",
    "report",
    "residuals",
    "separation",
    "standing",
    "weights",
]
