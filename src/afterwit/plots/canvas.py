"""What all pictures share: figures, colours, names, and an axis of rounds."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from afterwit.errors import printable
from afterwit.experts import History, MixtureHistory

Array = npt.NDArray[np.float64]
#: Colours that people with any eyesight tell apart (Okabe, Ito 2008), for the experts that matter most.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8A6FBF", "#B7A900")
#: More of them, for experts that are drawn beside.
MORE = ("#882255", "#44AA99", "#999933", "#AA4499", "#332288")
OWN, OTHERS, MEAN = "#000000", "#C8C8C8", "#777777"


def figure(width: float = 8.0, height: float = 4.5) -> Any:
    """A new figure, which belongs to no window."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("pictures need the package `matplotlib`: pip install 'afterwit[plots]'") from None
    return Figure(figsize=(width, height), dpi=110, layout="constrained")


def canvas(axes: Any, title: str) -> Any:
    """The axes to draw into, with a title and without a box."""
    axes = figure().add_subplot() if axes is None else axes
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def rounds(axes: Any, T: int, index: Sequence[str] | None) -> Any:
    """Where each round is on the horizontal axis: at its date where the index has dates, else at its number."""
    dates = _dates(index)
    if dates is None:
        axes.set_xlabel("round")
        return np.arange(1, T + 1)
    from matplotlib.dates import DAILY, MONTHLY, YEARLY, AutoDateLocator, ConciseDateFormatter

    locator = AutoDateLocator(minticks=3, maxticks={YEARLY: 8, MONTHLY: 7, DAILY: 7})
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    return np.array(dates, dtype="datetime64[s]")


def big_numbers(axis: Any) -> None:
    """Large numbers as people write them."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))


def short(value: float) -> str:
    """A number for an axis.

    >>> short(-2.5e9), short(150e6), short(4000.0), short(0.25)
    ('-2.5 bn', '150 M', '4,000', '0.25')
    """
    for size, word in ((1e12, " tn"), (1e9, " bn"), (1e6, " M")):
        if size <= abs(value) < 1e15:
            return f"{value / size:,.10g}{word}"
    return f"{value:,.10g}"


def names(history: History) -> list[str]:
    """The experts as a reader should see them."""
    called = history.names or [f"expert {i}" for i in range(len(history.total))]
    return [literal(name if len(name) <= 28 else name[:27] + "…") for name in called]


def literal(text: str) -> str:
    """A text that matplotlib shows as it is, where what is between two dollars would be a formula."""
    return printable(text).replace("$", r"\$")


def kept(history: History) -> tuple[Array, Array]:
    """Weights and losses of every round."""
    if history.weights is None or history.losses is None:
        raise ValueError('the history has no weights; play with `run(..., keep="weights")`')
    return history.weights, history.losses


def leading(history: History, most: int) -> list[int]:
    """The experts with the largest weights over all rounds, the largest first; of equals the one of least loss."""
    mean = kept(history)[0].mean(axis=0) if len(history) else history.total
    order = np.lexsort((-history.regret, -mean))
    return [int(i) for i in order[: min(most, len(COLOURS))] if mean[i] > 0.0]


def gains(history: History) -> bool:
    """Whether it is of a portfolio."""
    return isinstance(history, MixtureHistory) and history.kind == "gain"


def unit(history: History) -> str:
    """What a loss is called."""
    if not isinstance(history, MixtureHistory):
        return "loss"
    return {"squared": "squared error", "absolute": "absolute error"}.get(history.kind, f"{history.kind} loss")


def own_name(history: History) -> str:
    """What the player is called."""
    if gains(history):
        return "portfolio"
    return "mixture" if isinstance(history, MixtureHistory) else "player"


def _dates(index: Sequence[str] | None) -> list[datetime.datetime] | None:
    try:
        dates = [datetime.datetime.fromisoformat(word).replace(tzinfo=None) for word in index or ()]
    except ValueError:
        return None
    return dates or None
