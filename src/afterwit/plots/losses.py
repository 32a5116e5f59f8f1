"""What everybody lost: over time, and on average."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from afterwit.experts import History, MixtureHistory
from afterwit.experts.mixed_loss import MixedLoss
from afterwit.plots import canvas as c
from afterwit.regret import instantaneous
from afterwit.regret.combinations import mixed


def cumulative_losses(history: History, axes: Any = None, *, index: Sequence[str] | None = None, most: int = 4) -> Any:
    """The total loss so far: the player's, that of the best experts, and the uniform mean's; for stocks, the wealth.

    An expert asleep counts as having had the player's loss, so that totals can be compared.

    >>> from afterwit.experts import AdaNormalHedge
    >>> axes = cumulative_losses(AdaNormalHedge().run([[0.0, 1.0], [0.5, 0.0]], keep="weights"))
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['player', 'expert 0', 'expert 1', 'uniform mean']
    """
    _, l = c.kept(history)
    gains = c.gains(history)
    axes = c.canvas(axes, "Wealth of 1 at the start" if gains else "Losses, summed up")
    x, called = c.rounds(axes, len(history), index), c.names(history)
    lead = c.leading(history, len(c.COLOURS))
    best = [int(i) for i in np.argsort(-history.regret, kind="stable")[:most]]
    totals = np.cumsum(history.loss[:, None] - instantaneous(l, history.loss, history.confidence), axis=0)

    def draw(total: Any, **style: Any) -> None:
        axes.plot(x, np.exp(-total) if gains else total, **style)

    draw(np.cumsum(history.loss), label=c.own_name(history), color=c.OWN, linewidth=2.4, zorder=3)
    others = iter(c.MORE)
    for i in best:
        colour = c.COLOURS[lead.index(i)] if i in lead else next(others, c.OTHERS)
        draw(totals[:, i], label=called[i], color=colour, linewidth=1.4)
    draw(np.cumsum(uniform(history)), label="uniform mean", color=c.MEAN, linewidth=1.4, linestyle="--")
    if gains:
        axes.set_yscale("log")
    axes.set_ylabel("wealth (log scale)" if gains else f"total {c.unit(history)}")
    c.big_numbers(axes.yaxis)
    axes.margins(x=0.0)
    axes.legend(frameon=False, fontsize=9)
    return axes


def average_losses(history: History, axes: Any = None, *, most: int = 12) -> Any:
    """The average loss of the player and of each expert while it was awake, the best first; the first `most` of them.

    Squared loss is shown as its root, the loss of a portfolio as its growth per round.

    >>> from afterwit.experts import Mixture
    >>> average_losses(Mixture().run([[1.0, 4.0], [2.0, 5.0]], [1.0, 2.0])).get_xlabel()
    'root mean squared error'
    """
    _, l = c.kept(history)
    lead, called = c.leading(history, len(c.COLOURS)), c.names(history)
    awake = ~np.isnan(l)
    h = history.importance if isinstance(history, MixtureHistory) else np.ones(len(history))
    heard = h @ awake
    means = [(float(l[awake[:, i], i].sum() / heard[i]), i) for i in range(l.shape[1]) if heard[i] > 0.0]
    bars = [(mean, called[i], c.COLOURS[lead.index(i)] if i in lead else c.OTHERS) for mean, i in sorted(means)[:most]]
    known = float(h @ awake.any(axis=1))
    if known > 0.0:
        bars.append((float(history.loss.sum() / known), c.own_name(history), c.OWN))
        bars.append((float(uniform(history).sum() / known), "uniform mean", c.MEAN))
    bars.sort(key=lambda bar: bar[0])
    title, measured, size = _measure(history)
    axes = c.canvas(axes, title)
    drawn = axes.barh(range(len(bars)), [size(bar[0]) for bar in bars], color=[bar[2] for bar in bars], height=0.72)
    axes.bar_label(drawn, [c.short(float(f"{size(bar[0]):.4g}")) for bar in bars], padding=3, fontsize=8)
    axes.set_yticks(range(len(bars)), [bar[1] for bar in bars], fontsize=9)
    axes.invert_yaxis()
    left = len(means) - most
    axes.set_xlabel(f"{measured}; {left} worse ones are not shown" if left > 0 else measured)
    axes.locator_params(axis="x", nbins=5)
    c.big_numbers(axes.xaxis)
    axes.margins(x=0.15)
    return axes


def _measure(history: History) -> tuple[str, str, Callable[[float], float]]:
    """The title, what the bars measure, and that as a function of the mean loss."""
    if c.gains(history):
        return "Average growth", "growth per round (%)", lambda mean: 100.0 * math.expm1(-mean)
    if isinstance(history, MixtureHistory) and history.kind == "squared":
        return "Average error", "root mean squared error", lambda mean: math.sqrt(max(mean, 0.0))
    return "Average loss", f"mean {c.unit(history)}", lambda mean: mean


def uniform(history: History) -> c.Array:
    """The loss of the uniform mean of those awake in each round; of a player, the mean of their losses."""
    _, l = c.kept(history)
    N = l.shape[1]
    even = np.full(N, 1.0 / max(N, 1))
    if not isinstance(history, MixtureHistory):
        return np.nan_to_num(mixed(l, even))
    value = MixedLoss(history.kind).value(mixed(history.forecasts, even), history.y)
    return np.nan_to_num(history.importance * value)
