"""What the mixture missed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from afterwit.experts import MixtureHistory
from afterwit.plots import canvas as c


def residuals(history: MixtureHistory, axes: Any = None, *, index: Sequence[str] | None = None) -> Any:
    """What came less what was forecast, round by round, and its running mean over a tenth of the rounds.

    >>> from afterwit.experts import Mixture
    >>> residuals(Mixture().run([[1.0, 4.0], [2.0, 5.0]], [1.0, 2.0])).get_ylabel()
    'outcome − forecast'
    """
    if not isinstance(history, MixtureHistory) or c.gains(history):
        raise TypeError("residuals are those of a mixture of forecasts; a portfolio and a player over losses have none")
    axes = c.canvas(axes, "What the mixture missed")
    x = c.rounds(axes, len(history), index)
    missed = history.y - history.forecast
    axes.axhline(0.0, color="#777777", linewidth=0.8)
    size = 4.0 if len(x) < 2000 else 1.5
    axes.plot(x, missed, ".", markersize=size, color=c.COLOURS[0], alpha=0.6, label="each round", rasterized=True)
    width = max(len(missed) // 10, 1)
    known = ~np.isnan(missed)
    window = np.ones(width)
    if len(missed) >= 20:
        sums, counts = (
            np.convolve(v, window, mode="same") for v in (np.where(known, missed, 0.0), known.astype(float))
        )
        axes.plot(x, sums / np.maximum(counts, 1.0), color=c.OWN, linewidth=1.8, label=f"mean of {width:,} rounds")
    axes.set_ylabel("outcome − forecast")
    c.big_numbers(axes.yaxis)
    axes.margins(x=0.0)
    axes.legend(frameon=False, fontsize=9, markerscale=6.0 / size)
    return axes
