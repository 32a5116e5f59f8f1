"""Regret against its bound."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from afterwit import registry
from afterwit.experts import History, MixtureHistory
from afterwit.plots import canvas as c
from afterwit.regret import instantaneous


def regret(
    history: History, model: Any = None, axes: Any = None, *, index: Sequence[str] | None = None, points: int = 100
) -> Any:
    """The regret to the best expert so far, and with `model`, the player or mixture, the theorem's bound.

    A fresh copy of the model plays the rounds again for the bound after each of `points` of them.

    >>> from afterwit.experts import Hedge
    >>> player = Hedge()
    >>> axes = regret(player.run([[0.0, 1.0], [0.5, 0.0]], keep="weights"), player)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['regret', 'its bound']
    """
    _, l = c.kept(history)
    axes = c.canvas(axes, f"Regret to the best {'stock' if c.gains(history) else 'expert'} so far")
    x = c.rounds(axes, len(history), index)
    r = np.cumsum(instantaneous(l, history.loss, history.confidence), axis=0)
    axes.axhline(0.0, color="#777777", linewidth=0.8)
    axes.plot(x, r.max(axis=1), color=c.OWN, linewidth=2.0, label="regret")
    at, bounds, reason = _bounds(history, model, points)
    who = "stock" if c.gains(history) else "expert"
    if len(r) and r[-1].max() < 0.0:
        axes.text(0.98, 0.97, f"below 0: better than every {who}", transform=axes.transAxes, fontsize=9, ha="right",
                  va="top", color="#555555")  # fmt: skip
    if bounds:
        axes.plot(x[at], bounds, color=c.COLOURS[5], linewidth=1.6, linestyle="--", label="its bound")
        axes.legend(frameon=False, fontsize=9)
    elif reason:
        note = textwrap.fill(f"No bound: {reason}.", 70)
        axes.set_xlabel(f"{axes.get_xlabel()}\n{note}", fontsize=8, color="#555555")
    axes.set_ylabel(
        "log wealth behind the best stock's" if c.gains(history) else f"{c.unit(history)} beyond the best's"
    )
    c.big_numbers(axes.yaxis)
    axes.margins(x=0.0, y=0.15)
    return axes


def _bounds(history: History, model: Any, points: int) -> tuple[list[int], list[float], str | None]:
    """Rounds, counted from 0, the bounds after them, and why there is none."""
    if model is None or not len(history):
        return [], [], None
    copy = registry.fresh(model)
    ends = sorted({int(end) for end in np.linspace(1, len(history), points)})
    at, bounds, done = list[int](), list[float](), 0
    for end in ends:
        _play(copy, history, slice(done, end))
        bound = copy.regret_bound()
        if bound.value is None:
            return [], [], bound.reason
        at.append(end - 1)
        bounds.append(bound.value)
        done = end
    return at, bounds, None


def _play(model: Any, history: History, some: slice) -> None:
    if isinstance(history, MixtureHistory):
        F = history.forecasts[some]
        named = None if history.names is None else [dict(zip(history.names, f, strict=True)) for f in F.tolist()]
        model.learn_many(F if named is None else named, history.y[some], history.importance[some])
    else:
        assert history.losses is not None
        l = history.losses[some]
        named = None if history.names is None else [dict(zip(history.names, f, strict=True)) for f in l.tolist()]
        model.run(l if named is None else named)
