"""How the members of a panel stand: their losses, who sleeps, the weights, and what the theorem says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from afterwit import regret
from afterwit.experts import AdaNormalHedge
from afterwit.panel.combiners import Mixing, usual
from afterwit.regret import Bound
from afterwit.shown import aligned, picture, table, together

if TYPE_CHECKING:
    from afterwit.panel.panel import Panel


USUAL = "what is usual"
#: Why a member sleeps, as the core has it.
_ASLEEP = (None, "its prediction was not finite", "too many features", "too many classes")


@dataclass(frozen=True)
class Member:
    """What one member, or the panel itself, has lost over the rows in which it was awake, per weight of these.

    `mean_loss` is log loss, or the squared error; `square` is what the players learn: the Brier score, or the squared
    error in units of the range of the labels so far. `error_rate` is of labels alone. `weight` is its part in the first
    mixture, of those that do not sleep for good; `asleep` says why it does, or is None.
    """

    name: str
    rows: float
    mean_loss: float | None
    error_rate: float | None
    square: float | None
    weight: float
    asleep: str | None


@dataclass(frozen=True)
class Standing:
    """The members of a panel in the order of their predictions, itself, its combiners and the best member in hindsight.

    `regret` is how much more the panel has lost in total than `best`, the one of all members awake to the end that
    has lost least, in the Brier score (of numbers: squared errors in units of the range of the labels); `bound` is
    the most that the theorem allows. A row of a class that is new is an error of all; in the regret it counts as
    the players learn it, by what is said of it once the class has its name. `times` are numbers of rows after which
    the weights were noted: `player_weights` of the combiners, and `weights` of the members in the first combiner.
    """

    panel: Member
    #: Who knows the labels so far alone: says their mean, or the part that each class has of them.
    usual: Member
    members: list[Member]
    combiners: dict[str, float]
    best: str | None
    regret: float | None
    bound: Bound
    times: npt.NDArray[np.float64]
    player_weights: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]

    def to_dict(self) -> dict[str, Any]:
        """All of it but the weights over time, as plain data."""
        kept = ("panel", "usual", "members", "combiners", "best", "regret", "bound")
        return {name: value for name, value in asdict(self).items() if name in kept}

    def lines(self) -> Iterator[str]:
        """A table for people: the panel, then its members, best first, those asleep last."""
        cells, reasons = self._table()
        for line, reason in zip(aligned(cells), reasons, strict=True):
            yield line if reason is None else f"{line}: {reason}"

    def _table(self) -> tuple[list[list[str]], list[str | None]]:
        """The headings and cells, and why members sleep."""
        numbers = all(member.error_rate is None for member in (self.panel, *self.members))
        heads = ["", "RMSE" if numbers else "log loss", *([] if numbers else ["errors"]), "weight"]
        cells = [heads, _cells(self.panel, numbers), _cells(self.usual, numbers)]
        ranked = sorted(
            self.members, key=lambda m: (m.asleep is not None, math.inf if m.mean_loss is None else m.mean_loss)
        )
        cells += [_cells(member, numbers) for member in ranked]
        return cells, [None] * 3 + [member.asleep for member in ranked]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        cells, reasons = self._table()
        told = [row if why is None else [*row[:-1], f"asleep: {why}"] for row, why in zip(cells, reasons, strict=True)]
        return together(table(told), picture("standing", self) if len(self.times) else "")


def _cells(member: Member, numbers: bool) -> list[str]:
    loss = "" if member.mean_loss is None else f"{math.sqrt(member.mean_loss) if numbers else member.mean_loss:.6g}"
    weight = "asleep" if member.asleep else "" if member.name in ("panel", USUAL) else f"{member.weight:.3f}"
    errors = [] if numbers else ["" if member.error_rate is None else f"{member.error_rate:.4%}"]
    return [member.name, loss, *errors, weight]


def standing(panel: Panel, view: dict[str, Any]) -> Standing:
    """The standing of a panel, from what the core shows of it."""
    names = panel.names()
    first = view["combiners"][0]
    weights = np.where(view["asleep"] != 0.0, 0.0, first["weights"]) if "weights" in first else np.zeros(len(names))
    weights /= weights.sum() or 1.0
    asleep = [*(_ASLEEP[int(why)] for why in view["asleep"]), None, None]
    everybody = [
        _member(name, row, weight, sleeps, panel._numbers)
        for name, row, weight, sleeps in zip(
            [*names, "panel", USUAL], view["scores"].tolist(), [*weights.tolist(), 1.0, 0.0], asleep, strict=True
        )
    ]
    *members, itself, usual_one = everybody
    best, regret_to_it = _best(members, itself)
    combiners = panel.combiners or usual(panel._numbers)
    count = len(combiners)
    return Standing(
        itself,
        usual_one,
        members,
        dict(zip(_labels(combiners), view["last"]["weights"].tolist(), strict=True)),
        best,
        regret_to_it,
        _bound(panel, view, None if best is None else names.index(best)),
        view["times"],
        view["history"][:, :count],
        view["history"][:, count:],
    )


def _member(name: str, row: list[float], weight: float, asleep: str | None, numbers: bool) -> Member:
    rows, loss, square, errors = row
    if rows == 0.0:
        return Member(name, 0.0, None, None, None, weight, asleep)
    return Member(name, rows, loss / rows, None if numbers else errors / rows, square / rows, weight, asleep)


def _best(members: list[Member], itself: Member) -> tuple[str | None, float | None]:
    """Of those who were awake in every row."""
    able = [member for member in members if member.square is not None and member.rows == itself.rows]
    if not able or itself.square is None:
        return None, None
    best = min(able, key=lambda member: member.square or 0.0)
    return best.name, itself.rows * (itself.square - (best.square or 0.0))


def _labels(combiners: tuple[Any, ...]) -> list[str]:
    """Mixing, Sharing, Stacking 1, Stacking 2: numbered where there are several."""
    kinds = [type(each).__name__ for each in combiners]
    return [f"{kind} {kinds[:i].count(kind) + 1}" if kinds.count(kind) > 1 else kind for i, kind in enumerate(kinds)]


def _bound(panel: Panel, view: dict[str, Any], best: int | None) -> Bound:
    """The regret of the first AdaNormalHedge to the best member, and of the last player to that combiner."""
    combiners = panel.combiners or usual(panel._numbers)
    carries = [
        i for i, each in enumerate(combiners) if isinstance(each, Mixing) and type(each.player) is AdaNormalHedge
    ]
    if not carries or type(panel.player or AdaNormalHedge()) is not AdaNormalHedge:
        return Bound(
            None, reason="only AdaNormalHedge, as a combiner's player and as the last one, has the theorem here"
        )
    if best is None:
        return Bound(None, reason="nobody was awake from the beginning")
    mixing, last = view["combiners"][carries[0]], view["last"]
    most = regret.ada_normal_hedge_expert(mixing["C"], best) * mixing["unit"]
    most += regret.ada_normal_hedge_expert(last["C"], carries[0]) * last["unit"]
    return Bound(most, "Luo 2016, proof of Theorem 4, for each of the two players")
