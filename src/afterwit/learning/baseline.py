"""Who knows the labels so far alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Where a learner can lose: the measures, and what they are called.
JUDGED = {"error_rate": "error rate", "log_loss": "log loss", "mean_loss": "mean loss"}


@dataclass(frozen=True)
class Baseline:
    """What predicting each row from the labels before it, and nothing else, would have lost; weighted by importance.

    It knows the label of a row at once, also where the learner's come late. Where a class is new, the learner's own log
    loss counts the probability 1e-15, and the baseline's that of a class that has not come.

    Numbers are predicted by their mean so far, first 0; labels by the one of the largest weight so far: of equals +1,
    or of several classes the one that had it first (before the first row there is none, which is an error). Log loss is
    -ln((n + 1/2)/(N + K/2)), n of the weight N before being of the label that comes: K = 2 for two labels; for several
    classes one more than were met, since all that have not come share one place (Krichevsky, Trofimov 1981).

    `mean_loss` is by the learner's own loss, where that is log loss or one of numbers. `better_in` names what the
    baseline is better in than the learner, among `error_rate`, `log_loss` and, of numbers, `mean_loss`.
    """

    mean_loss: float | None
    error_rate: float | None
    log_loss: float | None
    rmse: float | None
    mae: float | None
    better_in: list[str] = field(default_factory=list)

    def verdict(self, loss: str) -> str | None:
        """In which measures it is better, in words."""
        words = [f"mean {loss} loss" if name == "mean_loss" else JUDGED[name] for name in self.better_in]
        return " and ".join(words) or None


def baseline_of(
    totals: Mapping[str, float], loss: str, kind: str, signs: bool, own: Mapping[str, Any]
) -> Baseline | None:
    """That of a ledger's totals, beside the learner's `own` numbers; None where an older version did not keep it."""
    weight = totals["weight"]

    def mean(name: str, defined: bool = True) -> float | None:
        return known(totals[f"baseline_{name}"] / weight) if defined and weight > 0.0 else None

    numbers = kind == "real" and loss != "logistic"
    squared = mean("squared", numbers)
    log_loss = mean("loss", loss == "logistic" and signs)
    found = {
        "mean_loss": mean("loss", has_mean_loss(loss, kind)),
        "error_rate": mean("errors", signs),
        "log_loss": log_loss,
        "rmse": None if squared is None else math.sqrt(squared),
        "mae": mean("absolute", numbers),
    }
    if all(value is None for value in found.values()):
        return None
    names = [name for name in JUDGED if name != "mean_loss" or log_loss is None]
    return Baseline(**found, better_in=[name for name in names if _less(found[name], own[name])])


def has_mean_loss(loss: str, kind: str) -> bool:
    """Whether the loss of the baseline is one beside the learner's own."""
    return (kind == "binary" and loss == "logistic") or (kind == "real" and loss != "logistic")


def known(value: float) -> float | None:
    """A number that is one: none where it is infinite, or of rows that an older version has learned."""
    return value if math.isfinite(value) else None


def _less(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and one < other
