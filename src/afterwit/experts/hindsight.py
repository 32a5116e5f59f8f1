"""What hindsight would have gained over a mixture: the best expert, combination and sequence of experts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from afterwit.experts.history import Array, MixtureHistory
from afterwit.experts.mixed_loss import MixedLoss
from afterwit.experts.mixture import Mixture
from afterwit.regret import (
    Bound,
    Combination,
    best_linear,
    best_mixture,
    best_rebalanced,
    expert_regret,
    shifting_regret,
)
from afterwit.regret.combinations import mixed
from afterwit.shown import table

_LATER = Bound(None, reason="these rounds followed others, and the theorem is about all of them together")


@dataclass(frozen=True)
class Competitor:
    """Someone who knew all from the beginning: the total loss and the mixture's regret to it.

    `what` says who it is. `loss` is None where there is none, and `reason` says why. `exact` is False where it is the
    best that was found, and a better one may be.
    """

    name: str
    what: str = ""
    loss: float | None = None
    regret: float | None = None
    exact: bool = True
    reason: str | None = None
    bound: Bound | None = None


class Competitors(list[Competitor]):
    """A list of them, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        rows = [["", "loss in total", "regret to it", "its bound", ""]]
        for each in self:
            bound = each.bound.value if each.bound is not None else None
            numbers = ["" if value is None else f"{value:,.6g}" for value in (each.loss, each.regret, bound)]
            rows.append([each.name, *numbers, each.reason or each.what])
        return table(rows)


def hindsight(model: Mixture, history: MixtureHistory, shifts: int = 5, *, later: bool = False) -> Competitors:
    """The competitors of the rounds that `model` has just learned and `history` kept.

    They are the uniform mean of those awake, the best expert, the best expert with up to `shifts` changes on the way,
    and the best convex and linear combination of forecasts (of stocks: the best constantly rebalanced portfolio). An
    expert asleep counts as having had the mixture's loss, as in `afterwit.regret`; a combination is over those awake.
    Who has a name and never woke is no competitor.
    Rounds that are `later` than others that the model had learned have no bound: theorems are about all of them.

    >>> F, y = np.array([[1.0, 3.0], [2.0, 4.0], [3.0, 5.0]]), np.array([2.0, 3.0, 4.0])
    >>> model = Mixture()
    >>> [(each.name, round(each.loss, 6)) for each in hindsight(model, model.run(F, y), shifts=1)][:2]
    [('uniform mean', 0.0), ('best expert', 3.0)]
    """
    some = history.confidence.any(axis=1)  # type: ignore[union-attr]
    if not some.any():
        return Competitors()
    if history.names is not None:
        history = history.awake()
    F, y, h, losses, loss = (
        np.asarray(each)[some]
        for each in (history.forecasts, history.y, history.importance, history.losses, history.loss)
    )
    total = float(loss.sum())
    mean = float(h @ MixedLoss(history.kind).value(mixed(F, np.full(F.shape[1], 1.0 / F.shape[1])), y))
    best, moving = expert_regret(losses, loss), shifting_regret(losses, loss, shifts + 1)
    found = [
        Competitor(*_uniform(history.kind), mean, total - mean),
        Competitor(
            "best expert",
            _name(history, best.expert),
            total - best.regret,
            best.regret,
            bound=_LATER if later else model.regret_bound(_key(history, best.expert)),
        ),
        Competitor(
            f"best with {len(moving.losses) - 1} shifts",
            f"{len({segment.expert for segment in moving.partitions[-1]})} of the experts",
            float(moving.losses[-1]),
            float(moving.regrets[-1]),
        ),
    ]
    return Competitors([*found, *_combinations(model, history, F, y, h, total, later)])


def _combinations(
    model: Mixture, history: MixtureHistory, F: Array, y: Array, h: Array, total: float, later: bool
) -> list[Competitor]:
    asleep = bool(np.isnan(F).any())
    if history.kind == "gain":
        name = "best rebalanced portfolio"
        if asleep:
            return [Competitor(name, reason="some stocks are not there all the time")]
        if np.ptp(h) > 0.0:
            return [Competitor(name, reason="the rounds are not equally important")]
        return [_competitor(name, lambda: best_rebalanced(F), model, history, total, not later)]
    return [
        _competitor(
            "best convex combination",
            lambda: best_mixture(F, y, history.kind, h),
            model,
            history,
            total,
            not (asleep or later),
        ),
        _competitor(
            "best linear combination", lambda: best_linear(F, y, history.kind, h), model, history, total, False
        ),
    ]


def _competitor(
    name: str, find: Any, model: Mixture, history: MixtureHistory, total: float, bounded: bool
) -> Competitor:
    try:
        found: Combination = find()
    except ImportError as error:
        return Competitor(name, reason=str(error))
    if not np.isfinite(found.loss):
        return Competitor(name, reason="the forecasts are so near to 0 that its weights are too large for a number")
    bound = None
    if bounded and model.gradient:
        u = found.weights / found.weights.sum()
        bound = model.regret_bound(u if history.names is None else dict(zip(history.names, u.tolist(), strict=True)))
    count = int((np.abs(found.weights) > 1e-6).sum())
    what = f"of {count} expert{'s' if count != 1 else ''}{'' if found.exact else ', the best that was found'}"
    return Competitor(name, what, found.loss, total - found.loss, found.exact, bound=bound)


def _uniform(kind: str) -> tuple[str, str]:
    if kind == "gain":
        return "uniform rebalanced", "the same part of the wealth in every stock, anew each round"
    return "uniform mean", "of all experts awake"


def _name(history: MixtureHistory, expert: int) -> str:
    return str(expert) if history.names is None else history.names[expert]


def _key(history: MixtureHistory, expert: int) -> Any:
    return expert if history.names is None else history.names[expert]
