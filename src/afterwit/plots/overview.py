"""All of it on one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from afterwit.experts import History, MixtureHistory
from afterwit.plots import canvas as c
from afterwit.plots.losses import average_losses, cumulative_losses
from afterwit.plots.regrets import regret
from afterwit.plots.residuals import residuals
from afterwit.plots.weights import weights


def overview(model: Any, history: History, index: Sequence[str] | None = None, title: str = "") -> Any:
    """A figure with the weights, the losses, the regret and, of forecasts, the residuals; `index` names the rounds.

    >>> from afterwit.experts import Mixture
    >>> model = Mixture()
    >>> figure = overview(model, model.run([[1.0, 4.0], [2.0, 5.0]], [1.0, 2.0]))
    >>> len(figure.axes)  # figure.savefig("overview.png") writes it
    5
    """
    figure = c.figure(11.0, 10.5)
    above, below = figure.subfigures(2, 1, height_ratios=(1.0, 2.0))  # apart: the legend above narrows nothing below
    grid = below.add_gridspec(2, 2)
    weights(history, above.add_subplot(), index=index)
    cumulative_losses(history, below.add_subplot(grid[0, 0]), index=index)
    average_losses(history, below.add_subplot(grid[0, 1]))
    if isinstance(history, MixtureHistory) and not c.gains(history):
        regret(history, model, below.add_subplot(grid[1, 0]), index=index)
        residuals(history, below.add_subplot(grid[1, 1]), index=index)
    else:
        regret(history, model, below.add_subplot(grid[1, :]), index=index)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
    return figure
