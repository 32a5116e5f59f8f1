"""Who was listened to, when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from afterwit.experts import History
from afterwit.plots import canvas as c


def weights(history: History, axes: Any = None, *, index: Sequence[str] | None = None, most: int = 8) -> Any:
    """The weights over time, stacked: the `most` experts with the largest ones, the rest in greys.

    `index` names the rounds; dates become a time axis.

    >>> from afterwit.experts import AdaNormalHedge
    >>> history = AdaNormalHedge().run([[0.0, 1.0], [0.5, 0.0]], keep="weights")
    >>> weights(history).get_ylabel()
    'weight'
    """
    P, _ = c.kept(history)
    some = c.leading(history, most)
    axes = c.canvas(axes, "Who is listened to: the weights")
    x, called = c.rounds(axes, len(history), index), c.names(history)
    rest = [int(i) for i in np.argsort(-P.mean(axis=0), kind="stable") if i not in some] if len(history) else []
    colours = [*c.COLOURS[: len(some)], *(("#CFCFCF", "#DEDEDE")[k % 2] for k in range(len(rest)))]
    # A label that begins with an underscore is not shown: one stands for all the others.
    others = [called[rest[0]] if len(rest) == 1 else f"{len(rest)} others", *["_"] * len(rest)]
    labels = [called[i] for i in some] + others[: len(rest)]
    if len(history):
        axes.stackplot(x, P[:, some + rest].T, labels=labels, colors=colours, step="mid", linewidth=0.0)
        axes.margins(x=0.0)
        axes.legend(*(each[::-1] for each in axes.get_legend_handles_labels()), loc="center left",
                    bbox_to_anchor=(1.0, 0.5), frameon=False)  # fmt: skip
    axes.set_ylim(0.0, 1.0)
    axes.set_ylabel("weight")
    return axes
