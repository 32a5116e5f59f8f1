"""How the weights of a panel went."""

from __future__ import annotations

from typing import Any

import numpy as np

from afterwit.panel import Standing
from afterwit.plots import canvas as c


def standing(found: Standing, title: str = "", most: int = 8) -> Any:
    """A figure with the weights of the members in the first mixture, and of the combiners, over the rows.

    >>> from afterwit.panel import Auto
    >>> model = Auto()
    >>> for k in range(50):
    ...     model.learn_one({"a": k % 7}, k % 2)
    >>> figure = standing(model.standing())  # figure.savefig("standing.png") writes it
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['weight', 'weight']
    """
    figure = c.figure(9.0, 7.5)
    above, below = figure.subplots(2, 1, sharex=True)
    members(found, above, most)
    combiners(found, below, most)
    below.set_xlabel("rows (log scale)")
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
    return figure


def members(found: Standing, axes: Any, most: int = 8) -> None:
    """The weights of the members in the first mixture."""
    names = [c.literal(member.name) for member in found.members]
    _stacked(axes, found.times, found.weights, names, most, "Whom the first mixture listens to")


def combiners(found: Standing, axes: Any, most: int = 8) -> None:
    """Those of the combiners."""
    _stacked(axes, found.times, found.player_weights, list(found.combiners), most, "Whom the last player listens to")


def _stacked(axes: Any, times: c.Array, weights: c.Array, names: list[str], most: int, title: str) -> None:
    """The largest in colours, the rest in grey as one."""
    axes = c.canvas(axes, title)
    leading = np.argsort(-weights.mean(axis=0), kind="stable")[:most] if len(times) else np.arange(0)
    some = [int(i) for i in leading if weights[:, i].max() > 0.0]
    rest = [i for i in range(weights.shape[1]) if i not in some]
    parts = [weights[:, i] for i in some] + ([weights[:, rest].sum(axis=1)] if rest else [])
    labels = [names[i] for i in some] + ([f"{len(rest)} others"] if rest else [])
    if parts:
        colours = [*c.COLOURS[: len(some)], *(["#CFCFCF"] if rest else [])]
        axes.stackplot(times, parts, labels=labels, colors=colours, linewidth=0.0)
        axes.set_xscale("log", base=2)
        axes.margins(x=0.0)
        axes.legend(*(each[::-1] for each in axes.get_legend_handles_labels()), loc="center left",
                    bbox_to_anchor=(1.0, 0.5), frameon=False)  # fmt: skip
    axes.set_ylim(0.0, 1.0)
    axes.set_ylabel("weight")
